// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What the accounts may do: from the API servers to the window and the write flow.
#include "app/clusters/member_prober.h"
#include "app/desktop/desktop.h"
#include "app/desktop/write_flow.h"
#include "views/words_permissions.h"

#include <algorithm>

namespace switchyard::desktop {

namespace {

items::ContextRights rightsOf(const Connection &connection, const Rights &rights)
{
    const kube::ContextConfig &config = connection.config();
    const QString user = config.impersonation.user.isEmpty() ? config.credential.userName : config.impersonation.user;
    return {connection.context(), user, rights.scope(), rights.answers(), rights.account()};
}

} // namespace

void Desktop::wireRights()
{
    m_rights = std::make_unique<RightsBook>(m_monitor.get());
    connect(m_rights.get(), &RightsBook::changed, this, &Desktop::showRights);
    connect(m_flow, &WriteFlow::notPermitted, m_rights.get(), &RightsBook::refused);
    m_flow->setMissingRight([this](const patroni::Cluster &cluster, rules::ActionKind kind, bool byRest) {
        const std::string &context = cluster.names.key.context;
        const Rights *rights = m_rights->of(context);
        const Connection *connection = m_monitor->connection(QString::fromStdString(context));
        const auto missing = rights ? rules::missingToAct(rights->answers(), cluster, kind, byRest, m_monitor->now().boot) : std::nullopt;
        return missing && connection ? views::notPermitted(*missing, views::accountName(rightsOf(*connection, *rights))) : QString();
    });
    m_flow->setAsker([this](const patroni::ClusterKey &key, QObject *context, const MembersTold &told) {
        const QString missing = mayNotAsk(key);
        return missing.isEmpty() ? askMembers(m_monitor.get(), key, context, told) : missing;
    });
    views::MainWindow *window = m_window.get();
    connect(window, &views::MainWindow::relistRequested, m_rights.get(), qOverload<>(&RightsBook::refresh));
    connect(window, &views::MainWindow::clusterOpened, m_rights.get(),
            [this](const patroni::ClusterKey &key) { m_rights->setOpened(key); });
    connect(window, &views::MainWindow::saveRequested, this,
            [this](const QString &file, const QString &text) { saveFile(file, text.toUtf8()); });
}

// Known to be denied: nobody is asked in vain.
QString Desktop::mayNotAsk(const patroni::ClusterKey &key) const
{
    const Rights *rights = m_rights->of(key.context);
    const Connection *connection = m_monitor->connection(QString::fromStdString(key.context));
    const rules::Right right{rules::RightUse::AskMembers, "get", {}, "pods/proxy", key.ns, {}};
    const patroni::Cluster *cluster = m_monitor->store().find(key);
    if (!rights || !connection || !cluster
        || rules::answerForMembers(rights->answers(), right, *cluster).kind != rules::Answer::Kind::Denied)
        return {};
    return views::notPermitted(right, views::accountName(rightsOf(*connection, *rights)));
}

void Desktop::showRights()
{
    std::vector<items::ContextRights> all;
    for (const Connection *connection : m_monitor->connections()) {
        if (const Rights *rights = m_rights->of(connection->context().toStdString()))
            all.push_back(rightsOf(*connection, *rights));
    }
    m_window->setRights(all);
}

// For a picture of the permissions page: everything that is to be asked has been answered.
bool Desktop::rightsAsked()
{
    m_rights->update();
    const auto connections = m_monitor->connections();
    return std::none_of(connections.begin(), connections.end(), [&](const Connection *connection) {
        const Rights *rights = m_rights->of(connection->context().toStdString());
        return !rights || rights->asking();
    });
}

} // namespace switchyard::desktop
