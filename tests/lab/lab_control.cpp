// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lab/lab_control.h"

#include <QEventLoop>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QProcess>
#include <QTimer>

namespace switchyard::lab {

using namespace Qt::StringLiterals;

CommandResult run(const QStringList &arguments)
{
    QProcess process;
    QEventLoop loop;
    QObject::connect(&process, &QProcess::finished, &loop, &QEventLoop::quit);
    QObject::connect(&process, &QProcess::errorOccurred, &loop, &QEventLoop::quit);
    QTimer::singleShot(std::chrono::minutes(2), &loop, [&process] { process.kill(); });
    process.start(qEnvironmentVariable("LAB"), arguments);
    if (process.state() != QProcess::NotRunning)
        loop.exec();
    CommandResult result{process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
    if (process.exitStatus() != QProcess::NormalExit || process.error() == QProcess::FailedToStart)
        result.exitCode = -1;
    if (result.exitCode != 0)
        qWarning("lab %s ended with %d: %s", qPrintable(arguments.join(u' ')), result.exitCode, result.err.constData());
    return result;
}

QString kubeconfig(const QString &user)
{
    return QString::fromUtf8(run({u"kubeconfig"_s, user}).out).trimmed();
}

static QJsonArray patronictl(const QString &cluster, const QString &scope, const QString &command)
{
    const CommandResult result = run({u"patronictl"_s, cluster, command, scope, u"-f"_s, u"json"_s});
    return QJsonDocument::fromJson(result.out).array();
}

static QString text(const QJsonValue &value)
{
    if (value.isUndefined() || value.isNull())
        return u"-"_s;
    return value.isDouble() ? QString::number(value.toInteger()) : value.toString();
}

QStringList patroniMembers(const QString &cluster, const QString &scope)
{
    QStringList lines;
    const QJsonArray rows = patronictl(cluster, scope, u"list"_s);
    for (const QJsonValue value : rows) {
        const QJsonObject row = value.toObject();
        lines << u"%1 | %2 | %3 | TL %4 | lag %5"_s.arg(text(row["Member"_L1]), text(row["Role"_L1]), text(row["State"_L1]),
                                                        text(row["TL"_L1]), text(row["Lag in MB"_L1]));
    }
    lines.sort();
    return lines;
}

QStringList patroniHistory(const QString &cluster, const QString &scope)
{
    QStringList lines;
    const QJsonArray rows = patronictl(cluster, scope, u"history"_s);
    for (const QJsonValue value : rows) {
        const QJsonObject row = value.toObject();
        lines << u"%1 | %2 | %3 | %4 | %5"_s.arg(text(row["TL"_L1]), text(row["LSN"_L1]), text(row["Reason"_L1]), text(row["Timestamp"_L1]),
                                                 text(row["New Leader"_L1]));
    }
    return lines;
}

bool isVersion3()
{
    return qEnvironmentVariable("LAB_VERSION", u"3"_s) == u"3"_s;
}

int loopWaitSeconds()
{
    return qEnvironmentVariable("LAB_LOOP_WAIT", u"10"_s).toInt();
}

int ttlSeconds()
{
    return qEnvironmentVariable("LAB_TTL", u"30"_s).toInt();
}

} // namespace switchyard::lab
