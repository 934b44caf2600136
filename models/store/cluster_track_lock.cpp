// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a change of the leader object means for a cluster: renewals, and who took the lock from whom.
#include "models/events/transition_id.h"
#include "models/store/cluster_track.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

void ClusterTrack::leaderChanged(const KubeObject *object, const Moment &moment)
{
    const Subject subject = object ? Subject{object->name, object->uid} : subjectOf(Part::Leader);
    std::vector<Defect> defects;
    std::optional<LeaderRecord> record;
    if (object)
        record = decodeLeader(*object, defects);
    sayDefects(subject, defects, moment);
    m_cluster.leader = record;
    if (!m_watchedSince)
        m_watchedSince = moment.at();
    const std::optional<LeaderRecord> lock = record && record->hasRecord() ? record : std::nullopt;
    const LockNews news = m_lock.changed(lock, moment, config());
    m_leaderSeen = m_leaderSeen || lock;
    if (lock && moment.first)
        m_sawUninitialized = false;
    lockNews(news, moment, subject);
}

void ClusterTrack::lockNews(const LockNews &news, const Moment &moment, const Subject &subject)
{
    if (news.expiredAt || news.lateFor) {
        Moment then = moment;
        if (const auto it = m_cluster.objects.find("leader"); it != m_cluster.objects.end())
            then.version = it->second.resourceVersion;
        const std::string holder = news.from.value_or("");
        if (news.lateFor) {
            const auto late = std::chrono::duration_cast<std::chrono::seconds>(*news.lateFor).count();
            EventDetail detail{{"holder", holder}, {"seconds", std::to_string(late)}};
            if (news.interval) // and it is renewed now
                detail.insert({{"renewed", "true"}, {"ttl", std::to_string(news.ttl)}});
            m_announce.say(EventCode::LockLate, then, subject, std::move(detail));
        }
        if (news.expiredAt) {
            m_announce.say(
                EventCode::LockExpired, then, subject,
                {{"holder", holder}, {"ttl", std::to_string(news.ttl)}, {"expired_at", formatUtc(moment.seen.toWall(*news.expiredAt))}});
        }
        touch(then);
    }
    switch (news.kind) {
    case LockNews::Kind::None: break;
    case LockNews::Kind::Renewed:
        m_requests.renewed(moment.at());
        if (news.interval) {
            constexpr std::size_t kept = 4000;
            if (m_cluster.renewals.size() >= kept)
                m_cluster.renewals.erase(m_cluster.renewals.begin(), m_cluster.renewals.begin() + kept / 10);
            m_cluster.renewals.push_back({moment.at(), *news.interval});
            sayRenewed(news, moment, subject);
        }
        break;
    case LockNews::Kind::Released:
        m_announce.say(EventCode::LockReleased, moment, subject, {{"holder", news.from.value_or("")}});
        m_requests.released(moment);
        m_membersDirty = true;
        touch(moment);
        break;
    case LockNews::Kind::Taken: lockTaken(news, moment, subject); break;
    }
    sayDecided(moment);
}

TransitionKind ClusterTrack::kindOf(const LockNews &news, const RequestReport *request) const
{
    if (!news.from && m_sawUninitialized)
        return TransitionKind::Bootstrap;
    if (news.from == news.to)
        return TransitionKind::ReTaken;
    if (request && request->kind == RequestKind::Failover)
        return TransitionKind::Failover;
    // A switchover shows as a step down; over a gap that may be hidden.
    if (request && !news.expiredBefore && (news.afterRelease || news.hidden))
        return request->request.scheduledAt ? TransitionKind::ScheduledSwitchover : TransitionKind::Switchover;
    if (news.afterRelease)
        return TransitionKind::LockReleased;
    return news.hidden && !news.expiredBefore ? TransitionKind::Unknown : TransitionKind::LockExpired;
}

namespace {

// The time between two sights of one stream is off by how late each of them was told: less than this while it is not behind.
constexpr Duration watchDelay = std::chrono::milliseconds(500);

} // namespace

