// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One request under way: its time limits, its answer, and for writes the certainty that it is sent at most once.
#include "app/kube/client.h"

#include <QElapsedTimer>
#include <QIODevice>
#include <QNetworkReply>
#include <QPointer>
#include <QTimer>

namespace switchyard::kube {

// The body of a write. Sequential, so that Qt cannot rewind it: with a body that it can rewind, Qt sends PATCH and POST a
// second time by itself when the peer closes without an answer.
class OnceDevice : public QIODevice
{
    Q_OBJECT
public:
    explicit OnceDevice(QByteArray body, QObject *parent = nullptr);
    bool isSequential() const override { return true; }
    bool reset() override { return false; }
    bool touched() const { return m_touched; } // the connection has taken bytes: the server may have them
    qint64 bytesAvailable() const override { return m_body.size() - m_at + QIODevice::bytesAvailable(); }
    bool atEnd() const override { return m_at >= m_body.size(); }

protected:
    qint64 readData(char *data, qint64 size) override;
    qint64 writeData(const char *, qint64) override { return -1; }

private:
    QByteArray m_body;
    qsizetype m_at = 0;
    bool m_touched = false;
};

struct CallLimits
{
    std::chrono::milliseconds idle;  // without a byte; of a write: until the connection takes it
    std::chrono::milliseconds total; // for a server that trickles for ever
    std::chrono::milliseconds told;  // what a person is told to have been waited
    qint64 bytes;                    // of the answer
};

class Call : public QObject
{
    Q_OBJECT
public:
    struct Target
    {
        QString server, verb;
        Path path;
    };
    // Owned by the reply; both delete themselves at the end. `body`: of a write, else nullptr.
    Call(QNetworkReply *reply, Target target, OnceDevice *body, QObject *context, Client::Done done, CallLimits limits);

private:
    void onHead();
    void onBytes();
    void onIdle();
    void giveUp();
    void finish();
    std::optional<Error> errorOf(const Response &response) const;
    void unknownUnlessAnswered(Response &response) const;

    QNetworkReply *m_reply;
    Target m_target;
    QPointer<OnceDevice> m_body;
    QPointer<QObject> m_context;
    Client::Done m_done;
    CallLimits m_limits;
    QTimer m_idle, m_total;
    QElapsedTimer m_clock;
    std::chrono::milliseconds m_headAfter{};
};

// Fills in what was asked for, where the server did not say it better (the missing right, another object that conflicts).
Error addressed(Error error, const QString &verb, const Path &path);

} // namespace switchyard::kube
