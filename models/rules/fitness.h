// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// May this member be the target of a switchover, as far as the objects tell? Pure. Rules: patroni/ha.py is_failover_possible,
// manual failover checks (see each code), 2.x - 4.1.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

enum class FitnessCode {
    IsLeader,          // is-leader
    NotReported,       // not-reported: no status annotation
    NotRunning,        // not-running: state is not running/streaming, or the Pod is not
    Deleting,          // deleting
    NoFailoverTag,     // nofailover
    NotSyncStandby,    // not-sync-standby: synchronous mode is on and it is not in sync_standby
    LagOverLimit,      // lag-over-limit (amount: bytes)
    LagUnknown,        // lag-unknown: a warning
    OldTimeline,       // old-timeline: blocks with check_timeline, else a warning
    NotReachableKnown, // not-reachable-known: whether its REST API answers cannot be known from the objects; a note on every member
};
std::string_view code(FitnessCode c);
enum class Severity { Note, Warning, Blocks };
struct Finding
{
    FitnessCode code{};
    Severity severity{};
    std::optional<std::uint64_t> amount{};
    bool operator==(const Finding &) const = default;
};
struct MemberFitness
{
    std::string member;
    bool fit = false;              // nothing blocks
    std::vector<Finding> findings; // worst first
    bool operator==(const MemberFitness &) const = default;
};

// Why the request as a whole cannot be made.
enum class RequestProblem {
    ViewStale,
    NoLeader,
    LeaderMismatch,
    SameMember,
    UnknownCandidate,
    CandidateUnfit,
    NoFitCandidate,
    PausedSchedule,
    PausedNeedsCandidate,
    InThePast,
    TooNear /* due within loop_wait: acts at once, say so; a warning */,
    TooLate /* overdue more than int(1.5*loop_wait) */,
    StandbyClusterPaused,
    RequestAlreadyPending /* must be replaced knowingly */,
    ModeUnclear,
};
std::string_view code(RequestProblem p); // view-stale no-leader ... kebab-case
struct Problem
{
    RequestProblem code{};
    Severity severity{};
    std::string subject{};
    bool operator==(const Problem &) const = default;
};

struct SwitchoverWish
{
    std::string leader;                   // to step down
    std::optional<std::string> candidate; // nullopt: Patroni decides
    std::optional<Instant> at;            // nullopt: now
    bool operator==(const SwitchoverWish &) const = default;
};

std::vector<MemberFitness> fitness(const patroni::Cluster &cluster);
std::vector<Problem> checkSwitchover(const patroni::Cluster &cluster, const SwitchoverWish &wish, Now now);

} // namespace switchyard::rules
