// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/exec_entry.h"

#include "app/kube/backoff.h"

#include <QDir>
#include <QRandomGenerator>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr Duration longestMargin = std::chrono::minutes(1);
constexpr Duration trusted = std::chrono::minutes(10); // a credential that served that long did not come wrong from the program

QString orElse(const QString &text, const QString &other)
{
    return text.isNull() ? other : text;
}

ExecQuestion question(const ContextConfig &config, const QString &program)
{
    const ExecConfig &exec = *config.credential.exec;
    QStringList environment;
    for (const auto &[name, value] : exec.env)
        environment.append(name + u'=' + value);
    return {.context = config.name,
            .user = config.credential.userName,
            .file = config.file,
            .program = program,
            .commandLine = commandLine(program, exec.args, true),
            .environment = environment,
            .hash = commandHash(program, exec)};
}

} // namespace

ExecEntry::ExecEntry(const ContextConfig &config, ExecShared shared)
    : m_config(config)
    , m_shared(std::move(shared))
{}

ExecEntry::~ExecEntry() = default;

// A time in the past still serves for a moment: the program's clock may differ from ours, and the server is the judge.
bool ExecEntry::serves(Now now) const
{
    if (!m_granted)
        return false;
    const std::optional<Instant> &expires = m_granted->result.expires;
    return !expires || now.wall < *expires || now.boot < m_grantedAt.boot + m_shared.settings.leastUse;
}

bool ExecEntry::expiring(Now now) const
{
    if (!m_granted || !m_granted->result.expires || now.boot < m_grantedAt.boot + m_shared.settings.leastUse)
        return false;
    const Instant expires = *m_granted->result.expires;
    const Duration margin = std::clamp((expires - m_grantedAt.wall) / 10, Duration(0), longestMargin);
    return now.wall >= expires - margin;
}

void ExecEntry::get(QObject *context, Done done)
{
    const auto keep = shared_from_this();
    const Now now = m_shared.settings.clock.now();
    if (serves(now)) {
        const Granted granted = *m_granted;
        if (expiring(now) && mayRun(now))
            start();
        return done(granted);
    }
    if (!m_busy && !mayRun(now))
        return done(tl::unexpected(lastError(now)));
    m_waiting.emplace_back(context, std::move(done));
    start();
}

Error ExecEntry::lastError(Now now) const
{
    Error error = m_error.value_or(Error{.kind = ErrorKind::Unauthorized});
    const double wait = m_notBefore ? toSeconds(*m_notBefore - now.boot) : 0;
    error.retryAfterSeconds = std::max(1, static_cast<int>(wait + 0.999));
    return error;
}

void ExecEntry::refused(quint64 serial)
{
    if (!m_granted || m_granted->serial != serial)
        return;
    const Boot now = m_shared.settings.clock.now().boot;
    if (now - m_grantedAt.boot > trusted)
        m_refusals = 0;
    m_granted.reset();
    m_error = Error{.kind = ErrorKind::Unauthorized,
                    .field = "exec",
                    .message = tr("the server refuses the credential that %1 gave").arg(m_config.credential.exec->command).toStdString(),
                    .advice = tr("log in anew with that program in a terminal, then retry").toStdString()};
    ++m_refusals;
    m_notBefore = m_refusals == 1 ? now : later(m_refusals - 1);
}

void ExecEntry::retryNow()
{
    m_notBefore.reset();
    m_failures = 0;
    m_refusals = 0;
}

Boot ExecEntry::later(int failures) const
{
    const ExecSettings &settings = m_shared.settings;
    const double unit = settings.unit ? settings.unit() : QRandomGenerator::global()->generateDouble();
    return settings.clock.now().boot + backoff(failures, settings.backoffMin, settings.backoffMax, unit);
}

void ExecEntry::start()
{
    if (m_busy)
        return;
    m_busy = true;
    if (const std::optional<Error> defect = execDefect(*m_config.credential.exec))
        return fail(*defect);
    m_shared.shell->path(this, [this](const LoginPath &login) { find(login); });
}

void ExecEntry::find(const LoginPath &login)
{
    const ExecSettings &settings = m_shared.settings;
    const SearchPath path = searchPath(orElse(settings.path, qEnvironmentVariable("PATH")), login, m_shared.shell->shell(),
                                       orElse(settings.home, QDir::homePath()));
    const ExecConfig &exec = *m_config.credential.exec;
    const QString program = findCommand(exec, path);
    if (program.isEmpty())
        return fail(commandNotFound(exec, path));
    ask(program, path);
}

void ExecEntry::ask(const QString &program, const SearchPath &path)
{
    const QPointer<ExecEntry> self(this);
    m_shared.trust->check(question(m_config, program), [self, program, path](bool allowed) {
        if (!self)
            return;
        if (allowed)
            return self->run(program, path);
        const QString line = commandLine(program, self->m_config.credential.exec->args, false);
        self->fail(Error{.kind = ErrorKind::Refused,
                         .field = "exec",
                         .message = tr("this credential program of the kubeconfig was not allowed to run: %1").arg(line).toStdString(),
                         .advice = tr("start once with --trust-exec, or allow it in the window").toStdString()});
    });
}

void ExecEntry::run(const QString &program, const SearchPath &path)
{
    const ExecRun run{.exec = *m_config.credential.exec, .program = program, .path = path.text(), .info = execInfo(m_config)};
    m_plugin = std::make_unique<ExecPlugin>(run, m_shared.settings.limits, [this](const Result<ExecResult> &result) { finish(result); });
}

void ExecEntry::finish(const Result<ExecResult> &result)
{
    m_plugin.release()->deleteLater();
    if (!result) {
        m_notBefore = later(++m_failures);
        return fail(result.error());
    }
    m_failures = 0;
    m_error.reset();
    m_notBefore.reset();
    m_grantedAt = m_shared.settings.clock.now();
    m_granted = Granted{.serial = ++m_serial, .result = *result};
    answer(*m_granted);
}

// What still serves is not taken away by a refresh that failed.
void ExecEntry::fail(Error error)
{
    m_error = std::move(error);
    if (serves(m_shared.settings.clock.now()))
        return answer(*m_granted);
    Error told = *m_error;
    if (m_notBefore)
        told = lastError(m_shared.settings.clock.now());
    answer(tl::unexpected(std::move(told)));
}

void ExecEntry::answer(const Result<Granted> &result)
{
    const auto keep = shared_from_this();
    m_busy = false;
    const auto waiting = std::exchange(m_waiting, {});
    for (const auto &[context, done] : waiting)
        if (context)
            done(result);
}

} // namespace switchyard::kube
