// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/write_flow.h"

#include "app/desktop/write_words.h"
#include "models/rules/preflight.h"
#include "views/words.h"

#include <algorithm>

namespace switchyard::desktop {

WriteFlow::WriteFlow(Monitor *monitor, views::MainWindow *window, QString auditPath, bool readOnly, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
    , m_window(window)
    , m_auditPath(std::move(auditPath))
    , m_readOnly(readOnly)
{
    // At once, not with the next repaint: the kubeconfig may lead the context to another server while a confirmation is open.
    connect(monitor, &Monitor::changed, this, &WriteFlow::checkConfirmation);
}

const patroni::Cluster *WriteFlow::current() const
{
    return m_monitor->store().find(m_key);
}

QString WriteFlow::refusal(const patroni::ClusterKey &key) const
{
    const patroni::Cluster *cluster = m_monitor->store().find(key);
    if (m_readOnly)
        return tr("Switchyard was started with --read-only: nothing is written.");
    if (!cluster)
        return tr("The cluster is not to be seen any more.");
    const auto bar = patroni::writeBar(*cluster);
    if (bar == patroni::WriteBar::LockStale)
        return tr("The lock of this cluster is out of sight, so nothing is written. Wait until the connection is back, or press F5 to list "
                  "anew.");
    if (bar)
        return tr("What is shown of this cluster is %1, so nothing is written. Wait until the connection is back, or press F5 to list "
                  "anew.")
            .arg(views::words(cluster->view.freshness));
    if (!m_monitor->connection(QString::fromStdString(key.context)))
        return tr("This is a recording, not a cluster: nothing can be written to it.");
    return missingRight(*cluster);
}

QString WriteFlow::missingRight(const patroni::Cluster &cluster) const
{
    const QString missing = m_missingRight ? m_missingRight(cluster) : QString();
    return missing.isEmpty() ? QString() : tr("%1. The page Permissions has a Role to ask for.").arg(missing);
}

bool WriteFlow::begin(const patroni::ClusterKey &key)
{
    if (m_choose || m_confirm || m_writer) {
        QWidget *open = m_choose ? static_cast<QWidget *>(m_choose) : static_cast<QWidget *>(m_confirm);
        if (open) {
            open->raise();
            open->activateWindow();
        } else {
            m_window->showMessage(tr("Not possible now"), tr("Another write is still waiting for its answer."), {});
        }
        return false;
    }
    if (const QString why = refusal(key); !why.isEmpty()) {
        m_window->showMessage(tr("Not possible now"), why, {});
        return false;
    }
    m_key = key;
    m_wish.reset();
    m_planned.reset();
    return true;
}

void WriteFlow::switchover(const patroni::ClusterKey &key)
{
    if (!begin(key))
        return;
    m_choose = new views::SwitchoverDialog(*current(), m_monitor->now(), m_window);
    m_choose->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_choose, &QDialog::accepted, this, [this] {
        const rules::ActionWish wish = m_choose->wish();
        m_choose.clear();
        planAndConfirm(wish);
    });
    m_choose->open();
}

void WriteFlow::cancelRequest(const patroni::ClusterKey &key)
{
    if (!begin(key))
        return;
    confirm(actions::planCancel(*current()), std::nullopt);
}

void WriteFlow::planAndConfirm(const rules::ActionWish &wish)
{
    if (const QString why = refusal(m_key); !why.isEmpty()) {
        m_window->showMessage(tr("Not possible now"), why, {});
        return;
    }
    const auto problems = rules::preflight(*current(), wish, {}, m_monitor->now()).request;
    const auto blocking = std::find_if(problems.begin(), problems.end(),
                                       [](const auto &p) { return p.severity == rules::Severity::Blocks; });
    if (blocking != problems.end()) {
        m_window->showMessage(tr("Not possible now"), views::words(*blocking), {});
        return;
    }
    confirm(actions::planSwitchover(*current(), wish), wish);
}

void WriteFlow::confirm(const Result<actions::PlannedWrite> &planned, const std::optional<rules::ActionWish> &wish)
{
    if (!planned) {
        m_window->showMessage(tr("Not written"), QString::fromStdString(planned.error().message),
                              QString::fromStdString(describe(planned.error())));
        return;
    }
    Connection *connection = m_monitor->connection(QString::fromStdString(m_key.context));
    if (!connection) {
        m_window->showMessage(tr("Not written"), tr("The context was closed meanwhile; nothing was sent."), {});
        return;
    }
    m_planned = *planned;
    m_planned->sender = senderOf(connection->client()->config());
    m_wish = wish;
    m_target = connection;
    const QString path = connection->client()->url(planned->write.path).path();
    views::ConfirmFacts facts = confirmFacts(*current(), *m_planned, wish, path, m_monitor->now());
    facts.colour = m_window->markOf(facts.context);
    m_confirm = new views::ConfirmWriteDialog(facts, m_monitor->now(), m_window);
    m_confirm->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_confirm, &QDialog::accepted, this, [this] {
        m_confirm.clear();
        send(*m_planned);
    });
    m_confirm->open();
}

