// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The second half of the flow: from the plan to the last word.
#include "app/actions/plan.h"
#include "app/desktop/dry_runs.h"
#include "app/desktop/result_words.h"
#include "app/desktop/send_queue.h"
#include "app/desktop/write_flow.h"
#include "app/desktop/write_words.h"
#include "models/rules/preflight.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <algorithm>

namespace switchyard::desktop {

using rules::ActionKind;

namespace {

bool isJudged(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover;
}

// The first thing that Patroni's rules have against it; empty: nothing.
QString firstBlock(const rules::Preflight &preflight)
{
    for (const rules::Finding &finding : preflight.request) {
        if (finding.severity == rules::Severity::Blocks)
            return views::words(finding);
    }
    return preflight.fit ? QString() : WriteFlow::tr("No member can take over; the list of candidates says why.");
}

Error refused(const QString &message)
{
    Error error{ErrorKind::Refused};
    error.message = message.toStdString();
    error.advice = WriteFlow::tr("look at the cluster again and decide anew").toStdString();
    return error;
}

} // namespace

void WriteFlow::plan(WriteJob &job) const
{
    job.writes.clear();
    job.leftOut = refusal(job.key, job.wish.kind, job.wish.byRest);
    if (!job.leftOut.isEmpty())
        return;
    const patroni::Cluster &cluster = *find(job.key);
    std::string preflight;
    if (isJudged(job.wish.kind)) {
        const auto judged = rules::preflight(cluster, job.wish, m_answers, m_monitor->now());
        job.leftOut = firstBlock(judged);
        if (!job.leftOut.isEmpty())
            return;
        preflight = rules::summary(judged);
    }
    auto planned = actions::plan(cluster, job.wish);
    if (!planned) {
        job.leftOut = QString::fromStdString(planned.error().message);
        return;
    }
    job.target = connectionOf(job.key);
    job.writes = std::move(*planned);
    for (actions::PlannedWrite &write : job.writes) {
        write.sender = senderOf(job.target->client()->config());
        write.preflight = preflight;
    }
}

void WriteFlow::planAndConfirm(std::vector<WriteJob> jobs)
{
    for (WriteJob &job : jobs)
        plan(job);
    m_jobs = std::move(jobs);
    const auto possible = std::find_if(m_jobs.begin(), m_jobs.end(), [](const WriteJob &job) { return job.leftOut.isEmpty(); });
    if (possible != m_jobs.end()) {
        confirm();
        return;
    }
    QStringList why;
    for (const WriteJob &job : m_jobs)
        why << (m_jobs.size() == 1 ? job.leftOut : tr("%1: %2").arg(QString::fromStdString(job.key.text()), job.leftOut));
    m_window->showMessage(tr("Not possible now"), why.join(u'\n'), {});
}

void WriteFlow::confirm()
{
    views::ConfirmFacts facts = confirmFacts(m_jobs, {m_monitor->store(), m_answers, m_monitor->now()});
    facts.colour = m_window->markOf(facts.context);
    for (const WriteJob &job : m_jobs) {
        if (job.leftOut.isEmpty() && guardOf(job.key).isProtected)
            facts.typeToConfirm = QString(facts.typeToConfirm + u' ' + QString::fromStdString(job.key.scope)).trimmed();
    }
    m_confirm = new views::ConfirmWriteDialog(facts, m_monitor->now(), m_window);
    m_confirm->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_confirm, &QDialog::accepted, this, [this] {
        m_confirm.clear();
        send();
    });
    tryFirst();
    m_confirm->open();
}

std::vector<QueuedWrite> WriteFlow::queued() const
{
    std::vector<QueuedWrite> writes;
    for (const WriteJob &job : m_jobs) {
        if (!job.leftOut.isEmpty() || !job.target)
            continue;
        actions::Transport transport = actions::transportOf(job.target->client());
        transport.triesSafely = actions::triesSafely(job.target->serverVersion().toStdString());
        for (const actions::PlannedWrite &write : job.writes)
            writes.push_back({write, transport});
    }
    return writes;
}

