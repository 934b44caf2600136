// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lasts for a while: said when it begins, and with its duration when it ends.
#include "models/rules/episodes.h"
#include "models/rules/leader_agreement.h"
#include "models/rules/sync_set.h"
#include "models/store/cluster_track.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

namespace {

// How long it was, when its beginning and its end were both seen.
void addSeconds(EventDetail &detail, const std::optional<Boot> &since, const Moment &moment)
{
    if (since && !moment.since)
        detail["seconds"] = secondsText(moment.at() - *since);
}

std::optional<Boot> beginning(const Moment &moment)
{
    return moment.first || moment.since ? std::nullopt : std::optional(moment.at());
}

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ",") + name;
    return text;
}

} // namespace

bool ClusterTrack::sayNearMiss(const LockNews &news, const Moment &moment, const Subject &subject)
{
    const auto left = rules::nearMiss(*news.interval, news.ttl, config());
    if (!left)
        return false;
    m_announce.say(EventCode::NearMiss, moment, subject,
                   {{"holder", news.to.value_or("")},
                    {"seconds", decimalText(*news.interval)},
                    {"ttl", std::to_string(news.ttl)},
                    {"left", decimalText(*left)}});
    touch(moment);
    return true;
}

// How long a renewal took that was said to be late. A near miss has said it already.
void ClusterTrack::sayRenewed(const LockNews &news, const Moment &moment, const Subject &subject)
{
    if (sayNearMiss(news, moment, subject) || !news.wasLate)
        return;
    m_announce.say(EventCode::LockLate, moment, subject,
                   {{"holder", news.to.value_or("")},
                    {"renewed", "true"},
                    {"seconds", decimalText(*news.interval)},
                    {"ttl", std::to_string(news.ttl)}},
                   "renewed");
    touch(moment);
}

void ClusterTrack::saySwitch(const Switch &codes, bool before, bool now, std::optional<Boot> &since, const Moment &moment,
                             const Subject &subject)
{
    if (before == now)
        return;
    EventDetail detail;
    if (now)
        since = beginning(moment);
    else
        addSeconds(detail, std::exchange(since, std::nullopt), moment);
    m_announce.say(now ? codes.on : codes.off, moment, subject, std::move(detail));
}

void ClusterTrack::saySync(const Moment &moment, const Subject &subject)
{
    const bool active = rules::syncIsActive(m_cluster), empty = active && rules::syncSetIsEmpty(m_cluster);
    if (empty == std::exchange(m_syncEmpty, empty))
        return;
    EventDetail detail;
    if (empty) {
        m_syncEmptySince = beginning(moment);
        detail["strict"] = config().syncStrict ? "true" : "false";
    } else {
        addSeconds(detail, std::exchange(m_syncEmptySince, std::nullopt), moment);
        if (active)
            detail["to"] = joined(m_cluster.sync->standbys);
        else
            detail["mode"] = "off";
    }
    m_announce.say(empty ? EventCode::SyncEmpty : EventCode::SyncFilled, moment, subject, std::move(detail));
    touch(moment);
}

// A time that is nobody's intent: once for each, and when it is over. One of a request that was found is said too: nobody may have been
// told, and it still does harm.
void ClusterTrack::sayAbsurd()
{
    const auto &request = m_cluster.failover;
    const auto how = m_cluster.view.freshness == Freshness::Live ? m_health.absurd : std::nullopt;
    const bool unseen = m_cluster.view.freshness != Freshness::Live;
    if (unseen || (!how && !m_absurd) || (how && m_absurd && m_absurd->at == *request->scheduledAt && m_absurd->how == *how))
        return;
    Moment moment;
    moment.seen = m_now;
    if (const auto it = m_cluster.objects.find("failover"); it != m_cluster.objects.end())
        moment.version = it->second.resourceVersion;
    const auto say = [&](EventCode type, const AbsurdTime &time, EventDetail detail) {
        detail["how"] = code(time.how);
        detail["scheduled_at"] = time.raw;
        m_announce.say(type, moment, subjectOf(Part::Failover), std::move(detail), time.raw);
        touch(moment);
    };
    if (const auto ended = std::exchange(m_absurd, std::nullopt)) {
        EventDetail detail;
        addSeconds(detail, ended->since, moment);
        say(EventCode::ScheduleSane, *ended, std::move(detail));
    }
    if (!how)
        return;
    m_absurd = {*how, *request->scheduledAt, request->scheduledAtRaw.value_or(formatUtc(*request->scheduledAt)), m_now.boot};
    say(EventCode::ScheduleAbsurd, *m_absurd, requestDetail(*request));
}

