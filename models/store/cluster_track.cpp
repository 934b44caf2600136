// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/cluster_track.h"

#include "models/rules/members.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

std::string_view code(Part p)
{
    switch (p) {
    case Part::Config: return "config";
    case Part::Leader: return "leader";
    case Part::Sync: return "sync";
    case Part::Failover: return "failover";
    case Part::Stray: return "stray";
    }
    return "unknown";
}

ClusterTrack::ClusterTrack(const ClusterNames &names)
    : m_announce(names.key)
    , m_log(names.key)
{
    setNames(names);
}

void ClusterTrack::setNames(const ClusterNames &names)
{
    m_cluster.names = names;
    m_everMembers.insert(names.memberNames.begin(), names.memberNames.end());
    // By which label Patroni looks may be found out late.
    if (const auto it = m_cluster.objects.find("failover"); it != m_cluster.objects.end()) {
        m_cluster.failoverUnseen = !seenByPatroni(it->second);
        m_requests.setSeen(!m_cluster.failoverUnseen);
    }
}

void ClusterTrack::remember(const Memory &memory)
{
    m_log = memory.log;
    m_history = memory.history;
    m_systemId = memory.systemId;
    m_historySeen = memory.historySeen;
    m_watchedSince = memory.watchedSince;
    m_logDirty = true;
}

void ClusterTrack::setView(const ViewState &view, bool ownStale, bool apiSilent)
{
    m_apiSilent = apiSilent;
    m_cluster.view = view;
    m_lock.setViewStale(ownStale);
}

const DynamicConfig &ClusterTrack::config() const
{
    static const DynamicConfig none;
    return m_cluster.config ? m_cluster.config->config : none;
}

// By the stored history; a standby cluster writes none, there the leader's own word counts.
std::optional<std::int64_t> ClusterTrack::timelineNow() const
{
    if (!m_cluster.config || !m_cluster.config->hasAnnotations)
        return std::nullopt;
    if (!m_cluster.standby())
        return m_cluster.config->history.currentTimeline;
    const auto holder = m_lock.holder();
    const auto it = holder ? m_members.find(*holder) : m_members.end();
    return it == m_members.end() ? std::nullopt : it->second.pod.record.timeline;
}

RequestScene ClusterTrack::scene() const
{
    RequestScene scene;
    scene.holder = m_lock.holder();
    scene.lastHolder = m_lock.lastHolder();
    if (m_cluster.config && m_cluster.config->hasAnnotations && !m_cluster.standby())
        scene.timeline = m_cluster.config->history.currentTimeline;
    scene.config = config();
    scene.sync = m_cluster.sync;
    scene.optime = m_cluster.leader ? m_cluster.leader->optime : std::nullopt;
    if (m_lock.seen().changedNotAfter == m_lock.seen().changedNotBefore)
        scene.renewedAt = m_lock.seen().changedNotAfter;
    return scene;
}

void ClusterTrack::advance(const Now &now)
{
    while (const auto next = deadline()) {
        if (*next > now.boot)
            break;
        m_now = {*next, now.toWall(*next)};
        if (!m_lock.seen().viewStale) {
            m_requests.advance(m_now);
            m_strayRequests.advance(m_now);
        }
        sayLock();
        refreshHealthClock();
    }
    if (now.boot > m_now.boot || m_now == Now{})
        m_now = now;
}

