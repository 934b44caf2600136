// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Would Patroni do it? The request as a whole and every member, by Patroni's own rules in Patroni's own order, as far as the objects tell, and as
// far as the members' own answers do where they can be asked. Pure. Each code names its rule: sourceOf().
#include "models/rules/action.h"
#include "models/rules/live_answer.h"

namespace switchyard::rules {

enum class Severity { Note, Warning, Blocks };

enum class RuleCode {
    // ---- of the request as a whole
    ViewStale,            // view-stale: nothing is judged on such a view
    ModeUnclear,          // mode-unclear
    NoLeader,             // no-leader: a switchover needs somebody who holds the lock
    LeaderNotNamed,       // leader-not-named: a switchover names the leader
    LeaderMismatch,       // leader-mismatch (subject: who leads)
    SameMember,           // same-member: the candidate leads already
    UnknownCandidate,     // unknown-candidate
    CandidateUnfit,       // candidate-unfit
    CandidateNotNamed,    // candidate-not-named: a failover names its candidate
    NoFitCandidate,       // no-fit-candidate
    TooFewForQuorum,      // too-few-for-quorum (amount: how many more must pass)
    PausedSchedule,       // paused-schedule: kept while paused
    PausedNeedsCandidate, // paused-needs-candidate
    PausedStandbyLeader,  // paused-standby-leader: ignored and kept
    FailoverScheduled,    // failover-scheduled: only a switchover can be
    InThePast,            // in-the-past
    TooLate,              // too-late: overdue by more than int(1.5*loop_wait); thrown away
    TooNear,              // too-near: due within loop_wait; acts at once
    AlreadyPending,       // already-pending: there is one slot; the old request is replaced
    PendingUnparsable,    // pending-unparsable: the cluster is down because of it
    RequestUnseen,        // request-unseen: Patroni does not see the object with the old request; a new one makes it seen, and replaces it
    ScheduleHasEffects,   // schedule-has-effects: until it is due, an unplanned failover prefers the candidate and ignores the lag limit
    LeaderStatusOld,      // leader-status-old (amount: seconds): the leader has not renewed for longer than usual
    LeaderBusy,           // leader-busy (subject: its state): it looks at requests only after that
    LeaderHealthy,        // leader-healthy: a failover of a healthy leader loses what is not replicated; switch over instead
    SyncFailover,         // sync-failover: past the synchronous standbys (3.2.0 and later)
    CitusGroup,           // citus-group: only this group is switched
    OwnerReacts,          // owner-reacts (subject: operator)
    // ---- of one member
    IsLeader,             // is-leader
    NotReported,          // not-reported: no status annotation
    NoApiUrl,             // no-api-url
    NotRunning,           // not-running (subject: state)
    Deleting,             // deleting
    NoFailoverTag,        // nofailover
    FailoverPriorityZero, // failover-priority-zero (3.2.0 and later)
    NotSyncStandby,       // not-sync-standby
    NotVoter,             // not-voter: quorum mode; no target of a switchover
    LagOverLimit,         // lag-over-limit (amount: bytes)
    LagUnknown,           // lag-unknown
    PositionOld,          // position-old (amount: seconds): how old the leader's position is that the lag is measured against
    OldTimeline,          // old-timeline: blocks with check_timeline
    StatusOld,            // status-old (amount: seconds): the status has not changed for long
    WatchdogUnknown,      // watchdog-unknown: not in the objects
    ReachabilityUnknown,  // reachability-unknown: not in the objects
    NotReachable,         // not-reachable: it was asked and did not answer; from here, not from the leader
    WatchdogFailed,       // watchdog-failed
    CutOff,               // cut-off (amount: seconds): it has not seen the API server for so long
    LiveNoFailover,       // live-nofailover: it says so itself
    LiveNotRunning,       // live-not-running (subject: state)
    LiveLagOverLimit,     // live-lag-over-limit (amount: bytes)
};
std::string_view code(RuleCode rule);

// Where Patroni has the rule: "patroni/ha.py is_failover_possible", "3.2.0 and later"; empty versions: all.
struct RuleSource
{
    std::string_view where, versions;
};
RuleSource sourceOf(RuleCode rule);

struct Finding
{
    RuleCode rule{};
    Severity severity{};
    std::string subject{};
    std::optional<std::uint64_t> amount{};
    bool operator==(const Finding &) const = default;
};

struct MemberVerdict
{
    std::string member;
    bool fit = false;              // nothing blocks
    bool asked = false;            // its own answer is part of this
    std::vector<Finding> findings; // worst first
    bool operator==(const MemberVerdict &) const = default;
};

// What a failover to the candidate may lose: bytes that the leader had written and the candidate has not got.
struct DataLoss
{
    std::optional<std::uint64_t> bytes; // nullopt: unknown
    std::optional<Lsn> leaderAt, candidateAt;
    bool synchronous = false; // the candidate was a synchronous standby: nothing that was confirmed is lost
    bool operator==(const DataLoss &) const = default;
};

struct Preflight
{
    bool fit = false;                   // nothing of the request blocks, and the candidate, or any one member, is fit
    std::vector<Finding> request;       // worst first
    std::vector<MemberVerdict> members; // leader first, then by name
    std::optional<DataLoss> loss;       // Failover with a candidate
    bool operator==(const Preflight &) const = default;
};

// Switchover and Failover. `answers`: what members said of themselves, where they could be asked; older ones than liveHolds do not count.
Preflight preflight(const patroni::Cluster &cluster, const ActionWish &wish, const LiveAnswers &answers, Now now);
constexpr Duration liveHolds = std::chrono::seconds(30);

// Would any member do as the next leader, whoever asks? For the health of a cluster.
bool anyoneFit(const patroni::Cluster &cluster, Boot now);

// One line for the audit trail: "fit; acme-2 fit; acme-0 unfit lag-over-limit=48234496".
std::string summary(const Preflight &preflight);

} // namespace switchyard::rules
