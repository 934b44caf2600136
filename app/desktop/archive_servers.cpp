// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/archive_servers.h"

#include <QCryptographicHash>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;

std::string serverAlias(const kube::ContextConfig &config)
{
    const QByteArray hash = QCryptographicHash::hash(config.caPem.simplified(), QCryptographicHash::Sha256).toHex().left(16);
    const QString address = QUrl(config.server).toString(QUrl::RemoveUserInfo | QUrl::StripTrailingSlash);
    return "ca:" + (config.caPem.isEmpty() ? std::string("system") : hash.toStdString()) + '@' + address.toStdString();
}

ArchiveServers::ArchiveServers(Monitor *monitor, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
{
    connect(monitor, &Monitor::changed, this, &ArchiveServers::look);
}

archive::ServerId ArchiveServers::of(const std::string &context) const
{
    const auto found = m_servers.find(context);
    if (found != m_servers.end())
        return found->second.id;
    const Connection *connection = m_monitor->connection(QString::fromStdString(context));
    return connection ? archive::ServerId{{}, serverAlias(connection->config())} : archive::ServerId{{}, "context:" + context};
}

void ArchiveServers::look(const StoreChanges &changes)
{
    if (changes.contexts.empty())
        return;
    for (const ContextState &state : m_monitor->store().contexts()) {
        Connection *connection = m_monitor->connection(QString::fromStdString(state.context));
        if (!connection)
            continue;
        Server &server = m_servers[state.context];
        const std::string alias = serverAlias(connection->config());
        if (server.id.alias != alias) // another server under the same name
            server = Server{{{}, alias}, false};
        if (state.freshness == patroni::Freshness::Live && !std::exchange(server.asked, true))
            ask(connection);
    }
}

// Who may not read the namespace has only the alias. No answer: with the next change of the context.
void ArchiveServers::ask(Connection *connection)
{
    const QString context = connection->context();
    const std::string alias = serverAlias(connection->config());
    connection->client()->getRaw(u"/api/v1/namespaces/kube-system"_s, this, [this, context, alias](const kube::Response &response) {
        const auto server = m_servers.find(context.toStdString());
        if (server == m_servers.end() || server->second.id.alias != alias)
            return;
        if (response.status == 0 || response.status >= 500)
            server->second.asked = false;
        if (!response.ok())
            return;
        const QString uid = QJsonDocument::fromJson(response.body).object().value("metadata"_L1).toObject().value("uid"_L1).toString();
        server->second.id.uid = uid.left(64).toStdString();
        if (!uid.isEmpty())
            Q_EMIT known(context);
    });
}

} // namespace switchyard::desktop