// One that was found, or that began while we did not look, has begun nobody knows when.
void ClusterTrack::beginMemberState(const MemberFact &fact)
{
    if (const auto since = beginning(fact.moment))
        m_memberSince[fact.name] = *since;
    else
        m_memberSince.erase(fact.name);
}

// By the clock of the cluster's own stream. While nobody leads or nothing is seen, nothing can be said.
void ClusterTrack::sayDisagreement()
{
    if (m_cluster.view.freshness != Freshness::Live || !m_cluster.leaderName)
        return;
    std::vector<std::string> what;
    for (const Reason &reason : m_cluster.health.reasons) {
        if (reason.code == HealthReason::LeaderDisagreement)
            what.push_back(reason.subject);
    }
    Disagreement &d = m_disagreement;
    if (what.empty() && !d.since)
        return;
    if (!d.since)
        d.since = m_now.boot;
    const Duration lasted = m_now.boot - *d.since;
    Moment moment;
    moment.seen = m_now;
    if (what.empty()) {
        if (!d.said.empty())
            m_announce.say(EventCode::LeaderAgreement, moment, subjectOf(Part::Leader),
                           {{"lock", *m_cluster.leaderName}, {"seconds", secondsText(lasted)}}, d.said);
        d.since.reset();
        d.said.clear();
        return;
    }
    if (!d.said.empty() || lasted <= rules::disagreesAfter(config()))
        return;
    d.said = disagreementKey(joined(what));
    EventDetail detail{{"lock", *m_cluster.leaderName}, {"what", joined(what)}, {"label", joined(rules::leaderLabels(m_cluster))}};
    if (m_cluster.leader && m_cluster.leader->addresses) {
        std::vector<std::string> addresses;
        for (const EndpointAddress &address : *m_cluster.leader->addresses)
            addresses.push_back(address.podName.value_or(address.ip));
        detail["address"] = joined(addresses);
    }
    m_announce.say(EventCode::LeaderDisagreement, moment, subjectOf(Part::Leader), std::move(detail), d.said);
    touch(moment);
}

// The same for all who saw this leader take the lock: no version of one object stands for what several say.
std::string ClusterTrack::disagreementKey(const std::string &what)
{
    const auto acquired = m_cluster.leader ? m_cluster.leader->acquireTimeRaw : std::nullopt;
    return *m_cluster.leaderName + ' ' + acquired.value_or("") + ' ' + what + ' ' + std::to_string(++m_disagreement.turn);
}

void ClusterTrack::judgeSilence(const std::string &member, MemberState &state)
{
    if (!rules::hasMoreToSay(state.pod.record, m_cluster.leader ? m_cluster.leader->optime : std::nullopt)) {
        state.moreToSaySince.reset();
        return;
    }
    if (!state.moreToSaySince)
        state.moreToSaySince = m_now.boot;
    const bool judged = m_cluster.view.freshness == Freshness::Live && m_cluster.lock.state == LockState::Held;
    if (state.silentSaid || !judged || m_now.boot - *state.moreToSaySince <= rules::silentAfter(config()))
        return;
    state.silentSaid = true;
    Moment moment;
    moment.seen = m_now;
    moment.version = state.pod.fact.moment.version;
    const Duration silent = m_now.boot - state.statusSeenAt.value_or(*state.moreToSaySince);
    m_announce.say(EventCode::StatusSilent, moment, {member, state.pod.fact.uid}, {{"member", member}, {"seconds", secondsText(silent)}});
    touch(moment);
}

void ClusterTrack::sayResumed(const std::string &member, const MemberState &before, const MemberFact &now)
{
    EventDetail detail{{"member", member}};
    addSeconds(detail, before.statusSeenAt, now.moment);
    m_announce.say(EventCode::StatusResumed, now.moment, {member, now.uid}, std::move(detail));
    touch(now.moment);
}

} // namespace switchyard
