// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which API server a context leads to, for whoever keeps things longer than a kubeconfig: asked for once a connection is good.
#include "app/archive/records.h"
#include "app/clusters/monitor.h"

namespace switchyard::desktop {

class ArchiveServers : public QObject
{
    Q_OBJECT
public:
    explicit ArchiveServers(Monitor *monitor, QObject *parent = nullptr);
    archive::ServerId of(const std::string &context) const;

Q_SIGNALS:
    void known(const QString &context); // the uid of its namespace kube-system

private:
    void look(const StoreChanges &changes);
    void ask(Connection *connection);

    Monitor *m_monitor;
    struct Server
    {
        archive::ServerId id;
        bool asked = false; // or is being asked
    };
    std::map<std::string, Server> m_servers;
};

// A hash of the CA that it is trusted by, and its address.
std::string serverAlias(const kube::ContextConfig &config);

} // namespace switchyard::desktop