// The API server is asked whether it would accept this, while the user reads. The answer goes into the audit trail.
void WriteFlow::tryFirst()
{
    m_confirm->setDryRun(views::ConfirmWriteDialog::DryRun::Waiting, tr("Asking the API server whether it would accept this."));
    auto *tries = new DryRuns(m_auditPath, kube::Clock{[monitor = m_monitor] { return monitor->now(); }}, m_confirm);
    tries->setChecks([readOnly = m_readOnly] { return readOnly; },
                     [this](const actions::PlannedWrite &planned) { return lastCheck(planned); });
    connect(tries, &DryRuns::finished, this, [this, tries] {
        const DryRunWords words = dryRunWords(tries->results());
        if (m_confirm)
            m_confirm->setDryRun(words.state, words.text);
        auto result = tries->results().begin();
        for (WriteJob &job : m_jobs) {
            for (actions::PlannedWrite &write : job.writes) {
                if (result == tries->results().end())
                    return;
                if (result->code == actions::DryRunCode::NotPermitted && result->error && result->error->kind == ErrorKind::Forbidden)
                    Q_EMIT notPermitted(job.key.context, *result->error);
                write = (result++)->planned;
            }
        }
    });
    tries->start(queued());
}

void WriteFlow::send()
{
    for (const WriteJob &job : m_jobs) {
        const auto problem = job.leftOut.isEmpty() ? elsewhere(job) : std::nullopt;
        if (problem) {
            refuse(tr("Not written"), *problem);
            return;
        }
        if (job.leftOut.isEmpty())
            m_written.insert(job.key);
    }
    m_queue = new SendQueue(m_auditPath, kube::Clock{[monitor = m_monitor] { return monitor->now(); }}, this);
    m_queue->setChecks([readOnly = m_readOnly] { return readOnly; },
                       [this](const actions::PlannedWrite &planned) { return lastCheck(planned); });
    connect(m_queue, &SendQueue::sending, this, &WriteFlow::sending);
    connect(m_queue, &SendQueue::answered, this, &WriteFlow::answered);
    connect(m_queue, &SendQueue::finished, this, &WriteFlow::sent);
    m_waitingClosed = false;
    m_queue->start(queued());
}

// Shown when an answer takes its time, and for each of several.
void WriteFlow::sending(int index)
{
    const auto count = static_cast<int>(m_queue->writes().size());
    const actions::PlannedWrite &write = m_queue->writes()[static_cast<std::size_t>(index)].planned;
    const QString name = writeName(write);
    const WriteJob *job = jobOf(write.cluster);
    if (const patroni::Cluster *cluster = find(write.cluster); cluster && job)
        m_outcomes.begin(write, job->wish, *cluster, m_monitor->now());
    m_step = count == 1 ? name : tr("%1 of %2: %3").arg(index + 1).arg(count).arg(name);
    if (m_waiting)
        m_waiting->setStep(m_step, index + 1 == count, m_monitor->now());
    else
        m_patience.start();
}

void WriteFlow::showWaiting()
{
    if (!m_queue || m_waiting || m_waitingClosed)
        return;
    const bool last = m_queue->sent() == m_queue->writes().size();
    m_waiting = new views::WaitingDialog(views::words(m_jobs.front().wish.kind), m_monitor->now(), m_window);
    m_waiting->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_waiting, &views::WaitingDialog::stopRequested, m_queue, &SendQueue::stop);
    connect(m_waiting, &QDialog::finished, this, [this] { m_waitingClosed = !m_queue.isNull(); });
    m_waiting->setStep(m_step, last, m_monitor->now());
    frame(m_waiting, m_jobs.front().key.context);
    m_waiting->show();
}

std::optional<Error> WriteFlow::elsewhere(const WriteJob &job) const
{
    Connection *now = connectionOf(job.key);
    if (!now || now != job.target)
        return refused(tr("The context was closed or leads to another server or account since this was asked; nothing was sent."));
    if (job.writes.empty() || job.writes.front().sender != senderOf(now->client()->config()))
        return refused(tr("The server or the account of the context has changed since this was asked; nothing was sent."));
    return std::nullopt;
}

const WriteJob *WriteFlow::jobOf(const patroni::ClusterKey &key) const
{
    const auto found = std::find_if(m_jobs.begin(), m_jobs.end(), [&](const WriteJob &job) { return job.key == key; });
    return found == m_jobs.end() ? nullptr : &*found;
}

// The last look before the bytes leave: on what is known now, not when the dialog was filled in.
std::optional<Error> WriteFlow::lastCheck(const actions::PlannedWrite &planned)
{
    m_monitor->advance();
    const WriteJob *job = jobOf(planned.cluster);
    if (!job)
        return refused(tr("Nobody asked for this; nothing was sent."));
    if (auto problem = elsewhere(*job))
        return problem;
    const patroni::Cluster *cluster = find(planned.cluster);
    if (auto problem = actions::checkStillCurrent(cluster, planned))
        return problem;
    const Now now = m_monitor->now();
    const auto &config = cluster->config ? cluster->config->config : patroni::DynamicConfig{};
    // The object of a leader that lives changes every loop_wait: a longer silence means that we do not look, whatever the state says (the
    // machine slept). Where a lock is known to have run out, silence is what is to be expected.
    const bool silenceSpeaks = cluster->lock.state == patroni::LockState::Held || cluster->lock.state == patroni::LockState::Unverified;
    const bool silent = !cluster->view.lastContact || now.boot - *cluster->view.lastContact > std::chrono::seconds(2 * config.loopWait + 5);
    if (silenceSpeaks && silent)
        return refused(tr("nothing was heard of this cluster for a while; press F5 to list anew, then decide again"));
    return judgeAgain(planned, *job, *cluster);
}