// Whoever led may have been gone right after its last renewal, or just before the next one would have been due.
Duration ClusterTrack::gapUncertainty(const LockNews &news, const Moment &moment) const
{
    Duration uncertain = watchDelay + news.lostSlack;
    if (moment.underWaySince)
        uncertain += moment.at() - *moment.underWaySince;
    if (!news.afterRelease)
        uncertain += seconds(config().loopWait);
    return uncertain;
}

namespace {

// By the two records the lock lay there for longer than `most`: nobody could take it when its ttl had passed. They are the clocks of two
// Pods, which may differ: that is good enough for a doubt, and for nothing else.
bool layForLonger(const LockNews &news, Duration most)
{
    constexpr Duration clocksDiffer = seconds(5);
    return news.renewTime && news.takeTime && *news.takeTime - *news.renewTime > most + clocksDiffer;
}

} // namespace

// Nobody saw it renewed, but the next leader, who ran a loop each loop_wait, waited for a ttl to pass.
std::optional<Uncertain> ClusterTrack::inferredGap(const LockNews &news, const Moment &moment) const
{
    const bool expired = news.from && news.from != news.to && !news.afterRelease;
    if (!expired || news.lostAt || news.hidden || moment.underWaySince || !news.seenSince)
        return std::nullopt;
    const Duration loop = seconds(config().loopWait), least = std::max<Duration>(seconds(news.ttl), moment.at() - *news.seenSince);
    const Duration most = seconds(news.ttl) + loop;
    if (least > most || layForLonger(news, most))
        return std::nullopt;
    return Uncertain{(least + most) / 2, (most - least) / 2 + loop + watchDelay};
}

void ClusterTrack::setGap(Transition &t, const LockNews &news, const Moment &moment) const
{
    if (const auto inferred = inferredGap(news, moment)) {
        t.gap = inferred->value;
        t.gapUncertainty = inferred->by;
        t.lostAt = moment.seen.wall - inferred->value;
        t.lostSource = Source::Inferred;
    }
    if (news.lostAt && !news.hidden) {
        t.lostAt = moment.seen.toWall(*news.lostAt);
        t.gap = moment.at() - *news.lostAt;
        t.gapUncertainty = gapUncertainty(news, moment);
        t.lostSource = Source::Live;
    }
    if (moment.since) {
        t.notBefore = moment.sinceWall();
        t.notAfter = moment.seen.wall;
    } else {
        t.gainedAt = moment.seen.wall;
    }
}

// The longest renewal interval of the last ten minutes, if one was late.
std::optional<Duration> ClusterTrack::lateBefore(Boot at) const
{
    constexpr Duration window = std::chrono::minutes(10);
    std::optional<Duration> longest;
    for (auto it = m_cluster.renewals.rbegin(); it != m_cluster.renewals.rend() && at - it->at <= window; ++it) {
        if (it->interval > rules::lateAfter(config()) && (!longest || it->interval > *longest))
            longest = it->interval;
    }
    return longest;
}

// What the kind rests on, as far as the cluster's own objects tell.
std::vector<Evidence> ClusterTrack::evidenceOf(const LockNews &news, const RequestReport *request, const Moment &moment) const
{
    std::vector<Evidence> all;
    const std::string holder = news.from.value_or("");
    const auto lost = news.lostAt ? std::optional(moment.seen.toWall(*news.lostAt)) : std::nullopt;
    if (request)
        all.push_back({EvidenceCode::Requested, request->id, {}, request->seenWall});
    if (news.afterRelease && !news.hidden)
        all.push_back({EvidenceCode::Released, holder, {}, lost});
    else if (news.from && (news.expiredBefore || !news.hidden))
        all.push_back({EvidenceCode::Expired, holder, std::to_string(news.ttl), lost});
    if (const auto late = lateBefore(moment.at()))
        all.push_back({EvidenceCode::LateBefore, holder, secondsText(*late), {}});
    if (config().paused)
        all.push_back({EvidenceCode::Paused, {}, {}, {}});
    if (config().failsafeMode)
        all.push_back({EvidenceCode::FailsafeMode, {}, {}, {}});
    if (m_manyLate)
        all.push_back({EvidenceCode::ManyLate, {}, std::to_string(*m_manyLate), {}});
    if (!request && m_eventsPermitted == false) // that there are none says nothing then
        all.push_back({EvidenceCode::NotPermitted, holder, {}, {}});
    if (moment.since)
        all.push_back({EvidenceCode::BlindSpot, {}, formatUtc(*moment.sinceWall()) + '/' + formatUtc(moment.seen.wall), {}});
    return all;
}

