// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/login_shell.h"

#include "app/kube/group_process.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

#include <pwd.h>
#include <unistd.h>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

// csh and its kin take -l only alone; they read the user's settings without it.
QStringList shellArguments(const QString &shell, const QString &command)
{
    if (QFileInfo(shell).fileName().endsWith(u"csh"_s))
        return {u"-i"_s, u"-c"_s, command};
    return {u"-l"_s, u"-i"_s, u"-c"_s, command};
}

} // namespace

QString userShell()
{
    QString chosen = qEnvironmentVariable("SHELL");
    if (!chosen.isEmpty())
        return chosen;
    const passwd *entry = ::getpwuid(::getuid()); // NOLINT(concurrency-mt-unsafe)
    return entry && entry->pw_shell ? QFile::decodeName(entry->pw_shell) : QString();
}

LoginPath pathBetween(const QByteArray &output, const QByteArray &mark)
{
    const qsizetype from = output.indexOf(mark);
    const qsizetype to = from < 0 ? -1 : output.indexOf(mark, from + mark.size());
    if (to < 0)
        return {{}, LoginShell::tr("it printed no PATH")};
    LoginPath path;
    const QString text = QFile::decodeName(output.mid(from + mark.size(), to - from - mark.size()).trimmed());
    for (const QString &folder : text.split(u':', Qt::SkipEmptyParts))
        if (QDir::isAbsolutePath(folder) && !path.folders.contains(folder))
            path.folders.append(folder);
    if (path.folders.isEmpty())
        path.defect = LoginShell::tr("its PATH is empty");
    return path;
}

LoginShell::LoginShell(QString shell, std::chrono::milliseconds limit, QObject *parent)
    : QObject(parent)
    , m_shell(std::move(shell))
    , m_mark("path-" + QUuid::createUuid().toByteArray(QUuid::WithoutBraces))
    , m_limit(limit)
{}

LoginShell::~LoginShell() = default;

void LoginShell::path(QObject *context, std::function<void(const LoginPath &)> done)
{
    if (m_path)
        return done(*m_path);
    m_waiting.emplace_back(context, std::move(done));
    if (!m_process)
        run();
}

void LoginShell::run()
{
    m_process = std::make_unique<GroupProcess>(ProcessLimits{.time = m_limit, .grace = std::chrono::milliseconds(200)},
                                               [this](const ProcessEnd &end) { finish(read(end)); });
    const QString mark = QString::fromLatin1(m_mark);
    const QString command = u"echo %1; printenv PATH; echo %1"_s.arg(mark);
    m_process->start(m_shell.isEmpty() ? u"/bin/sh"_s : m_shell, shellArguments(m_shell, command),
                     QProcessEnvironment::systemEnvironment());
}

LoginPath LoginShell::read(const ProcessEnd &end) const
{
    switch (end.how) {
    case ProcessEnd::How::NotStarted: return {{}, tr("it cannot be started: %1").arg(end.why)};
    case ProcessEnd::How::TooLong: return {{}, tr("it did not end within %1 s").arg(static_cast<double>(m_limit.count()) / 1000)};
    case ProcessEnd::How::TooMuch: return {{}, tr("it printed too much")};
    case ProcessEnd::How::Killed:
    case ProcessEnd::How::Exited: break;
    }
    return pathBetween(end.output, m_mark); // whatever its exit code: the last line of an rc file may have set it
}

void LoginShell::finish(LoginPath path)
{
    m_path = std::move(path);
    m_process.release()->deleteLater();
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &waiter : waiting)
        if (waiter.first)
            waiter.second(*m_path);
}

} // namespace switchyard::kube
