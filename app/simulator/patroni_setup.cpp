// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// How a simulated cluster looks before its first loop: its objects, and a past that never happened.
#include "app/simulator/patroni_sim.h"

namespace switchyard::simulator {

using namespace std::chrono_literals;

PatroniSim::PatroniSim(const ClusterPlan &plan, ObjectStore &store, SimTime start, unsigned seed, int subnet)
    : m_plan(plan)
    , m_store(store)
    , m_kind(plan.endpoints ? Kind::Endpoints : Kind::ConfigMaps)
    , m_version(parseVersion(plan.version))
    , m_random(seed)
    , m_now(start)
    , m_walAt(start)
    , m_subnet(subnet)
{
    createObjects(start);
}

std::vector<PastTimeline> PatroniSim::makeHistory(SimTime start)
{
    std::vector<PastTimeline> history;
    const int count = m_plan.pastTransitions;
    std::int64_t lsn = 67108864;
    SimTime at = start - std::chrono::hours(24 * 9 * count) - std::chrono::minutes(random(1440));
    std::size_t leader = 0;
    for (int ended = 1; ended <= count; ++ended) {
        lsn += 40000000LL + random(400000000) / 8 * 8LL;
        at += std::chrono::hours(90 + random(120)) + std::chrono::seconds(random(3600)) + std::chrono::microseconds(random(1000000));
        if (m_members.size() > 1)
            leader = (leader + 1 + static_cast<std::size_t>(random(static_cast<int>(m_members.size()) - 1))) % m_members.size();
        while (ended == count && m_members[leader].lag + (m_members[leader].nofailover ? 1 : 0) > 0)
            leader = (leader + 1) % m_members.size();
        history.push_back({ended, lsn / 8 * 8, at, m_members[leader].name});
    }
    return history;
}

void PatroniSim::createPod(Member &member, SimTime created)
{
    Json labels = Json::object();
    for (const auto &[key, value] : m_plan.labels)
        labels[key] = value;
    labels[m_plan.scopeLabel] = m_plan.scope;
    const std::string started = secondsText(created + 12s);
    Json pod;
    pod["metadata"] = {{"name", member.name}, {"creationTimestamp", secondsText(created)}, {"labels", labels}};
    pod["spec"] = {
        {"nodeName", member.node},
        {"restartPolicy", "Always"},
        {"containers",
         Json::array({{{"name", "postgres"},
                       {"image", "postgres:15"},
                       {"ports",
                        Json::array({{{"containerPort", 8008}, {"protocol", "TCP"}}, {{"containerPort", 5432}, {"protocol", "TCP"}}})}}})}};
    pod["status"] = {{"phase", "Running"},
                     {"hostIP", "192.0.2.10"},
                     {"podIP", member.ip},
                     {"podIPs", Json::array({{{"ip", member.ip}}})},
                     {"startTime", secondsText(created)},
                     {"qosClass", "Burstable"},
                     {"conditions", Json::array({{{"type", "Ready"}, {"status", "True"}, {"lastTransitionTime", started}}})},
                     {"containerStatuses",
                      Json::array({{{"name", "postgres"},
                                    {"ready", true},
                                    {"restartCount", 0},
                                    {"image", "postgres:15"},
                                    {"state", {{"running", {{"startedAt", started}}}}}}})}};
    m_store.create(Kind::Pods, m_plan.ns, pod, created);
}

void PatroniSim::createObjects(SimTime start)
{
    const std::string prefix = m_plan.memberPrefix.empty() ? m_plan.scope : m_plan.memberPrefix;
    for (int i = 0; i < m_plan.members; ++i) {
        Member member;
        member.name = prefix + '-' + std::to_string(i);
        member.ip = "10.244." + std::to_string(m_subnet) + '.' + std::to_string(11 + i);
        member.node = "worker-" + std::to_string(1 + (i + m_subnet) % 4);
        member.lag = i == m_plan.laggingMember ? m_plan.lagBytes : 0;
        member.nofailover = i == m_plan.nofailoverMember;
        m_members.push_back(std::move(member));
    }
    const SimTime created = start - std::chrono::hours(24 * 9 * (m_plan.pastTransitions + 1)) - std::chrono::seconds(random(80000));
    const std::vector<PastTimeline> history = makeHistory(start);
    m_wal = (history.empty() ? 67108864 : history.back().lsn) + 8LL * random(9000000);
    m_timeline = m_plan.pastTransitions + 1;
    Member &leader = *find(history.empty() ? m_members.front().name : history.back().newLeader);

    nlohmann::ordered_json config{
        {"ttl", m_plan.ttl},
        {"loop_wait", m_plan.loopWait},
        {"retry_timeout", m_plan.retryTimeout},
        {"maximum_lag_on_failover", 1048576},
        {"postgresql",
         {{"use_pg_rewind", true}, {"use_slots", true}, {"parameters", {{"max_connections", 200}, {"wal_level", "replica"}}}}}};
    if (m_plan.paused)
        config["pause"] = true;
    if (m_plan.synchronous)
        config["synchronous_mode"] = true;
    m_config = config.dump();
    const std::string systemId = "7" + std::to_string(100000000 + random(899999999)) + std::to_string(100000000 + random(899999999));
    Json annotations{{"config", m_config}, {"initialize", systemId}};
    if (!history.empty())
        annotations["history"] = historyText(history);
    m_now = created;
    annotate("-config", annotations);

    for (Member &member : m_members) {
        createPod(member, created + 5s * (&member - m_members.data()));
        member.timeline = m_timeline;
        member.lsn = m_wal - member.lag;
        member.pauseSeen = m_plan.paused;
        member.startedWith = restartSettings();
        member.started = created;
    }
    leader.primary = true;
    leader.role = m_version.major >= 4 ? "primary" : "master";
    const SimTime acquired = history.empty() ? created + 8s : history.back().at - 214503us;
    writeLeader(leader,
                {{"leader", leader.name},
                 {"ttl", std::to_string(m_plan.ttl)},
                 {"acquireTime", isoText(acquired)},
                 {"renewTime", isoText(start - 1s)},
                 {"transitions", std::to_string(m_plan.pastTransitions)},
                 {"optime", std::to_string(m_wal)}},
                true);
    if (m_plan.pastTransitions > 0)
        annotate("-failover", Json::object()); // the empty shell of earlier requests
    if (m_plan.synchronous) {
        keepSync(leader);
        keepSync(leader);
        m_actions.clear();
    }
    m_now = start;
    int order = 1;
    for (Member &member : m_members) {
        touch(member);
        observe(member);
        member.nextLoop = start + (&member == &leader ? Millis(900 + random(1500)) : Millis(3000 + 700 * order++ + random(500)));
    }
}

} // namespace switchyard::simulator
