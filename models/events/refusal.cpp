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

bool isActive(const std::optional<SyncState> &sync)
{
    return sync && sync->leader && !sync->unreadable;
}

// Synchronous mode limits the choice; since 3.2.0 a failover (no leader named) may go to any member, a standby cluster ignores the mode,
// and it must also be in use already (Ha.sync_mode_is_active).
bool syncListApplies(const ClearedState &s, const MembersAsOf &members)
{
    if (s.config.syncMode == SyncMode::Off)
        return false;
    const MemberFact *holder = s.holder ? members.find(*s.holder) : nullptr;
    // false, too, when the version is unknown
    const auto isBefore = [&](const char *release) {
        const auto order = holder && holder->release ? compareReleases(*holder->release, release) : std::nullopt;
        return order && *order < 0;
    };
    const bool older = isBefore("3.2.0");
    if (holder && holder->release && !isBefore("3.2.0") && !isActive(s.sync))
        return false;
    return older || (s.request.isSwitchover() && !s.config.standbyCluster);
}

bool inSyncList(const ClearedState &s, const std::string &member)
{
    return isActive(s.sync)
        && std::any_of(s.sync->standbys.begin(), s.sync->standbys.end(), [&](const std::string &n) { return sameName(n, member); });
}

bool tooFarBehind(const ClearedState &s, const MemberFact &m)
{
    if (!s.config.maximumLagOnFailover || !s.optime || !m.position)
        return false;
    return *s.optime > *m.position && *s.optime - *m.position > *s.config.maximumLagOnFailover;
}

// While PostgreSQL restarts or stops, the leader renews the lock, but does not look at requests (Ha._run_cycle: an asynchronous action).
bool leaderIsBusy(const ClearedState &s, const MembersAsOf &members)
{
    const MemberFact *holder = s.holder ? members.find(*s.holder) : nullptr;
    return holder && holder->state && *holder->state != "running";
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

// With nobody named, a quorum of those that would vote must be fit, too (4.0: Ha.is_failover_possible, check_quorum).
bool anyMayTakeOver(const ClearedState &s, const MembersAsOf &members)
{
    const auto fit = std::count_if(members.members.begin(), members.members.end(),
                                   [&](const MemberFact &m) { return mayHavePassed(s, members, m); });
    const bool quorum = s.config.syncMode == SyncMode::Quorum && !s.request.member && s.sync && s.sync->leader && s.sync->quorum;
    return quorum ? fit > *s.sync->quorum : fit > 0;
}

Refusal reasonAt(Instant wall, const ClearedState &s, const MembersAsOf &members)
{
    const FailoverRequest &r = s.request;
    const bool scheduled = r.schedule != FailoverRequest::Schedule::None;
    if (s.byTaker)
        return Refusal::Unknown;
    // While paused a schedule is kept; whoever cleared it was not the leader. An unparsable one stops Patroni altogether.
    if ((scheduled && s.config.paused) || r.schedule == FailoverRequest::Schedule::Unparsable)
        return Refusal::Unknown;
    if (r.schedule == FailoverRequest::Schedule::NoOffset)
        return Refusal::NoOffset;
    // One that it looked at in time and that somebody else took away may be what it steps down for, however slowly.
    if (r.scheduledAt && wall - *r.scheduledAt > staleAfter(s.config))
        return s.lookedAt && !s.byLeader ? Refusal::Unknown : Refusal::Stale;
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
    if (members.known && !anyMayTakeOver(s, members))
        return Refusal::NoHealthyCandidate;
    // Whoever looks healthy here need not answer the leader: when none of its other rules applied, this one did.
    return s.byLeader && !s.since && !leaderIsBusy(s, members) ? Refusal::NoHealthyCandidate : Refusal::Unknown;
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
