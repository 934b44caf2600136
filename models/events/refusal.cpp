// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/refusal.h"

#include <algorithm>
#include <cctype>

namespace switchyard {

using namespace patroni;

namespace {

bool sameName(const std::string &a, const std::string &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Synchronous mode limits the choice; since 3.2.0 a failover (no leader named) may go to any member, since then a standby
// cluster ignores the mode, too.
bool syncListApplies(const ClearedState &s, const MembersAsOf &members)
{
    if (s.config.syncMode == SyncMode::Off)
        return false;
    const MemberFact *holder = s.holder ? members.find(*s.holder) : nullptr;
    const auto order = holder && holder->release ? compareReleases(*holder->release, "3.2.0") : std::nullopt;
    const bool older = order && *order < 0;
    return older || (s.request.isSwitchover() && !s.config.standbyCluster);
}

bool inSyncList(const ClearedState &s, const std::string &member)
{
    return s.sync && s.sync->leader && !s.sync->unreadable
        && std::any_of(s.sync->standbys.begin(), s.sync->standbys.end(), [&](const std::string &n) { return sameName(n, member); });
}

bool tooFarBehind(const ClearedState &s, const MemberFact &m)
{
    if (!s.config.maximumLagOnFailover || !s.optime || !m.position)
        return false;
    return *s.optime > *m.position && *s.optime - *m.position > *s.config.maximumLagOnFailover;
}

// Could this member have taken over, as far as the objects tell?
bool mayHavePassed(const ClearedState &s, const MembersAsOf &members, const MemberFact &m)
{
    if (m.name == s.holder || (s.request.member && *s.request.member != m.name))
        return false;
    if (!m.reported || !m.hasApi || m.noFailover || !m.podRuns || tooFarBehind(s, m))
        return false;
    if (syncListApplies(s, members) && !inSyncList(s, m.name))
        return false;
    if (m.state && *m.state != "running" && *m.state != "streaming" && *m.state != "in archive recovery")
        return false;
    return !(s.config.checkTimeline && s.timeline && m.timeline && *m.timeline < *s.timeline);
}

Refusal reasonAt(Instant wall, const ClearedState &s, const MembersAsOf &members)
{
    const FailoverRequest &r = s.request;
    const bool scheduled = r.schedule != FailoverRequest::Schedule::None;
    // While paused a schedule is kept; whoever cleared it was not the leader. An unparsable one stops Patroni altogether.
    if ((scheduled && s.config.paused) || r.schedule == FailoverRequest::Schedule::Unparsable)
        return Refusal::Unknown;
    if (r.schedule == FailoverRequest::Schedule::NoOffset)
        return Refusal::NoOffset;
    if (r.scheduledAt && wall - *r.scheduledAt > staleAfter(s.config))
        return Refusal::Stale;
    if (!s.holder)
        return Refusal::Unknown;
    if (r.leader && *r.leader != *s.holder)
        return Refusal::LeaderMismatch;
    if (r.member && *r.member == *s.holder)
        return Refusal::AlreadyLeader;
    if (s.config.paused && !r.member)
        return Refusal::PausedNeedsCandidate;
    if (r.member && syncListApplies(s, members) && !inSyncList(s, *r.member))
        return Refusal::NotSyncStandby;
    if (members.known
        && std::none_of(members.members.begin(), members.members.end(), [&](const MemberFact &m) { return mayHavePassed(s, members, m); }))
        return Refusal::NoHealthyCandidate;
    // Whoever looks healthy here need not answer the leader: when none of its other rules applied, this one did.
    return s.byLeader && !s.since ? Refusal::NoHealthyCandidate : Refusal::Unknown;
}

} // namespace

Duration staleAfter(const DynamicConfig &config)
{
    return std::chrono::seconds(config.loopWait * 3 / 2);
}

Refusal refusalReason(const ClearedState &s, const MembersAsOf &members)
{
    const Refusal reason = reasonAt(s.wall, s, members);
    return s.since && reasonAt(*s.since, s, members) != reason ? Refusal::Unknown : reason;
}

} // namespace switchyard
