// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/write_flow.h"

#include "app/desktop/config_tools.h"
#include "app/desktop/send_queue.h"
#include "app/desktop/write_words.h"
#include "models/rules/preflight.h"
#include "views/dialogs/choose_dialogs.h"
#include "views/widgets/context_frame.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <algorithm>

namespace switchyard::desktop {

using rules::ActionKind;

WriteFlow::WriteFlow(Monitor *monitor, views::MainWindow *window, QString auditPath, bool readOnly, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_auditPath(std::move(auditPath))
    , m_readOnly(readOnly)
{
    // At once, not with the next repaint: the kubeconfig may lead the context to another server while a confirmation is open.
    connect(monitor, &Monitor::changed, this, &WriteFlow::checkConfirmation);
    m_patience.setSingleShot(true);
    m_patience.setInterval(std::chrono::seconds(1));
    connect(&m_patience, &QTimer::timeout, this, &WriteFlow::showWaiting);
}

Connection *WriteFlow::connectionOf(const patroni::ClusterKey &key) const
{
    return m_monitor->connection(QString::fromStdString(key.context));
}

ContextGuard WriteFlow::guardOf(const patroni::ClusterKey &key) const
{
    return m_guard ? m_guard(QString::fromStdString(key.context)) : ContextGuard{};
}

QString WriteFlow::refusal(const patroni::ClusterKey &key, ActionKind kind, bool byRest) const
{
    const patroni::Cluster *cluster = find(key);
    const views::ActionGate gate{!connectionOf(key), m_readOnly, guardOf(key).readOnly};
    if (!cluster && !m_readOnly)
        return tr("The cluster is not to be seen any more.");
    QString missing = cluster && m_missingRight ? m_missingRight(*cluster, kind, byRest) : QString();
    if (!missing.isEmpty())
        missing = tr("%1. The page Permissions has a Role to ask for.").arg(missing);
    return views::whyNot(cluster, kind, gate, missing);
}

void WriteFlow::refuse(const QString &title, const Error &error)
{
    m_window->showMessage(title, QString::fromStdString(error.message), QString::fromStdString(describe(error)));
}

// Whose cluster it is about, at a glance.
void WriteFlow::frame(QWidget *dialog, const std::string &context) const
{
    const QString name = QString::fromStdString(context);
    (new views::ContextFrame(dialog))->setMark(m_window->markOf(name), name);
}

// One at a time: what is open comes to the front.
bool WriteFlow::busy()
{
    QWidget *open = m_choose ? static_cast<QWidget *>(m_choose) : m_confirm ? static_cast<QWidget *>(m_confirm) : m_waiting;
    if (open) {
        open->show();
        open->raise();
        open->activateWindow();
    } else if (m_queue) {
        m_window->showMessage(tr("Not possible now"), tr("Another write is still waiting for its answer."), {});
    }
    return open || m_queue;
}

bool WriteFlow::begin(const patroni::ClusterKey &key, ActionKind kind)
{
    if (busy())
        return false;
    if (const QString why = refusal(key, kind, false); !why.isEmpty()) {
        m_window->showMessage(tr("Not possible now"), why, {});
        return false;
    }
    m_jobs.clear();
    m_answers.clear();
    return true;
}

void WriteFlow::act(const patroni::ClusterKey &key, ActionKind kind)
{
    choose(key, kind, {}, std::nullopt);
}

void WriteFlow::actOn(const patroni::ClusterKey &key, ActionKind kind, const std::string &member)
{
    choose(key, kind, member, std::nullopt);
}

void WriteFlow::choose(const patroni::ClusterKey &key, ActionKind kind, const std::string &member,
                       const std::optional<rules::ActionWish> &earlier)
{
    if (!begin(key, kind))
        return;
    m_choosing = key;
    m_choose = views::makeChooseDialog(kind, *find(key), m_monitor->now(), m_window, configTools());
    if (!m_choose) {
        rules::ActionWish wish;
        wish.kind = kind;
        planAndConfirm({{key, wish}});
        return;
    }
    if (!member.empty())
        m_choose->preselect(member);
    if (earlier)
        m_choose->setWish(*earlier);
    m_choose->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_choose, &QDialog::accepted, this, [this, key] {
        const rules::ActionWish wish = m_choose->wish();
        m_choose.clear();
        planAndConfirm({{key, wish}});
    });
    frame(m_choose, key.context);
    askMembers(key);
    m_choose->open();
}

// They complete what the objects tell, until it is sent or given up.
void WriteFlow::askMembers(const patroni::ClusterKey &key)
{
    if (!m_asker)
        return;
    delete m_asking;
    m_asking = new QObject(this);
    m_choose->setNotAsked(m_asker(key, m_asking, [this](const rules::LiveAnswers &answers) {
        m_answers = answers;
        if (m_choose)
            m_choose->setAnswers(answers);
    }));
}

void WriteFlow::carryOut(const patroni::ClusterKey &key, const rules::ActionWish &wish)
{
    if (begin(key, wish.kind))
        planAndConfirm({{key, wish}});
}

void WriteFlow::act(const std::vector<patroni::ClusterKey> &keys, ActionKind kind)
{
    if (keys.size() == 1) {
        act(keys.front(), kind);
        return;
    }
    if (keys.empty() || busy())
        return;
    m_answers.clear();
    std::vector<WriteJob> jobs;
    for (const patroni::ClusterKey &key : keys) {
        rules::ActionWish wish;
        wish.kind = kind;
        if (const patroni::Cluster *cluster = find(key); cluster && kind == ActionKind::Reload) {
            for (const patroni::Member &member : cluster->members)
                wish.members.push_back(member.record.name);
        }
        jobs.push_back({key, wish});
    }
    planAndConfirm(std::move(jobs));
}

bool WriteFlow::awaits(const QString &context) const
{
    return m_queue && std::any_of(m_jobs.begin(), m_jobs.end(), [&](const WriteJob &job) {
               return job.leftOut.isEmpty() && QString::fromStdString(job.key.context) == context;
           });
}

void WriteFlow::clusterChanged(const patroni::ClusterKey &key)
{
    const patroni::Cluster *cluster = find(key);
    if (m_choose && key == m_choosing) {
        if (cluster)
            m_choose->setCluster(*cluster, m_monitor->now());
        else
            m_choose->reject();
    }
    checkConfirmation();
    if (cluster && !m_outcomes.empty())
        noteOutcomes(*cluster);
}

// Each write gets its last word in the audit trail.
void WriteFlow::noteOutcomes(const patroni::Cluster &cluster)
{
    for (const Outcome &outcome : m_outcomes.news(cluster, m_monitor->now())) {
        const auto written = actions::AuditLog(m_auditPath)
                                 .writeOutcome(outcome.auditId, m_monitor->now().wall, {outcome.code, outcome.detail});
        if (!written)
            refuse(tr("The outcome could not be added to the audit file"), written.error());
    }
}

void WriteFlow::tick(Now now)
{
    if (!m_choose && !m_confirm && !m_queue)
        delete m_asking; // nobody wants to know any more
    if (m_choose)
        m_choose->tick(now);
    if (m_confirm)
        m_confirm->tick(now);
    if (m_waiting)
        m_waiting->tick(now);
}

} // namespace switchyard::desktop
