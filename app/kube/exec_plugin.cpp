// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_plugin.h"

#include "app/kube/exec_command.h"

#include <QRegularExpression>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

// Values that the kubeconfig hands over under names of secrets; a program may complain about them word for word.
QList<QByteArray> secretsOf(const ExecConfig &exec)
{
    static const QRegularExpression secret(u"secret|passw|token|credential|key"_s, QRegularExpression::CaseInsensitiveOption);
    QList<QByteArray> secrets;
    for (const auto &[name, value] : exec.env)
        if (secret.match(name).hasMatch())
            secrets.append(value.toUtf8());
    const QString whole = commandLine({}, exec.args, true);
    const QString masked = commandLine({}, exec.args, false);
    for (const QString &arg : exec.args)
        if (whole != masked && !masked.contains(arg))
            secrets.append(arg.mid(arg.indexOf(u'=') + 1).toUtf8());
    return secrets;
}

QString seconds(std::chrono::milliseconds time)
{
    return QString::number(static_cast<double>(time.count()) / 1000);
}

QString howItEnded(const ExecRun &run, const ProcessEnd &end, const ProcessLimits &limits)
{
    const QString &name = run.program;
    switch (end.how) {
    case ProcessEnd::How::NotStarted: return ExecPlugin::tr("the credential program %1 cannot be started: %2").arg(name, end.why);
    case ProcessEnd::How::TooLong:
        return ExecPlugin::tr("the credential program %1 did not end within %2 s and was stopped").arg(name, seconds(limits.time));
    case ProcessEnd::How::TooMuch:
        return ExecPlugin::tr("the credential program %1 printed more than %2 KiB and was stopped").arg(name).arg(limits.output / 1024);
    case ProcessEnd::How::Killed: return ExecPlugin::tr("the credential program %1 was ended by signal %2").arg(name).arg(end.code);
    case ProcessEnd::How::Exited: break;
    }
    return ExecPlugin::tr("the credential program %1 failed with exit code %2").arg(name).arg(end.code);
}

Error failure(const ExecRun &run, const ProcessEnd &end, const QString &message)
{
    const QString words = complaint(end.errors, end.output, secretsOf(run.exec));
    const QString hint = complaint(run.exec.installHint.toUtf8(), {}, {});
    return Error{.kind = ErrorKind::Unauthorized,
                 .field = "exec",
                 .message = (words.isEmpty() ? message : ExecPlugin::tr("%1: %2").arg(message, words)).toStdString(),
                 .advice = (hint.isEmpty() ? ExecPlugin::tr("run it in a terminal, for example with kubectl, to log in; then retry") : hint)
                               .toStdString()};
}

} // namespace

QProcessEnvironment execEnvironment(const ExecRun &run, const QProcessEnvironment &own)
{
    QProcessEnvironment environment = own;
    environment.insert(u"PATH"_s, run.path);
    for (const auto &[name, value] : run.exec.env)
        environment.insert(name, value);
    environment.insert(u"KUBERNETES_EXEC_INFO"_s, QString::fromUtf8(run.info));
    return environment;
}

Result<ExecResult> execAnswer(const ExecRun &run, const ProcessEnd &end, const ProcessLimits &limits)
{
    if (end.how != ProcessEnd::How::Exited || end.code != 0)
        return tl::unexpected(failure(run, end, howItEnded(run, end, limits)));
    Result<ExecResult> result = parseExecCredential(end.output, run.exec.apiVersion);
    if (result)
        return result;
    const QString message = ExecPlugin::tr("the credential program %1: %2")
                                .arg(run.program, QString::fromStdString(result.error().message));
    Error error = failure(run, end, message);
    error.kind = result.error().kind;
    error.field = result.error().field;
    return tl::unexpected(std::move(error));
}

ExecPlugin::ExecPlugin(const ExecRun &run, ProcessLimits limits, Done done, QObject *parent)
    : QObject(parent)
    , m_process(limits, [run, limits, done = std::move(done)](const ProcessEnd &end) { done(execAnswer(run, end, limits)); })
{
    m_process.start(run.program, run.exec.args, execEnvironment(run, QProcessEnvironment::systemEnvironment()));
}

} // namespace switchyard::kube
