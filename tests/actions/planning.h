// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A cluster that a switchover can be planned on: the made one, with the labels of its Pods.
#include "app/actions/failover_write.h"
#include "tests/support/made_clusters.h"

namespace switchyard::made {

inline patroni::Cluster plannable()
{
    auto c = healthy();
    c.commonMemberLabels = {{"application", "patroni"}, {"cluster-name", "acme"}, {"tier", "db"}};
    return c;
}

inline void addFailover(patroni::Cluster &c, std::map<std::string, std::string> annotations, const std::string &version = "90388")
{
    c.objects["failover"] = object(c.names.failoverName, std::move(annotations));
    c.objects["failover"].resourceVersion = version;
}

inline patroni::Cluster configMaps()
{
    auto c = plannable();
    c.names.mode = patroni::Mode::ConfigMaps;
    c.names.leaderName = "acme-leader";
    c.names.scopeLabel = "db.example.org/scope";
    for (auto &[role, o] : c.objects) {
        o.resource = Resource::ConfigMaps;
        o.labels = {{"app", "pg"}, {"db.example.org/scope", "acme"}, {"helm.sh/chart", "pg-1"}};
    }
    c.commonMemberLabels = {{"app", "pg"}, {"db.example.org/scope", "acme"}, {"role", "x"}};
    return c;
}

inline patroni::Cluster citus()
{
    auto c = plannable();
    c.names.key.group = 2;
    c.names.key.base = "acme-2";
    c.names.failoverName = "acme-2-failover";
    return c;
}

} // namespace switchyard::made