void WriteFlow::send(const actions::PlannedWrite &planned)
{
    if (const auto problem = elsewhere()) {
        m_window->showMessage(tr("Not written"), QString::fromStdString(problem->message), QString::fromStdString(describe(*problem)));
        return;
    }
    m_written.insert(m_key);
    m_writer = new actions::FailoverWriter(actions::transportOf(m_target->client()), actions::AuditLog(m_auditPath),
                                           kube::Clock{[monitor = m_monitor] { return monitor->now(); }}, this);
    m_writer->setReadOnly([readOnly = m_readOnly] { return readOnly; });
    m_writer->setFreshness([this](const actions::PlannedWrite &p) { return lastCheck(p); });
    connect(m_writer, &actions::FailoverWriter::finished, this, [this](const actions::WriteResult &result) {
        m_writer->deleteLater();
        m_writer.clear();
        tell(result);
    });
    m_writer->send(planned);
}

std::optional<Error> WriteFlow::elsewhere() const
{
    Error refused{ErrorKind::Refused};
    refused.advice = tr("look at the cluster again and decide anew").toStdString();
    Connection *now = m_monitor->connection(QString::fromStdString(m_key.context));
    if (!now || now != m_target)
        refused.message = tr("The context was closed or leads to another server or account since this was asked; nothing was sent.")
                              .toStdString();
    else if (!m_planned || m_planned->sender != senderOf(now->client()->config()))
        refused.message = tr("The server or the account of the context has changed since this was asked; nothing was sent.").toStdString();
    return refused.message.empty() ? std::nullopt : std::optional(refused);
}

// The last look before the bytes leave: on what is known now, not when the dialog was filled in.
std::optional<Error> WriteFlow::lastCheck(const actions::PlannedWrite &planned)
{
    m_monitor->advance();
    if (auto problem = elsewhere())
        return problem;
    const patroni::Cluster *cluster = m_monitor->store().find(planned.cluster);
    if (auto problem = actions::checkStillCurrent(cluster, planned))
        return problem;
    Error refused{ErrorKind::Refused};
    const Now now = m_monitor->now();
    const auto &config = cluster->config ? cluster->config->config : patroni::DynamicConfig{};
    // The leader object changes every loop_wait: a longer silence means that we do not look, whatever the state says (the machine slept).
    if (!cluster->view.lastContact || now.boot - *cluster->view.lastContact > std::chrono::seconds(2 * config.loopWait + 5)) {
        refused.message = "nothing was heard of this cluster for a while; press F5 to list anew, then decide again";
        return refused;
    }
    if (const QString missing = missingRight(*cluster); !missing.isEmpty()) {
        refused.message = missing.toStdString();
        return refused;
    }
    if (!m_wish)
        return std::nullopt;
    for (const rules::Finding &problem : rules::preflight(*cluster, *m_wish, {}, now).request) {
        if (problem.severity == rules::Severity::Blocks) {
            refused.message = views::words(problem).toStdString();
            return refused;
        }
    }
    return std::nullopt;
}

void WriteFlow::tell(const actions::WriteResult &result)
{
    using actions::WriteCode;
    if (result.code == WriteCode::NotPermitted && result.error && result.error->kind == ErrorKind::Forbidden)
        Q_EMIT notPermitted(m_key.context, *result.error);
    // Written: the cluster's page follows what comes of it. Anything else is said.
    if (result.code == WriteCode::Done && !result.auditError) {
        m_window->openCluster(m_key, current(), m_monitor->now());
        m_window->showPage(views::Page::Cluster);
        return;
    }
    const Message message = resultMessage(result);
    QDialog *said = m_window->showMessage(message.title, message.text, message.detail);
    if (result.code != WriteCode::Conflict)
        return;
    // Explained first, then asked again on what is there now.
    connect(said, &QDialog::finished, this, [this, key = m_key, again = m_wish.has_value()] {
        const patroni::Cluster *cluster = m_monitor->store().find(key);
        if (again)
            switchover(key);
        else if (cluster && cluster->failover && cluster->failover->pending())
            cancelRequest(key);
    });
}

void WriteFlow::clusterChanged(const patroni::ClusterKey &key)
{
    if (key != m_key)
        return;
    const patroni::Cluster *cluster = current();
    if (m_choose && cluster)
        m_choose->setCluster(*cluster, m_monitor->now());
    else if (m_choose)
        m_choose->reject();
    checkConfirmation();
}

void WriteFlow::checkConfirmation()
{
    if (!m_confirm || !m_planned)
        return;
    if (const auto moved = elsewhere())
        m_confirm->block(QString::fromStdString(moved->message));
    else if (const auto error = actions::checkStillCurrent(current(), *m_planned))
        m_confirm->block(QString::fromStdString(error->message));
}

void WriteFlow::tick(Now now)
{
    if (m_choose)
        m_choose->tick(now);
    if (m_confirm)
        m_confirm->tick(now);
}

} // namespace switchyard::desktop