std::optional<Boot> ClusterTrack::deadline() const
{
    std::optional<Boot> next;
    const auto consider = [&](std::optional<Boot> t) {
        if (t && *t > m_now.boot && (!next || *t < *next))
            next = t;
    };
    const DynamicConfig &c = config();
    consider(rules::lockDeadline(m_lock.seen(), c, m_now.boot));
    if (!m_lock.seen().viewStale) {
        consider(m_requests.deadline(m_now.boot));
        consider(m_strayRequests.deadline(m_now.boot));
    }
    if (m_health.lockGoneSince)
        consider(*m_health.lockGoneSince + seconds(2 * c.loopWait) + Duration(1));
    if (m_health.holderDownSince)
        consider(*m_health.holderDownSince + seconds(std::clamp<std::int64_t>(m_cluster.lock.ttl, 0, 1'000'000'000)) + Duration(1));
    consider(LateLocks::nextSight(ranOutAt(), m_now.boot));
    if (const auto change = rules::absurdityChanges(m_cluster, m_now.wall))
        consider(m_now.boot + *change);
    return next;
}

std::optional<Boot> ClusterTrack::ranOutAt() const
{
    return m_cluster.lock.state == LockState::Expired ? m_cluster.lock.expiresAt : std::nullopt;
}

LateLocks::Sight ClusterTrack::lateSight() const
{
    const LockView &lock = m_cluster.lock;
    const bool expired = lock.state == LockState::Expired;
    const bool held = lock.state == LockState::Held || lock.state == LockState::Unverified || expired;
    return LateLocks::sight(held, lock.late || expired, ranOutAt(), m_now.boot);
}

// Events caused by nothing happening: once an episode.
void ClusterTrack::sayLock()
{
    const LockView view = rules::lockView(m_lock.seen(), config(), m_now.boot);
    const Subject subject = subjectOf(Part::Leader);
    // Said when it is proven, so that events stay in the order of time.
    const Boot proven = std::max(m_now.boot, view.confirmedAt.value_or(m_now.boot));
    Moment moment;
    moment.seen = {proven, m_now.toWall(proven)};
    if (const auto it = m_cluster.objects.find("leader"); it != m_cluster.objects.end())
        moment.version = it->second.resourceVersion;
    if (m_lock.sayLate(view)) {
        const auto age = proven - view.changedNotAfter.value_or(view.firstSeen.value_or(proven)); // at least
        m_announce.say(
            EventCode::LockLate, moment, subject,
            {{"holder", view.holder.value_or("")}, {"seconds", std::to_string(std::chrono::duration_cast<seconds>(age).count())}});
        touch(moment);
    }
    if (m_lock.sayExpired(view)) {
        EventDetail detail{{"holder", view.holder.value_or("")}, {"ttl", std::to_string(view.ttl)}};
        if (view.expiresAt)
            detail["expired_at"] = formatUtc(m_now.toWall(*view.expiresAt));
        m_announce.say(EventCode::LockExpired, moment, subject, detail);
        touch(moment);
    }
    m_cluster.lock = view;
}

void ClusterTrack::saySchedule()
{
    const auto news = m_schedule.judge(m_cluster, m_now);
    if (!news)
        return;
    Moment moment;
    moment.seen = m_now;
    if (const auto it = m_cluster.objects.find("failover"); it != m_cluster.objects.end())
        moment.version = it->second.resourceVersion;
    EventDetail detail = requestDetail(*m_cluster.failover);
    if (!news->rules.empty())
        detail["rules"] = news->rules;
    m_announce.say(news->possible ? EventCode::SchedulePossible : EventCode::ScheduleImpossible, moment, subjectOf(Part::Failover),
                   std::move(detail), std::to_string(news->turn));
    touch(moment);
}

void ClusterTrack::refreshHealthClock()
{
    const LockState state = m_cluster.lock.state;
    const bool gone = state == LockState::Released || state == LockState::Absent || state == LockState::Expired;
    if (!gone)
        m_health.lockGoneSince.reset();
    else if (!m_health.lockGoneSince)
        m_health.lockGoneSince = m_now.boot;
    static const std::set<std::string> leading{"primary", "master", "standby_leader", "promoted"};
    bool down = false;
    if (state == LockState::Held || state == LockState::Unverified) {
        const auto it = m_members.find(m_cluster.lock.holder.value_or(""));
        const MemberRecord *record = it == m_members.end() ? nullptr : &it->second.pod.record;
        down = record && record->reported
            && (!it->second.pod.fact.podRuns || record->state != "running" || !leading.contains(record->role.value_or("")));
    }
    if (!down)
        m_health.holderDownSince.reset();
    else if (!m_health.holderDownSince)
        m_health.holderDownSince = m_now.boot;
    m_health.absurd = m_cluster.failoverUnseen ? std::nullopt : rules::absurdSchedule(m_cluster, m_now.wall);
}

// Those shown last go on while the Pods are as they were: at a renewal only positions move.
std::vector<MemberRecord> ClusterTrack::takeRecords()
{
    std::vector<MemberRecord> records;
    records.reserve(m_members.size());
    if (!std::exchange(m_podsMoved, false)) {
        for (Member &member : m_cluster.members)
            records.push_back(std::move(member.record));
        return records;
    }
    for (const auto &[name, member] : m_members) {
        records.push_back(member.pod.record);
        if (const auto it = m_roleLabel ? member.pod.labels.find(*m_roleLabel) : member.pod.labels.end(); it != member.pod.labels.end())
            records.back().roleLabel = it->second;
    }
    return records;
}

void ClusterTrack::refreshMembers()
{
    m_cluster.members = rules::memberViews(takeRecords(), m_cluster);
    for (Member &member : m_cluster.members) {
        const auto it = m_members.find(member.record.name);
        if (it == m_members.end())
            continue;
        member.statusChangedAt = it->second.statusChangedAt;
        member.statusSeenAt = it->second.statusSeenAt;
        judgeSilence(it->first, it->second);
    }
}

// In the order of their writing; the pending one of the object that counts is last.
std::vector<RequestReport> ClusterTrack::allRequests() const
{
    std::vector<RequestReport> all = m_requests.reports();
    const std::vector<RequestReport> &strays = m_strayRequests.reports();
    const std::ptrdiff_t last = all.empty() || isFinal(all.back().outcome) ? 0 : 1;
    all.insert(all.end() - last, strays.begin(), strays.end());
    std::stable_sort(all.begin(), all.end() - last, [](const RequestReport &a, const RequestReport &b) { return a.seenAt < b.seenAt; });
    return all;
}

void ClusterTrack::noteEvidence(const std::string &member, const Evidence &evidence, Instant at)
{
    m_log.note(member, evidence, at);
    m_logDirty = true;
}

bool ClusterTrack::refresh()
{
    const auto leaderBefore = m_cluster.leaderName;
    const auto lockBefore = m_cluster.lock.state;
    const auto outcomeBefore = m_cluster.requests.empty()
        ? std::nullopt
        : std::optional(std::pair(m_cluster.requests.back().outcome, m_cluster.requests.back().step));
    sayLock();
    if (m_apiSilent) {
        rules::LockObservation silent = m_lock.seen();
        silent.viewStale = true;
        m_cluster.lock = rules::lockView(silent, config(), m_now.boot);
    }
    m_cluster.lock.watchedSince = m_watchedSince;
    const LockState state = m_cluster.lock.state;
    m_cluster.leaderName = state == LockState::Held || state == LockState::Unverified ? m_cluster.lock.holder : std::nullopt;
    m_cluster.leaderSince = m_cluster.leaderName ? m_takenAt : std::nullopt;
    m_cluster.timeline = timelineNow();
    m_cluster.systemId = m_cluster.config ? m_cluster.config->systemId : std::nullopt;
    refreshMembers();
    refreshHealthClock();
    if (std::exchange(m_membersDirty, false) && m_past)
        m_requests.membersChanged(*m_past);
    const bool stray = m_strayRequests.takeDirty(), moved = m_requests.takeDirty() || stray;
    m_logDirty = m_logDirty || moved; // what became of one that was pending
    holdBack(moved);
    if (std::exchange(m_logDirty, false))
        m_cluster.transitions = m_log.merged(m_history, m_systemId.value_or(""), m_requests.reports());
    m_cluster.health = rules::verdict(m_cluster, m_health, m_now.boot);
    sayDisagreement();
    saySchedule();
    sayAbsurd();
    const auto outcome = m_cluster.requests.empty()
        ? std::nullopt
        : std::optional(std::pair(m_cluster.requests.back().outcome, m_cluster.requests.back().step));
    return leaderBefore != m_cluster.leaderName || lockBefore != state || outcomeBefore != outcome;
}

} // namespace switchyard
