// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One simulated cluster without a server: requests are written into its objects, time moves by hand.
#include "app/simulator/patroni_sim.h"

namespace switchyard::simulator {

inline SimTime rigStart()
{
    using namespace std::chrono;
    return sys_days(2031y / 2 / 3) + 10h;
}

struct Rig
{
    explicit Rig(ClusterPlan plan = {}, unsigned seed = 1)
        : store(seed)
        , sim(named(std::move(plan)), store, rigStart(), seed, 1)
        , kind(sim.plan().endpoints ? Kind::Endpoints : Kind::ConfigMaps)
    {}
    static ClusterPlan named(ClusterPlan plan)
    {
        if (plan.scope.empty())
            plan.scope = "alpha";
        return plan;
    }

    void run(double seconds) { sim.advance(sim.now() + std::chrono::microseconds(static_cast<std::int64_t>(seconds * 1e6))); }

    void write(const std::string &name, const Json &annotations)
    {
        if (store.find(kind, "demo", name))
            store.patch(kind, "demo", name, {{"metadata", {{"annotations", annotations}}}});
        else
            store.create(kind, "demo", {{"metadata", {{"name", name}, {"annotations", annotations}}}}, sim.now());
        sim.objectWritten(kind, name);
    }
    // As the program does: all three keys, null for the unused ones.
    void request(const std::string &leader, const std::string &member, const std::string &scheduledAt = {})
    {
        const auto value = [](const std::string &text) { return text.empty() ? Json(nullptr) : Json(text); };
        write("alpha-failover", {{"leader", value(leader)}, {"member", value(member)}, {"scheduled_at", value(scheduledAt)}});
    }
    void cancel() { request({}, {}); }
    void configure(const std::string &key, const Json &value)
    {
        Json config = Json::parse(store.annotation(kind, "demo", "alpha-config", "config"));
        config.merge_patch({{key, value}});
        write("alpha-config", {{"config", config.dump()}});
    }

    std::string failover(const char *key) const { return store.annotation(kind, "demo", "alpha-failover", key); }
    bool pending() const { return !failover("leader").empty() || !failover("member").empty(); }
    std::string leaderKey(const char *key) const
    {
        return store.annotation(kind, "demo", kind == Kind::Endpoints ? "alpha" : "alpha-leader", key);
    }
    std::string sync(const char *key) const { return store.annotation(kind, "demo", "alpha-sync", key); }
    Json history() const { return Json::parse(store.annotation(kind, "demo", "alpha-config", "history"), nullptr, false); }
    Json status(const std::string &pod) const { return Json::parse(store.annotation(Kind::Pods, "demo", pod, "status"), nullptr, false); }
    std::string label(const std::string &pod) const
    {
        return store.find(Kind::Pods, "demo", pod)->at("metadata").at("labels").value(sim.plan().roleLabel, std::string());
    }
    std::string other(const std::string &than = {}) const // the first member that does not lead
    {
        for (const Member &member : sim.members())
            if (member.name != sim.leader() && member.name != than)
                return member.name;
        return {};
    }
    std::string in(double seconds) const { return isoText(sim.now() + std::chrono::seconds(static_cast<std::int64_t>(seconds))); }

    ObjectStore store;
    PatroniSim sim;
    Kind kind;
};

} // namespace switchyard::simulator
