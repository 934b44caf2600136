// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/health.h"

#include "models/patroni/freshness.h"
#include "models/rules/leader_agreement.h"
#include "models/rules/preflight.h"
#include "models/rules/sync_set.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using namespace patroni;

const DynamicConfig &configOf(const Cluster &cluster)
{
    static const DynamicConfig none;
    return cluster.config ? cluster.config->config : none;
}

bool lockIsGone(const Cluster &cluster)
{
    const LockState s = cluster.lock.state;
    return s == LockState::Absent || s == LockState::Released || s == LockState::Expired;
}

HealthReason goneReason(LockState s)
{
    return s == LockState::Released ? HealthReason::LockReleased
        : s == LockState::Expired   ? HealthReason::LockExpired
                                    : HealthReason::LockAbsent;
}

// Patroni says whether it streams since 3.0.4; a primary, also one that has just lost the lock, does not stream.
bool shouldStream(const Member &member)
{
    const auto role = member.record.role.value_or("");
    if (role == "primary" || role == "master" || role == "promoted" || role == "standby_leader")
        return false;
    if (member.record.replicationState)
        return true;
    const auto since = member.record.version ? compareReleases(*member.record.version, "3.0.4") : std::nullopt;
    return since && *since >= 0;
}

bool followsByArchive(const Member &member)
{
    const auto tag = member.record.tags.find("nostream");
    return tag != member.record.tags.end() && parseBoolean(tag->second).value_or(false);
}

class Judge
{
public:
    Judge(const Cluster &cluster, const HealthClock &clock, Boot now)
        : m_cluster(cluster)
        , m_clock(clock)
        , m_now(now)
        , m_config(configOf(cluster))
    {}

    Verdict run()
    {
        collectUnknown();
        if (!m_unknown.empty())
            return {Health::Unknown, std::move(m_unknown)};
        judgeLock();
        judgeRequestAndSync();
        for (const Member &member : m_cluster.members)
            judgeMember(member);
        judgeCluster();
        return combined();
    }

private:
    void unhealthy(HealthReason code) { m_unhealthy.push_back({code, {}, {}}); }
    void degraded(HealthReason code, std::string subject = {}, std::optional<std::uint64_t> amount = {})
    {
        m_degraded.push_back({code, std::move(subject), amount});
    }
    void collectUnknown();
    void judgeLock();
    void judgeRequestAndSync();
    void judgeMember(const Member &member);
    void judgeCluster();
    Verdict combined();

    const Cluster &m_cluster;
    const HealthClock &m_clock;
    Boot m_now;
    const DynamicConfig &m_config;
    std::vector<Reason> m_unknown, m_unhealthy, m_degraded;
};

void Judge::collectUnknown()
{
    const Freshness f = patroni::freshnessOf(m_cluster);
    if (f == Freshness::Forbidden)
        m_unknown.push_back({HealthReason::ViewForbidden});
    if (f == Freshness::Stale)
        m_unknown.push_back({HealthReason::ViewStale});
    if (f == Freshness::Connecting)
        m_unknown.push_back({HealthReason::Connecting});
    const bool record = m_cluster.leader && m_cluster.leader->hasRecord();
    if (record && !lockIsGone(m_cluster))
        return;
    const auto &config = m_cluster.config;
    if (config && config->hasAnnotations && config->initialize != InitializeState::Done)
        m_unknown.push_back({HealthReason::Initializing});
    else if (!record && !(config && config->hasAnnotations))
        m_unknown.push_back({HealthReason::NothingDecodable});
}

// A lock that has just gone is not yet an outage: that is how every switchover looks.
void Judge::judgeLock()
{
    if (lockIsGone(m_cluster)) {
        const bool tooLong = m_clock.lockGoneSince && m_now - *m_clock.lockGoneSince > std::chrono::seconds(2 * m_config.loopWait);
        if (tooLong)
            unhealthy(goneReason(m_cluster.lock.state));
        else
            degraded(goneReason(m_cluster.lock.state));
    } else if (m_cluster.lock.late) {
        degraded(HealthReason::LateRenewal);
    }
    if (m_clock.holderDownSince) {
        constexpr std::int64_t limit = 1'000'000'000; // a ttl may be as large as its type
        if (m_now - *m_clock.holderDownSince > std::chrono::seconds(std::min(m_cluster.lock.ttl, limit)))
            unhealthy(HealthReason::HolderNotRunning);
    }
}

void Judge::judgeRequestAndSync()
{
    const FailoverRequest *request = m_cluster.seenFailover();
    if (request && request->schedule == FailoverRequest::Schedule::Unparsable)
        unhealthy(HealthReason::UnparsableSchedule);
    if (m_clock.absurd)
        degraded(HealthReason::AbsurdSchedule, std::string(code(*m_clock.absurd)));
    if (m_config.syncMode != SyncMode::Off && syncSetIsEmpty(m_cluster)) {
        if (m_config.syncStrict)
            unhealthy(HealthReason::StrictSyncEmpty);
        else
            degraded(HealthReason::SyncEmpty);
    }
}

void Judge::judgeMember(const Member &member)
{
    const std::string &name = member.record.name;
    const bool leads = name == m_cluster.leaderName;
    if (!member.up)
        degraded(HealthReason::MemberDown, name);
    else if (!leads && shouldStream(member) && member.record.replicationState != "streaming" && !followsByArchive(member))
        degraded(HealthReason::MemberNotStreaming, name);
    if (leads)
        return;
    if (member.oldTimeline)
        degraded(HealthReason::MemberOldTimeline, name);
    if (member.lag && m_config.maximumLagOnFailover && *member.lag > *m_config.maximumLagOnFailover)
        degraded(HealthReason::LagOverLimit, name, member.lag);
}

void Judge::judgeCluster()
{
    if (!anyoneFit(m_cluster, m_now) && m_cluster.view.seesAll(Resource::Pods)) // else there may be one that we do not know
        degraded(HealthReason::NoCandidate);
    if (leaderLabels(m_cluster).size() > 1)
        degraded(HealthReason::TwoLeaderLabels);
    for (const auto &what : leaderDisagreements(m_cluster))
        degraded(HealthReason::LeaderDisagreement, what);
    if (m_config.paused)
        degraded(HealthReason::Paused);
    if (const FailoverRequest *request = m_cluster.seenFailover(); request && request->pending())
        degraded(HealthReason::RequestPending);
    if (m_config.standbyCluster && !m_config.standbySource)
        degraded(HealthReason::StandbySourceUnknown);
}

Verdict Judge::combined()
{
    Verdict result;
    result.health = !m_unhealthy.empty() ? Health::Unhealthy : !m_degraded.empty() ? Health::Degraded : Health::Healthy;
    result.reasons = std::move(m_unhealthy);
    std::move(m_degraded.begin(), m_degraded.end(), std::back_inserter(result.reasons));
    if (m_cluster.lock.state == LockState::Unverified)
        result.reasons.push_back({HealthReason::LockUnverified});
    return result;
}

} // namespace

Verdict verdict(const Cluster &cluster, const HealthClock &clock, Boot now)
{
    return Judge(cluster, clock, now).run();
}

} // namespace switchyard::rules
