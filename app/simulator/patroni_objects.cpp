// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What the members of a simulated cluster read from and write to the store.
#include "app/simulator/patroni_sim.h"

#include <algorithm>
#include <sstream>

namespace switchyard::simulator {

std::string PatroniSim::objectName(const char *suffix) const
{
    return m_plan.endpoints && std::string_view(suffix) == "-leader" ? m_plan.scope : m_plan.scope + suffix;
}

std::string PatroniSim::get(const char *suffix, const char *key) const
{
    return m_store.annotation(m_kind, m_plan.ns, objectName(suffix), key);
}

// Creates or patches one of the cluster's objects; every write carries the full label set.
void PatroniSim::annotate(const char *suffix, const Json &annotations)
{
    Json labels = Json::object();
    for (const auto &[key, value] : m_plan.labels)
        labels[key] = value;
    labels[m_plan.scopeLabel] = m_plan.scope;
    const std::string name = objectName(suffix);
    if (m_store.find(m_kind, m_plan.ns, name)) {
        m_store.patch(m_kind, m_plan.ns, name, {{"metadata", {{"annotations", annotations}, {"labels", labels}}}});
        return;
    }
    Json present = Json::object();
    for (const auto &[key, value] : annotations.items())
        if (!value.is_null())
            present[key] = value;
    m_store.create(m_kind, m_plan.ns, {{"metadata", {{"name", name}, {"annotations", present}, {"labels", labels}}}}, m_now);
}

namespace {

bool isTrue(const Json &config, const char *key)
{
    const auto it = config.find(key);
    if (it == config.end())
        return false;
    if (it->is_boolean())
        return it->get<bool>();
    if (it->is_number())
        return it->get<double>() != 0;
    return it->is_string() && (*it == "on" || *it == "true" || *it == "yes" || *it == "1" || *it == "quorum");
}

template<typename T>
T numberOr(const Json &config, const char *key, T fallback)
{
    const auto it = config.find(key);
    return it != config.end() && it->is_number() ? it->get<T>() : fallback;
}

} // namespace

PatroniSim::Settings PatroniSim::settings() const
{
    const Json config = Json::parse(get("-config", "config"), nullptr, false);
    Settings result;
    result.ttl = m_plan.ttl;
    result.loopWait = m_plan.loopWait;
    if (!config.is_object())
        return result;
    result.ttl = std::max(1, numberOr(config, "ttl", m_plan.ttl));
    result.loopWait = std::max(1, numberOr(config, "loop_wait", m_plan.loopWait));
    result.maximumLag = numberOr<std::int64_t>(config, "maximum_lag_on_failover", 1048576);
    result.paused = isTrue(config, "pause");
    result.synchronous = isTrue(config, "synchronous_mode");
    return result;
}

bool PatroniSim::SyncState::has(const std::string &member) const
{
    return std::find(standbys.begin(), standbys.end(), member) != standbys.end();
}

PatroniSim::SyncState PatroniSim::syncState() const
{
    SyncState sync{get("-sync", "leader"), {}};
    std::istringstream names(get("-sync", "sync_standby"));
    for (std::string name; std::getline(names, name, ',');)
        sync.standbys.push_back(name);
    return sync;
}

FailoverRequest PatroniSim::failoverRequest() const
{
    return {get("-failover", "leader"), get("-failover", "member"), get("-failover", "scheduled_at")};
}

std::string PatroniSim::leaderRecord() const
{
    std::string record;
    for (const char *key : {"leader", "acquireTime", "ttl", "renewTime", "transitions"})
        record += get("-leader", key) + '\n';
    return record;
}

Json PatroniSim::subsets(const Member &me) const
{
    const Object pod = m_store.find(Kind::Pods, m_plan.ns, me.name);
    const Json target{{"kind", "Pod"},
                      {"namespace", m_plan.ns},
                      {"name", me.name},
                      {"uid", pod ? pod->at("metadata").at("uid") : Json("")},
                      {"resourceVersion", pod ? pod->at("metadata").at("resourceVersion") : Json("")}};
    return Json::array({{{"addresses", Json::array({{{"ip", me.ip}, {"nodeName", me.node}, {"targetRef", target}}})},
                         {"ports", Json::array({{{"name", "postgresql"}, {"port", 5432}, {"protocol", "TCP"}}})}}});
}

// Leader record and routing change in one write (Endpoints mode).
void PatroniSim::writeLeader(const Member &me, Json annotations, bool routed)
{
    const Object found = m_store.find(m_kind, m_plan.ns, objectName("-leader"));
    if (m_kind != Kind::Endpoints || !found) {
        annotate("-leader", annotations);
        if (m_kind == Kind::Endpoints && routed)
            m_store.patch(m_kind, m_plan.ns, m_plan.scope, {{"subsets", subsets(me)}});
        observeAll();
        return;
    }
    Json patch{{"metadata", {{"annotations", std::move(annotations)}}}};
    const Json old = found->value("subsets", Json::array());
    const bool already = !old.empty() && old[0]["addresses"][0]["ip"] == me.ip;
    if (!routed)
        patch["subsets"] = Json::array();
    else if (!already)
        patch["subsets"] = subsets(me);
    m_store.patch(m_kind, m_plan.ns, m_plan.scope, std::move(patch));
    observeAll();
}

void PatroniSim::observeAll()
{
    for (Member &member : m_members)
        observe(member);
}

void PatroniSim::renew(Member &me)
{
    writeWal();
    Json annotations{{"leader", me.name}, {"renewTime", isoText(m_now)}, {"ttl", std::to_string(settings().ttl)}};
    if (me.primary) {
        annotations["optime"] = std::to_string(m_wal);
        if (m_version.major >= 4) {
            std::vector<std::pair<std::string, std::int64_t>> slots;
            std::vector<std::string> retained;
            for (const Member &member : m_members) {
                slots.emplace_back(slotName(member.name), &member == &me || member.up ? m_wal - member.lag : member.lsn);
                retained.push_back(slotName(member.name));
            }
            annotations["slots"] = slotsText(slots);
            annotations["retain_slots"] = retainSlotsText(retained);
        }
    }
    const bool moved = me.primary && get("-leader", "optime") != std::to_string(m_wal);
    writeLeader(me, std::move(annotations), me.primary);
    if (moved && !me.busy)
        wakeOthers(me, Millis(50)); // a moved optime is an event every member waits for
}

// The leader's care for the sync object; nulled when the mode goes off.
void PatroniSim::keepSync(Member &me)
{
    const SyncState sync = syncState();
    if (!settings().synchronous) {
        if (!sync.leader.empty())
            annotate("-sync", {{"leader", nullptr}, {"sync_standby", nullptr}, {"quorum", nullptr}});
        return;
    }
    const std::string standby = chooseSyncStandby(me, sync);
    const Json value = standby.empty() ? Json(nullptr) : Json(standby);
    if (sync.leader == me.name) {
        if (standby.empty() ? !sync.standbys.empty() : !sync.has(standby))
            annotate("-sync", {{"sync_standby", value}});
    } else if (m_version.major < 4 && me.primary) {
        annotate("-sync", {{"leader", me.name}, {"sync_standby", value}});
    } else { // since 4.0 the leader enters itself first, and a standby once PostgreSQL has confirmed it; before promotion there is none
        Json annotations{{"leader", me.name}, {"sync_standby", nullptr}};
        if (m_version.major >= 4)
            annotations["quorum"] = "0";
        annotate("-sync", annotations);
        if (me.primary)
            after(Millis(2200), me, [this, &me] { keepSync(me); });
    }
}

std::string PatroniSim::chooseSyncStandby(const Member &me, const SyncState &sync) const
{
    const auto fit = [&me](const Member &member) {
        return &member != &me && member.up && !member.crashed && !member.frozen && member.lag == 0;
    };
    for (const std::string &name : sync.standbys)
        if (const Member *current = find(name); current && fit(*current))
            return name;
    const auto next = std::find_if(m_members.begin(), m_members.end(), fit);
    return next == m_members.end() ? std::string() : next->name;
}

void PatroniSim::writeHistory(const Member &me, std::int64_t lsn)
{
    Json history = Json::parse(get("-config", "history"), nullptr, false);
    if (!history.is_array())
        history = Json::array();
    history.push_back(Json::array({m_timeline - 1, lsn, "no recovery target specified", isoText(m_now - Millis(1120)), me.name}));
    annotate("-config", {{"history", history.dump()}});
}

std::string PatroniSim::statusText(const Member &me) const
{
    nlohmann::ordered_json status;
    status["conn_url"] = "postgres://" + me.ip + ":5432/postgres";
    status["api_url"] = "http://" + me.ip + ":8008/patroni";
    status["state"] = me.state;
    status["role"] = me.role;
    status["version"] = m_plan.version;
    const bool standby = me.up && !me.primary && me.state == "running" && me.positionKnown && !me.checkpointPending;
    if (me.positionKnown) {
        status["xlog_location"] = me.lsn;
        if (standby && m_version >= Version{4, 1, 0}) {
            status["replay_lsn"] = me.lsn - me.replayLag;
            status["receive_lsn"] = me.lsn;
        }
        if (standby && m_version >= Version{3, 0, 4} && primaryRuns())
            status["replication_state"] = "streaming";
        status["timeline"] = me.timeline;
    }
    if (me.checkpointPending)
        status["checkpoint_after_promote"] = false;
    if (me.pauseSeen)
        status["pause"] = true;
    if (restartPending(me))
        status["pending_restart"] = true;
    if (!me.scheduledRestart.is_null())
        status["scheduled_restart"] = me.scheduledRestart;
    if (me.nofailover)
        status["tags"] = {{"nofailover", true}};
    return status.dump();
}

// Patches the Pod only when something differs: an idle member is silent.
void PatroniSim::touch(Member &me)
{
    const bool leads = get("-leader", "leader") == me.name;
    const char *leaderLabel = m_version.major >= 4 ? "primary" : "master";
    me.label = !me.up || me.state != "running" ? "" : leads ? leaderLabel : me.primary ? "" : "replica";
    const Json patch{{"metadata",
                      {{"annotations", {{"status", statusText(me)}}},
                       {"labels", {{m_plan.roleLabel, me.label.empty() ? Json(nullptr) : Json(me.label)}}}}}};
    m_store.patch(Kind::Pods, m_plan.ns, me.name, patch);
}

// What the kubelet would report about the container.
void PatroniSim::setReady(const std::string &member, bool ready, int restarts)
{
    const Object pod = m_store.find(Kind::Pods, m_plan.ns, member);
    if (!pod)
        return;
    Json status = pod->at("status");
    const std::string now = secondsText(m_now);
    status["conditions"][0] = {{"type", "Ready"}, {"status", ready ? "True" : "False"}, {"lastTransitionTime", now}};
    Json &container = status["containerStatuses"][0];
    container["ready"] = ready;
    container["restartCount"] = restarts;
    container["state"] = ready ? Json{{"running", {{"startedAt", now}}}}
                               : Json{{"terminated", {{"exitCode", 137}, {"reason", "Error"}, {"finishedAt", now}}}};
    m_store.patch(Kind::Pods, m_plan.ns, member,
                  {{"status", {{"conditions", status["conditions"]}, {"containerStatuses", status["containerStatuses"]}}}});
}

// As the kubelet does.
void PatroniSim::sayEvent(const std::string &member, const std::string &reason, const std::string &message)
{
    const Object pod = m_store.find(Kind::Pods, m_plan.ns, member);
    if (!pod)
        return;
    const std::string now = secondsText(m_now), name = member + '.' + std::to_string(m_now.time_since_epoch().count());
    m_store.create(
        Kind::Events, m_plan.ns,
        {{"metadata", {{"name", name}}},
         {"involvedObject", {{"kind", "Pod"}, {"namespace", m_plan.ns}, {"name", member}, {"uid", pod->at("metadata").at("uid")}}},
         {"reason", reason},
         {"message", message},
         {"type", "Warning"},
         {"source", {{"component", "kubelet"}}},
         {"firstTimestamp", now},
         {"lastTimestamp", now},
         {"count", 1}},
        m_now);
}

} // namespace switchyard::simulator
