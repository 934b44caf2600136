// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A cluster with nothing wrong: acme-1 leads, acme-0 and acme-2 stream. Tests spoil it.
#include "models/patroni/cluster.h"

namespace switchyard::patroni {

inline Member healthyMember(const std::string &name, bool leads)
{
    Member m;
    m.record.name = name;
    m.record.reported = true;
    m.record.state = "running";
    m.record.role = leads ? "primary" : "replica";
    m.record.roleLabel = m.record.role;
    m.record.version = "4.1.4";
    m.record.apiUrl = "http://10.9.0.1:8008/patroni";
    m.record.pod.phase = "Running";
    m.record.pod.podIp = "10.9.0.1" + name.substr(name.size() - 1);
    m.role = leads ? Role::Leader : Role::Replica;
    m.up = true;
    if (!leads) {
        m.record.replicationState = "streaming";
        m.lag = 0;
    }
    return m;
}

inline Cluster healthyCluster()
{
    Cluster c;
    c.view.freshness = Freshness::Live;
    c.names.mode = Mode::Endpoints;
    c.config.emplace();
    c.config->initialize = InitializeState::Done;
    c.config->hasAnnotations = true;
    c.config->config.present = true;
    c.leader.emplace();
    c.leader->leader = "acme-1";
    c.leader->ttlRaw = "30";
    c.leader->addresses = std::vector<EndpointAddress>{{"10.9.0.11", "acme-1"}};
    c.lock.state = LockState::Held;
    c.lock.holder = "acme-1";
    c.leaderName = "acme-1";
    c.members = {healthyMember("acme-1", true), healthyMember("acme-0", false), healthyMember("acme-2", false)};
    return c;
}

inline Member &member(Cluster &cluster, const std::string &name)
{
    for (Member &m : cluster.members) {
        if (m.record.name == name)
            return m;
    }
    return cluster.members.front();
}

} // namespace switchyard::patroni