void ClusterTrack::followTaken(const Transition &taken, const std::string &version)
{
    constexpr std::size_t followed = 4;
    const MembersAsOf then = m_past ? m_past->asOf(version) : MembersAsOf{};
    for (Aftermath &earlier : m_aftermaths) {
        earlier.end(version, then);
        if (Transition *t = m_log.find(earlier.start().id))
            earlier.fill(*t);
    }
    std::erase_if(m_aftermaths, [](const Aftermath &a) { return a.isOver(); });
    if (m_aftermaths.size() >= followed)
        m_aftermaths.erase(m_aftermaths.begin());
    follow({taken.id, version, taken.from, taken.to, taken.gainedAt, taken.timelineBefore, m_cluster.standby()});
}

void ClusterTrack::follow(Aftermath::Start start)
{
    const MembersAsOf then = m_past ? m_past->asOf(start.version) : MembersAsOf{};
    const auto later = m_past ? m_past->between(start.version, std::nullopt) : std::vector<const MemberFact *>{};
    m_aftermaths.emplace_back(std::move(start), then, later);
    if (Transition *t = m_log.find(m_aftermaths.back().start().id))
        m_aftermaths.back().fill(*t);
}

// A leader that took its own lock again was promoted anew: it did not just go on.
void ClusterTrack::promotedAnew(Boot at)
{
    constexpr Duration longestPromotion = std::chrono::minutes(10);
    if (m_aftermaths.empty() || !m_takenAt || at - *m_takenAt > longestPromotion)
        return;
    Aftermath::Start start = m_aftermaths.back().start();
    if (start.from != start.to || std::exchange(start.newTimeline, true))
        return;
    m_aftermaths.pop_back();
    follow(std::move(start));
    m_logDirty = true;
}

void ClusterTrack::lockTaken(const LockNews &news, const Moment &moment, const Subject &subject)
{
    const RequestReport *request = m_requests.explains(news.from, news.takeTime.value_or(moment.seen.wall), moment.version);
    SeenTransition seen;
    Transition &t = seen.transition;
    t.id = takenId(m_cluster.names.key, subject.uid, news.to.value_or(""), news.takeTime.value_or(moment.seen.wall));
    t.kind = kindOf(news, request);
    t.kindSource = t.kind == TransitionKind::Unknown ? Source::None : Source::Live;
    t.from = news.from;
    t.to = news.to;
    if (m_cluster.config && m_cluster.config->hasAnnotations && !m_cluster.standby())
        t.timelineBefore = m_cluster.config->history.currentTimeline;
    setGap(t, news, moment);
    t.evidence = evidenceOf(news, request, moment);
    if (request)
        t.request = request->id;
    else if (m_requests.pending())
        seen.pendingRequest = m_requests.reports().back().id;
    seen.takeTime = news.takeTime;
    seen.asStandby = m_cluster.standby();
    const Transition taken = t;
    m_log.add(std::move(seen));
    followTaken(taken, moment.version);
    m_logDirty = true;
    m_takenAt = moment.at();
    m_disagreement.turn = 0;
    m_sawUninitialized = false;

    EventDetail detail{{"holder", news.to.value_or("")}};
    if (news.from)
        detail["from"] = *news.from;
    detail["transition"] = std::string(patroni::code(taken.kind));
    m_announce.say(EventCode::LockAcquired, moment, subject, detail);
    if (news.from && news.from != news.to)
        m_announce.say(EventCode::LeaderChanged, moment, subject, {{"from", *news.from}, {"to", news.to.value_or("")}});
    m_membersDirty = true;
    m_requests.taken(news.to.value_or(""), moment, news.takeTime, news.afterRelease || news.hidden, scene());
    touch(moment);
}

} // namespace switchyard
