// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/audit.h"

#include "app/actions/inspect_write.h"
#include "app/actions/plan_parts.h"
#include "models/patroni/mask.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

QByteArray line(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

tl::unexpected<Error> failure(const QString &path, const char *what, int number)
{
    Error error{ErrorKind::Io};
    error.where = path.toStdString();
    error.message = std::string(what) + ": " + std::strerror(number);
    error.advice = "nothing is written to a cluster without a line in the audit file";
    return tl::unexpected(error);
}

// Closes (and with it unlocks) at the end of the scope.
struct Descriptor
{
    int fd = -1;
    explicit Descriptor(int number)
        : fd(number)
    {}
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
};

bool writeAll(int fd, const QByteArray &bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(fd, bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        done += n;
    }
    return true;
}

// A line cut short by a full disk or a crash must not swallow the next one.
bool endsMidLine(int fd, off_t size)
{
    char last = '\n';
    return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

QString osUser()
{
    const passwd *entry = ::getpwuid(::geteuid());
    return entry ? QString::fromLocal8Bit(entry->pw_name) : QString::number(::geteuid());
}

QJsonValue orNull(const std::string &utf8)
{
    return utf8.empty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text(utf8));
}

// "user" is the kubeconfig's user entry: who that is for the server is in the server's own audit.
void addSender(QJsonObject &object, const Sender &sender)
{
    object.insert(u"server"_s, orNull(sender.server));
    object.insert(u"user"_s, orNull(sender.user));
    object.insert(u"as_user"_s, orNull(sender.asUser));
    QJsonArray groups;
    for (const std::string &group : sender.asGroups)
        groups.append(text(group));
    object.insert(u"as_groups"_s, groups);
}

} // namespace

QByteArray intentLine(const QString &id, const QString &user, Instant at, const PlannedWrite &planned)
{
    const kube::Write &write = planned.write;
    QJsonObject object{
        {u"event"_s, u"intent"_s},
        {u"id"_s, id},
        {u"time"_s, text(formatUtc(at))},
        {u"os_user"_s, user},
        {u"context"_s, text(planned.cluster.context)},
        {u"namespace"_s, text(planned.cluster.ns)},
        {u"scope"_s, text(planned.cluster.scope)},
        {u"group"_s, planned.cluster.group ? QJsonValue(*planned.cluster.group) : QJsonValue(QJsonValue::Null)},
        {u"action"_s, text(std::string(code(planned.action)))},
        {u"verb"_s, text(verbText(planned))},
        {u"resource"_s, text(resourceText(planned))},
        {u"path"_s, write.path.proxy ? QJsonValue(write.path.proxy->path) : QJsonValue(QJsonValue::Null)},
        {u"member"_s, orNull(planned.member.value_or(""))},
        {u"name"_s, write.path.name},
        {u"based_on_version"_s, planned.basedOnVersion ? QJsonValue(text(*planned.basedOnVersion)) : QJsonValue(QJsonValue::Null)},
        {u"preflight"_s, orNull(planned.preflight)},
        {u"dry_run"_s, orNull(patroni::maskCredentials(planned.dryRun))},
        {u"summary"_s, text(planned.summary)},
        {u"body"_s, QString::fromUtf8(write.body)},
    };
    addSender(object, planned.sender.value_or(Sender()));
    return line(object);
}

QByteArray answerLine(const QString &id, Instant at, const AuditAnswer &answer)
{
    return line({
        {u"event"_s, u"answer"_s},
        {u"id"_s, id},
        {u"time"_s, text(formatUtc(at))},
        {u"result"_s, text(answer.result)},
        {u"http_status"_s, answer.httpStatus ? QJsonValue(answer.httpStatus) : QJsonValue(QJsonValue::Null)},
        {u"version_after"_s, answer.versionAfter ? QJsonValue(text(*answer.versionAfter)) : QJsonValue(QJsonValue::Null)},
        {u"detail"_s, text(answer.detail)},
    });
}

QByteArray outcomeLine(const QString &id, Instant at, const AuditOutcome &outcome)
{
    return line({
        {u"event"_s, u"outcome"_s},
        {u"id"_s, id},
        {u"time"_s, text(formatUtc(at))},
        {u"outcome"_s, text(outcome.outcome)},
        {u"detail"_s, text(patroni::maskCredentials(outcome.detail))},
    });
}

AuditLog::AuditLog(QString path)
    : m_path(std::move(path))
{}

Result<QString> AuditLog::writeIntent(Instant at, const PlannedWrite &planned) const
{
    QString id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    return append(intentLine(id, osUser(), at, planned)).map([&] { return id; });
}

Result<void> AuditLog::writeAnswer(const QString &id, Instant at, const AuditAnswer &answer) const
{
    return append(answerLine(id, at, answer));
}

Result<void> AuditLog::writeOutcome(const QString &id, Instant at, const AuditOutcome &outcome) const
{
    return append(outcomeLine(id, at, outcome));
}

Result<void> AuditLog::append(const QByteArray &bytes) const
{
    const QString folder = QFileInfo(m_path).absolutePath();
    if (m_path.isEmpty() || !QDir().mkpath(folder))
        return failure(m_path, "cannot make the folder of the audit file", m_path.isEmpty() ? EINVAL : errno);
    const Descriptor file(
        ::open(QFile::encodeName(m_path).constData(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600));
    struct stat info
    {};
    if (file.fd < 0 || ::fstat(file.fd, &info) != 0)
        return failure(m_path, "cannot open the audit file", errno);
    if (!S_ISREG(info.st_mode))
        return failure(m_path, "the audit file is not a regular file", EINVAL);
    if ((info.st_mode & 0777) != 0600 && ::fchmod(file.fd, 0600) != 0)
        return failure(m_path, "cannot make the audit file private", errno);
    if (::flock(file.fd, LOCK_EX) != 0 || ::fstat(file.fd, &info) != 0)
        return failure(m_path, "cannot lock the audit file", errno);
    const QByteArray whole = endsMidLine(file.fd, info.st_size) ? '\n' + bytes : bytes;
    if (!writeAll(file.fd, whole) || ::fsync(file.fd) != 0)
        return failure(m_path, "cannot write the audit file", errno);
    if (info.st_size == 0) { // a new file's name must survive a crash too
        const Descriptor parent(::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (parent.fd < 0 || ::fsync(parent.fd) != 0)
            return failure(m_path, "cannot make the audit file durable", errno);
    }
    return {};
}

} // namespace switchyard::actions
