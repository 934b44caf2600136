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

bool ExecEntry::servesTo(const Refusals &refusals, Now now) const
{
    return serves(now) && m_granted->serial != refusals.serial;
}

// An answer that another one's run brought is tried at once.
bool ExecEntry::mustWait(const Refusals &refusals, Now now) const
{
    const bool mine = m_granted && m_granted->serial == refusals.serial && refusals.notBefore && now.boot < *refusals.notBefore;
    return mine || !mayRun(now);
}

void ExecEntry::get(QObject *context, const Refusals &refusals, Done done)
{
    const auto keep = shared_from_this();
    const Now now = m_shared.settings.clock.now();
    if (servesTo(refusals, now)) {
        const Granted granted = *m_granted;
        if (expiring(now) && mayRun(now))
            start();
        return done(granted);
    }
    if (!m_busy && mustWait(refusals, now))
        return done(tl::unexpected(lastError(refusals, now)));
    m_waiting.push_back({context, refusals, std::move(done)});
    start();
}

Error ExecEntry::refusal() const
{
    return Error{.kind = ErrorKind::Unauthorized,
                 .field = "exec",
                 .message = tr("the server refuses the credential that %1 gave").arg(m_config.credential.exec->command).toStdString(),
                 .advice = tr("log in anew with that program in a terminal, then retry").toStdString()};
}

Error ExecEntry::lastError(const Refusals &refusals, Now now) const
{
    Error error = m_error.value_or(refusal());
    const Boot next = std::max(m_notBefore.value_or(now.boot), refusals.notBefore.value_or(now.boot));
    error.retryAfterSeconds = std::max(1, static_cast<int>(toSeconds(next - now.boot) + 0.999));
    return error;
}

void ExecEntry::refused(quint64 serial, Refusals &refusals) const
{
    if (!m_granted || m_granted->serial != serial || refusals.serial == serial)
        return;
    const Boot now = m_shared.settings.clock.now().boot;
    if (now - m_grantedAt.boot > trusted)
        refusals.count = 0;
    refusals.serial = serial;
    ++refusals.count;
    refusals.notBefore = refusals.count == 1 ? now : later(refusals.count - 1);
}

void ExecEntry::retryNow()
{
    m_notBefore.reset();
    m_failures = 0;
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
    answer([granted = *m_granted](const Refusals &) { return granted; });
}

// What still serves is not taken away by a refresh that failed.
void ExecEntry::fail(Error error)
{
    m_error = error;
    const Now now = m_shared.settings.clock.now();
    answer([this, now, error = std::move(error)](const Refusals &refusals) -> Result<Granted> {
        if (servesTo(refusals, now))
            return *m_granted;
        return tl::unexpected(m_notBefore ? lastError(refusals, now) : error);
    });
}

// All results are made before the first is told: who is told may ask anew.
void ExecEntry::answer(const std::function<Result<Granted>(const Refusals &)> &resultFor)
{
    const auto keep = shared_from_this();
    m_busy = false;
    std::vector<std::pair<Waiting, Result<Granted>>> told;
    for (Waiting &waiting : std::exchange(m_waiting, {})) {
        Result<Granted> result = resultFor(waiting.refusals);
        told.emplace_back(std::move(waiting), std::move(result));
    }
    for (const auto &[waiting, result] : told)
        if (waiting.context)
            waiting.done(result);
}

} // namespace switchyard::kube
