// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/cluster.h"

namespace switchyard::patroni {

std::string_view code(Mode m)
{
    return m == Mode::Endpoints ? "endpoints" : "configmaps";
}

std::string_view code(LockState s)
{
    switch (s) {
    case LockState::Absent: return "absent";
    case LockState::Released: return "released";
    case LockState::Unverified: return "unverified";
    case LockState::Held: return "held";
    case LockState::Expired: return "expired";
    case LockState::Stale: return "stale";
    }
    return "unknown";
}

std::string_view code(Freshness f)
{
    switch (f) {
    case Freshness::Live: return "live";
    case Freshness::Stale: return "stale";
    case Freshness::Forbidden: return "forbidden";
    case Freshness::Connecting: return "connecting";
    }
    return "unknown";
}

std::string_view code(Role r)
{
    switch (r) {
    case Role::Leader: return "leader";
    case Role::StandbyLeader: return "standby_leader";
    case Role::SyncStandby: return "sync_standby";
    case Role::QuorumStandby: return "quorum_standby";
    case Role::Replica: return "replica";
    case Role::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view code(Health h)
{
    switch (h) {
    case Health::Healthy: return "healthy";
    case Health::Degraded: return "degraded";
    case Health::Unhealthy: return "unhealthy";
    case Health::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view code(HealthReason r)
{
    switch (r) {
    case HealthReason::ViewStale: return "view-stale";
    case HealthReason::ViewForbidden: return "view-forbidden";
    case HealthReason::Connecting: return "connecting";
    case HealthReason::Initializing: return "initializing";
    case HealthReason::NothingDecodable: return "nothing-decodable";
    case HealthReason::LockReleased: return "lock-released";
    case HealthReason::LockAbsent: return "lock-absent";
    case HealthReason::LockExpired: return "lock-expired";
    case HealthReason::HolderNotRunning: return "holder-not-running";
    case HealthReason::UnparsableSchedule: return "unparsable-schedule";
    case HealthReason::StrictSyncEmpty: return "strict-sync-empty";
    case HealthReason::AbsurdSchedule: return "absurd-schedule";
    case HealthReason::LateRenewal: return "late-renewal";
    case HealthReason::MemberDown: return "member-down";
    case HealthReason::MemberNotStreaming: return "member-not-streaming";
    case HealthReason::MemberOldTimeline: return "member-old-timeline";
    case HealthReason::LagOverLimit: return "lag-over-limit";
    case HealthReason::NoCandidate: return "no-candidate";
    case HealthReason::SyncEmpty: return "sync-empty";
    case HealthReason::TwoLeaderLabels: return "two-leader-labels";
    case HealthReason::LeaderDisagreement: return "leader-disagreement";
    case HealthReason::FailsafeActive: return "failsafe-active";
    case HealthReason::Paused: return "paused";
    case HealthReason::RequestPending: return "request-pending";
    case HealthReason::StandbySourceUnknown: return "standby-source-unknown";
    case HealthReason::LockUnverified: return "lock-unverified";
    }
    return "unknown";
}

std::string_view code(RequestKind k)
{
    return k == RequestKind::Switchover ? "switchover" : "failover";
}

std::string_view code(Outcome o)
{
    switch (o) {
    case Outcome::Pending: return "pending";
    case Outcome::KeptWhilePaused: return "kept-while-paused";
    case Outcome::NotPickedUp: return "not-picked-up";
    case Outcome::Outage: return "outage";
    case Outcome::Done: return "done";
    case Outcome::DoneOther: return "done-other";
    case Outcome::TakenBack: return "taken-back";
    case Outcome::Erased: return "erased";
    case Outcome::Superseded: return "superseded";
    case Outcome::Cancelled: return "cancelled";
    case Outcome::Refused: return "refused";
    }
    return "unknown";
}

bool isFinal(Outcome o)
{
    return o != Outcome::Pending && o != Outcome::KeptWhilePaused && o != Outcome::NotPickedUp && o != Outcome::Outage;
}

std::string_view code(Refusal r)
{
    switch (r) {
    case Refusal::Stale: return "stale";
    case Refusal::NoOffset: return "no-offset";
    case Refusal::LeaderMismatch: return "leader-mismatch";
    case Refusal::AlreadyLeader: return "already-leader";
    case Refusal::PausedNeedsCandidate: return "paused-needs-candidate";
    case Refusal::NotSyncStandby: return "not-sync-standby";
    case Refusal::NoHealthyCandidate: return "no-healthy-candidate";
    case Refusal::Unknown: return "unknown";
    }
    return "unknown";
}

std::string_view code(RequestStep s)
{
    switch (s) {
    case RequestStep::Scheduled: return "scheduled";
    case RequestStep::Due: return "due";
    case RequestStep::SteppingDown: return "stepping-down";
    case RequestStep::Leaderless: return "leaderless";
    case RequestStep::Promoted: return "promoted";
    case RequestStep::Decided: return "decided";
    }
    return "unknown";
}

std::string_view code(Source s)
{
    switch (s) {
    case Source::None: return "";
    case Source::History: return "history";
    case Source::Live: return "live";
    case Source::Archive: return "archive";
    case Source::Inferred: return "inferred";
    }
    return "unknown";
}

std::string_view code(EvidenceCode c)
{
    switch (c) {
    case EvidenceCode::Requested: return "requested";
    case EvidenceCode::Released: return "released";
    case EvidenceCode::Expired: return "expired";
    case EvidenceCode::LateBefore: return "late-before";
    case EvidenceCode::MemberState: return "member-state";
    case EvidenceCode::PodGone: return "pod-gone";
    case EvidenceCode::PodNotReady: return "pod-not-ready";
    case EvidenceCode::PodFailed: return "pod-failed";
    case EvidenceCode::ContainerTerminated: return "container-terminated";
    case EvidenceCode::ContainerRestarted: return "container-restarted";
    case EvidenceCode::ClusterEvent: return "cluster-event";
    case EvidenceCode::ManyLate: return "many-late";
    case EvidenceCode::BlindSpot: return "blind-spot";
    case EvidenceCode::Paused: return "paused";
    case EvidenceCode::FailsafeMode: return "failsafe-mode";
    case EvidenceCode::NotPermitted: return "not-permitted";
    }
    return "unknown";
}

std::string_view code(TransitionKind k)
{
    switch (k) {
    case TransitionKind::Bootstrap: return "bootstrap";
    case TransitionKind::Switchover: return "switchover";
    case TransitionKind::ScheduledSwitchover: return "scheduled-switchover";
    case TransitionKind::Failover: return "failover";
    case TransitionKind::LockExpired: return "lock-expired";
    case TransitionKind::LockReleased: return "lock-released";
    case TransitionKind::ReTaken: return "re-taken";
    case TransitionKind::Unknown: return "unknown";
    }
    return "unknown";
}

} // namespace switchyard::patroni
