// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A cluster "acme" in namespace "db", Endpoints mode, made by hand: objects that change, and observations of them.
#include "models/store/cluster_store.h"

namespace switchyard::test {

using namespace std::chrono_literals;

inline const Instant day = *parseInstant("2031-02-01T06:00:00Z");

class World
{
public:
    explicit World(std::string scopeName = "acme")
        : scope(std::move(scopeName))
    {
        leader = object(Resource::Endpoints, scope);
        leader.annotations = {{"leader", scope + "-0"}, {"ttl", "30"},        {"acquireTime", text(-1h)},
                              {"renewTime", text(0s)},  {"transitions", "3"}, {"optime", "1000"}};
        config = object(Resource::Endpoints, scope + "-config");
        config.annotations = {{"initialize", "7713576556860619536"},
                              {"config", R"({"ttl":30,"loop_wait":10,"retry_timeout":10})"},
                              {"history", R"([[1,900,"x","2031-01-01T00:00:00+00:00","acme-0"]])"}};
        failover = object(Resource::Endpoints, scope + "-failover");
        for (int i = 0; i < 3; ++i) {
            KubeObject pod = object(Resource::Pods, scope + '-' + std::to_string(i));
            pod.pod = PodFacts{};
            pod.pod->phase = "Running";
            pod.labels["role"] = i == 0 ? "primary" : "replica";
            pod.annotations["status"] = status(i == 0 ? "primary" : "replica", "running", 2);
            pods.push_back(pod);
        }
    }

    std::string scope;
    std::int64_t version = 100;
    Duration t = 0s; // since the start
    KubeObject leader, config, failover;
    std::vector<KubeObject> pods;
    ClusterStore store;

    static std::string text(Duration at) { return formatUtc(day + at); }
    static std::string status(const std::string &role, const std::string &state, int timeline, const std::string &more = {})
    {
        return R"({"conn_url":"postgres://h:5432/postgres","api_url":"http://h:8008/patroni","state":")" + state + R"(","role":")" + role
            + R"(","version":"4.0.7","xlog_location":1000,"timeline":)" + std::to_string(timeline)
            + (role == "replica" && state == "running" ? R"(,"replication_state":"streaming")" : "") + more + '}';
    }
    KubeObject object(Resource resource, const std::string &name)
    {
        KubeObject o;
        o.resource = resource;
        o.ns = "db";
        o.name = name;
        o.uid = "uid-" + name;
        o.resourceVersion = std::to_string(++version);
        o.labels = {{"application", "patroni"}, {"cluster-name", scope}};
        return o;
    }

    Now now() const { return {Boot(t), day + t}; }
    patroni::ClusterKey key() const { return store.clusters().empty() ? patroni::ClusterKey{} : store.clusters().front()->names.key; }
    const patroni::Cluster &cluster() const { return *store.clusters().front(); }
    bool any() const { return !store.clusters().empty(); }
    const patroni::RequestReport &request() const { return cluster().requests.back(); }

    StoreChanges observe(Resource resource, decltype(Observation::what) what)
    {
        return store.apply({"ctx", resource, "db", now().boot, now().wall, std::move(what)});
    }
    StoreChanges advance(Duration by)
    {
        t += by;
        return store.advance(now());
    }
    // The stream brings something every other second, though nothing of the leader.
    void flow(Duration time)
    {
        for (Duration passed = 0s; passed < time; passed += 2s) {
            t += 2s;
            change(config);
        }
    }
    StoreChanges listState() { return observe(Resource::Endpoints, Listed{std::to_string(version), stateItems}); }
    StoreChanges listPods() { return observe(Resource::Pods, Listed{std::to_string(version), pods}); }
    // First sight of everything.
    void start()
    {
        stateItems = {leader, config};
        listState();
        listPods();
    }
    // The objects of the state list as they are now.
    StoreChanges relist()
    {
        stateItems = {failover, config, leader}; // the order of a list means nothing
        return listState();
    }
    StoreChanges change(KubeObject &o, EventType type = EventType::Modified)
    {
        o.resourceVersion = std::to_string(++version);
        return observe(o.resource, Changed{type, o});
    }
    StoreChanges renew(Duration later = 10s)
    {
        t += later;
        leader.annotations["renewTime"] = text(t);
        return change(leader);
    }
    StoreChanges release(Duration later = 1s)
    {
        t += later;
        leader.annotations.erase("leader");
        return change(leader);
    }
    StoreChanges take(const std::string &by, Duration later = 1s)
    {
        t += later;
        takeUnseen(by);
        return change(leader);
    }
    void takeUnseen(const std::string &by)
    {
        leader.annotations["leader"] = by;
        leader.annotations["acquireTime"] = leader.annotations["renewTime"] = text(t);
        leader.annotations["transitions"] = std::to_string(std::stoi(leader.annotations["transitions"]) + 1);
    }
    StoreChanges ask(const std::string &from, const std::string &to, const std::string &at = {}, Duration later = 1s)
    {
        t += later;
        setRequest(from, to, at);
        return change(failover);
    }
    void setRequest(const std::string &from, const std::string &to, const std::string &at = {})
    {
        failover.annotations.clear();
        if (!from.empty())
            failover.annotations["leader"] = from;
        if (!to.empty())
            failover.annotations["member"] = to;
        if (!at.empty())
            failover.annotations["scheduled_at"] = at;
    }
    StoreChanges clear(Duration later = 1s)
    {
        t += later;
        failover.annotations.clear();
        return change(failover);
    }
    // What of the last request is held back becomes final: nothing came of it within two renewals.
    const patroni::RequestReport &settled()
    {
        for (int i = 0; i < 3 && request().heldBack; ++i)
            renew();
        return request();
    }
    StoreChanges setConfig(const std::string &json)
    {
        config.annotations["config"] = json;
        return change(config);
    }
    StoreChanges get(std::optional<std::string> resourceVersion)
    {
        return observe(Resource::Endpoints, Confirmed{scope, std::move(resourceVersion), "db"});
    }
    static Error error(ErrorKind kind)
    {
        Error e;
        e.kind = kind;
        e.message = "made";
        return e;
    }
    int count(EventCode type) const
    {
        int n = 0;
        for (const Event &e : store.events())
            n += e.type == type ? 1 : 0;
        return n;
    }

    std::vector<KubeObject> stateItems;
};

inline bool has(const patroni::Verdict &verdict, patroni::HealthReason code)
{
    for (const patroni::Reason &r : verdict.reasons) {
        if (r.code == code)
            return true;
    }
    return false;
}

} // namespace switchyard::test
