// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/group_process.h"

#include <csignal>
#include <unistd.h>

namespace switchyard::kube {

namespace {

constexpr qsizetype keptErrors = 16 * 1024;
constexpr int stillDying = 1000; // milliseconds

} // namespace

GroupProcess::GroupProcess(ProcessLimits limits, Done done, QObject *parent)
    : QObject(parent)
    , m_limits(limits)
    , m_done(std::move(done))
{
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::setsid(); });
    m_limit.setSingleShot(true);
    m_grace.setSingleShot(true);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &GroupProcess::readOutput);
    connect(&m_process, &QProcess::readyReadStandardError, this, &GroupProcess::readErrors);
    connect(&m_process, &QProcess::errorOccurred, this, &GroupProcess::onError);
    connect(&m_process, &QProcess::finished, this, &GroupProcess::onFinished);
    connect(&m_limit, &QTimer::timeout, this, [this] { stop(ProcessEnd::How::TooLong); });
    connect(&m_grace, &QTimer::timeout, this, [this] { signalGroup(SIGKILL); });
}

GroupProcess::~GroupProcess()
{
    m_process.disconnect(this);
    signalGroup(SIGKILL);
    m_process.kill();
    m_process.waitForFinished(stillDying); // over at once, unless the kernel holds it
}

void GroupProcess::start(const QString &program, const QStringList &args, const QProcessEnvironment &environment)
{
    m_process.setProcessEnvironment(environment);
    m_limit.start(m_limits.time);
    m_process.start(program, args);
    m_group = m_process.processId(); // known before QProcess says that it has started
}

void GroupProcess::readOutput()
{
    const QByteArray more = m_process.readAllStandardOutput();
    if (m_stopping)
        return;
    m_end.output += more;
    if (m_end.output.size() > m_limits.output) {
        m_end.output.clear();
        stop(ProcessEnd::How::TooMuch);
    }
}

void GroupProcess::readErrors()
{
    m_end.errors += m_process.readAllStandardError();
    if (m_end.errors.size() > keptErrors)
        m_end.errors = m_end.errors.right(keptErrors);
}

void GroupProcess::stop(ProcessEnd::How why)
{
    if (m_stopping)
        return;
    m_stopping = true;
    m_end.how = why;
    signalGroup(SIGTERM);
    m_grace.start(m_limits.grace);
}

void GroupProcess::signalGroup(int signal) const
{
    if (m_group > 0)
        ::kill(static_cast<pid_t>(-m_group), signal);
}

void GroupProcess::onError(QProcess::ProcessError error)
{
    if (error != QProcess::FailedToStart)
        return;
    m_end.how = ProcessEnd::How::NotStarted;
    m_end.why = m_process.errorString();
    tell();
}

void GroupProcess::onFinished(int code, QProcess::ExitStatus status)
{
    readOutput();
    readErrors();
    if (m_stopping)
        signalGroup(SIGKILL); // its children may have ignored the first
    else if (m_end.how == ProcessEnd::How::Exited && status == QProcess::CrashExit)
        m_end.how = ProcessEnd::How::Killed;
    m_end.code = code;
    tell();
}

void GroupProcess::tell()
{
    m_group = 0;
    m_limit.stop();
    m_grace.stop();
    QMetaObject::invokeMethod(
        this, [this] { m_done(m_end); }, Qt::QueuedConnection);
}

} // namespace switchyard::kube
