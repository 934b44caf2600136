// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/simulator.h"

namespace switchyard::simulator {

namespace {

ClusterPlan cluster(std::string ns, std::string scope)
{
    ClusterPlan plan;
    plan.ns = std::move(ns);
    plan.scope = std::move(scope);
    return plan;
}

// Patroni's defaults, in Endpoints mode.
ClusterPlan acme()
{
    ClusterPlan plan = cluster("payments", "acme");
    plan.pastTransitions = 6;
    plan.walPerSecond = 48000;
    return plan;
}

ClusterPlan ledger()
{
    ClusterPlan plan = cluster("payments", "ledger");
    plan.synchronous = true;
    plan.version = "4.1.0";
    plan.pastTransitions = 3;
    plan.walPerSecond = 9000;
    return plan;
}

// ConfigMap mode with label keys of an operator; the members are named after the cluster, not after the scope.
ClusterPlan orders()
{
    ClusterPlan plan = cluster("orders", "orders-ha");
    plan.endpoints = false;
    plan.memberPrefix = "orders-pg";
    plan.scopeLabel = "postgres-operator.crunchydata.com/patroni";
    plan.roleLabel = "postgres-operator.crunchydata.com/role";
    plan.labels = {{"postgres-operator.crunchydata.com/cluster", "orders"}};
    plan.pastTransitions = 4;
    plan.walPerSecond = 21000;
    return plan;
}

// In maintenance, with a replica that fell far behind.
ClusterPlan warehouse()
{
    ClusterPlan plan = cluster("analytics", "warehouse");
    plan.members = 4;
    plan.paused = true;
    plan.pastTransitions = 8;
    plan.laggingMember = 3;
    plan.lagBytes = 734003200;
    plan.walPerSecond = 180000;
    return plan;
}

ClusterPlan telemetry()
{
    ClusterPlan plan = cluster("analytics", "telemetry");
    plan.endpoints = false;
    plan.pastTransitions = 2;
    plan.nofailoverMember = 2;
    plan.laggingMember = 2;
    plan.lagBytes = 393216;
    plan.walPerSecond = 64000;
    plan.version = "4.0.7";
    return plan;
}

// An old Patroni that still says master.
ClusterPlan identity()
{
    ClusterPlan plan = cluster("platform", "identity");
    plan.labels = {{"application", "spilo"}};
    plan.roleLabel = "spilo-role";
    plan.version = "3.0.2";
    plan.restLimit = RestLimit::Authentication;
    plan.members = 2;
    plan.pastTransitions = 11;
    plan.walPerSecond = 1200;
    return plan;
}

// What operators, poolers, schedulers and kubelets elect beside Patroni: a lock of each type.
std::vector<ElectionPlan> elections()
{
    using Type = ElectionPlan::Type;
    std::vector<ElectionPlan> all{
        {.ns = "operators",
         .name = "postgres-operator",
         .type = Type::Lease,
         .candidates = {"postgres-operator-6d5f7c9b8d-x2x7k", "postgres-operator-6d5f7c9b8d-m4vqz"},
         .transitions = 12,
         .takeoverEvery = std::chrono::seconds(100),
         .pods = true},
        {.ns = "operators",
         .name = "backup-controller",
         .type = Type::ConfigMap,
         .candidates = {"backup-controller-5c9d8b7f66-7hqkd"},
         .transitions = 2,
         .pods = true},
        {.ns = "operators",
         .name = "pooler-controller",
         .type = Type::EndpointsLease,
         .candidates = {"pooler-controller-7f8d9c6b54-tj2ws"},
         .transitions = 7,
         .pods = true},
        {.ns = "operators", .name = "vacuum-planner", .type = Type::Released, .candidates = {""}, .transitions = 4},
        {.ns = "operators",
         .name = "schema-operator-lock",
         .type = Type::ForLife,
         .candidates = {"schema-operator-84d6f7b9c5-k8w2p"},
         .pods = true},
        {.ns = "kube-system",
         .name = "apiserver-5qzv6mxkq7fjhtoz5cdkpqyk3q",
         .type = Type::Identity,
         .candidates = {"apiserver-5qzv6mxkq7fjhtoz5cdkpqyk3q"}},
    };
    for (const char *node : {"worker-1", "worker-2", "worker-3", "worker-4"})
        all.push_back({.ns = "kube-node-lease", .name = node, .type = Type::Heartbeat, .candidates = {node}});
    return all;
}

} // namespace

Plan demoPlan()
{
    Plan plan;
    plan.clusters = {acme(), ledger(), orders(), warehouse(), telemetry(), identity()};
    plan.elections = elections();
    plan.seed = 7;
    return plan;
}

} // namespace switchyard::simulator
