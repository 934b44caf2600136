// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One run of another program, within limits. It has a session of its own: no terminal to ask at, and it goes with all its
// children when it must.
//
//   started ──ends──► done
//      └─ too long, or too much output ──► asked to end (SIGTERM) ──grace──► killed (SIGKILL) ──► done
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <chrono>
#include <functional>

namespace switchyard::kube {

struct ProcessLimits
{
    std::chrono::milliseconds time = std::chrono::seconds(60);
    std::chrono::milliseconds grace = std::chrono::seconds(2);
    qsizetype output = 1024 * 1024;
};

struct ProcessEnd
{
    enum class How { Exited, Killed, NotStarted, TooLong, TooMuch };
    How how = How::Exited;
    int code = 0;      // exit code, or number of the signal
    QByteArray output; // a secret for all we know
    QByteArray errors; // the last of what it complained
    QString why;       // of NotStarted
};

class GroupProcess : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const ProcessEnd &)>;

    // `done` is called once, from the event loop, unless the process is destroyed first: then it is killed.
    GroupProcess(ProcessLimits limits, Done done, QObject *parent = nullptr);
    ~GroupProcess() override;
    void start(const QString &program, const QStringList &args, const QProcessEnvironment &environment);

private:
    void readOutput();
    void readErrors();
    void stop(ProcessEnd::How why);
    void signalGroup(int signal) const;
    void onError(QProcess::ProcessError error);
    void onFinished(int code, QProcess::ExitStatus status);
    void tell();

    ProcessLimits m_limits;
    Done m_done;
    QProcess m_process;
    QTimer m_limit, m_grace;
    ProcessEnd m_end;
    bool m_stopping = false;
    qint64 m_group = 0; // 0: none, or gone
};

} // namespace switchyard::kube