// Rights, guards and Patroni's rules may have changed since the dialog was filled in.
std::optional<Error> WriteFlow::judgeAgain(const actions::PlannedWrite &planned, const WriteJob &job, const patroni::Cluster &cluster) const
{
    if (const QString why = refusal(planned.cluster, planned.action, job.wish.byRest); !why.isEmpty())
        return refused(why);
    if (!isJudged(planned.action))
        return std::nullopt;
    const QString block = firstBlock(rules::preflight(cluster, job.wish, m_answers, m_monitor->now()));
    return block.isEmpty() ? std::nullopt : std::optional(refused(block));
}

void WriteFlow::answered(const actions::WriteResult &result)
{
    if (result.code == actions::WriteCode::NotPermitted && result.error && result.error->kind == ErrorKind::Forbidden)
        Q_EMIT notPermitted(result.planned.cluster.context, *result.error);
    m_outcomes.add(result);
    if (const patroni::Cluster *cluster = find(result.planned.cluster))
        noteOutcomes(*cluster);
}

void WriteFlow::sent()
{
    const auto writes = m_queue->writes();
    const auto results = m_queue->results();
    m_patience.stop();
    if (m_waiting)
        m_waiting->close();
    const bool one = writes.size() == 1 && m_jobs.size() == 1;
    m_queue->deleteLater();
    m_queue.clear();
    if (one && !results.empty())
        tellOne(results.front());
    else
        tellAll(writes, results);
}

void WriteFlow::tellOne(const actions::WriteResult &result)
{
    const patroni::ClusterKey key = result.planned.cluster;
    // Written: the cluster's page follows what comes of it. Anything else is said.
    if (result.code == actions::WriteCode::Done && !result.auditError && !result.planned.member) {
        m_window->openCluster(key, find(key), m_monitor->now());
        m_window->showPage(views::Page::Cluster);
        return;
    }
    const Message message = resultMessage(result);
    QDialog *said = m_window->showMessage(message.title, message.text, message.detail);
    frame(said, key.context);
    if (result.code != actions::WriteCode::Conflict)
        return;
    // Explained first, then asked again on what is there now.
    connect(said, &QDialog::finished, this, [this, key, wish = jobOf(key)->wish] {
        if (refusal(key, wish.kind, wish.byRest).isEmpty())
            choose(key, wish.kind, {}, wish);
    });
}

void WriteFlow::tellAll(const std::vector<QueuedWrite> &writes, const std::vector<actions::WriteResult> &results)
{
    QList<views::ResultLine> lines;
    for (std::size_t i = 0; i < writes.size(); ++i)
        lines << resultLine(writes[i].planned, i < results.size() ? &results[i] : nullptr);
    for (const WriteJob &job : m_jobs) {
        if (!job.leftOut.isEmpty())
            lines << views::ResultLine{views::Tone::Neutral, QString::fromStdString(job.key.text()), tr("left out: %1").arg(job.leftOut)};
    }
    auto *dialog = new views::ResultsDialog(views::words(m_jobs.front().wish.kind), lines, m_window);
    const std::string &context = m_jobs.front().key.context;
    if (std::all_of(m_jobs.begin(), m_jobs.end(), [&](const WriteJob &job) { return job.key.context == context; }))
        frame(dialog, context);
    dialog->show();
}

void WriteFlow::checkConfirmation()
{
    if (!m_confirm)
        return;
    for (const WriteJob &job : m_jobs) {
        if (!job.leftOut.isEmpty())
            continue;
        if (const auto moved = elsewhere(job))
            m_confirm->block(QString::fromStdString(moved->message));
        for (const actions::PlannedWrite &write : job.writes) {
            if (const auto error = actions::checkStillCurrent(find(job.key), write))
                m_confirm->block(QString::fromStdString(error->message));
        }
        const patroni::Cluster *cluster = isJudged(job.wish.kind) ? find(job.key) : nullptr;
        if (cluster) {
            const QString block = firstBlock(rules::preflight(*cluster, job.wish, m_answers, m_monitor->now()));
            if (!block.isEmpty())
                m_confirm->block(block);
        }
    }
}

} // namespace switchyard::desktop
