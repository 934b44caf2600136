// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/preflight.h"

#include <array>

namespace switchyard::rules {

namespace {

struct RuleRow
{
    RuleCode rule;
    std::string_view code, where, versions;
};

constexpr std::array rows{
    RuleRow{RuleCode::ViewStale, "view-stale", "patroni/ha.py", ""},
    RuleRow{RuleCode::ModeUnclear, "mode-unclear", "patroni/ha.py", ""},
    RuleRow{RuleCode::NoLeader, "no-leader", "patroni/ha.py", ""},
    RuleRow{RuleCode::LeaderNotNamed, "leader-not-named", "patroni/ha.py", ""},
    RuleRow{RuleCode::LeaderMismatch, "leader-mismatch", "patroni/ha.py", ""},
    RuleRow{RuleCode::SameMember, "same-member", "patroni/ha.py", ""},
    RuleRow{RuleCode::UnknownCandidate, "unknown-candidate", "patroni/ha.py", ""},
    RuleRow{RuleCode::CandidateUnfit, "candidate-unfit", "patroni/ha.py", ""},
    RuleRow{RuleCode::CandidateNotNamed, "candidate-not-named", "patroni/ha.py", ""},
    RuleRow{RuleCode::NoFitCandidate, "no-fit-candidate", "patroni/ha.py", ""},
    RuleRow{RuleCode::TooFewForQuorum, "too-few-for-quorum", "patroni/ha.py", ""},
    RuleRow{RuleCode::PausedSchedule, "paused-schedule", "patroni/ha.py", ""},
    RuleRow{RuleCode::PausedNeedsCandidate, "paused-needs-candidate", "patroni/ha.py", ""},
    RuleRow{RuleCode::PausedStandbyLeader, "paused-standby-leader", "patroni/ha.py", ""},
    RuleRow{RuleCode::FailoverScheduled, "failover-scheduled", "patroni/ha.py", ""},
    RuleRow{RuleCode::InThePast, "in-the-past", "patroni/ha.py", ""},
    RuleRow{RuleCode::TooLate, "too-late", "patroni/ha.py", ""},
    RuleRow{RuleCode::TooNear, "too-near", "patroni/ha.py", ""},
    RuleRow{RuleCode::AlreadyPending, "already-pending", "patroni/ha.py", ""},
    RuleRow{RuleCode::PendingUnparsable, "pending-unparsable", "patroni/ha.py", ""},
    RuleRow{RuleCode::ScheduleHasEffects, "schedule-has-effects", "patroni/ha.py", ""},
    RuleRow{RuleCode::LeaderStatusOld, "leader-status-old", "patroni/ha.py", ""},
    RuleRow{RuleCode::LeaderHealthy, "leader-healthy", "patroni/ha.py", ""},
    RuleRow{RuleCode::SyncFailover, "sync-failover", "patroni/ha.py", ""},
    RuleRow{RuleCode::CitusGroup, "citus-group", "patroni/ha.py", ""},
    RuleRow{RuleCode::OwnerReacts, "owner-reacts", "patroni/ha.py", ""},
    RuleRow{RuleCode::IsLeader, "is-leader", "patroni/ha.py", ""},
    RuleRow{RuleCode::NotReported, "not-reported", "patroni/ha.py", ""},
    RuleRow{RuleCode::NoApiUrl, "no-api-url", "patroni/ha.py", ""},
    RuleRow{RuleCode::NotRunning, "not-running", "patroni/ha.py", ""},
    RuleRow{RuleCode::Deleting, "deleting", "patroni/ha.py", ""},
    RuleRow{RuleCode::NoFailoverTag, "nofailover", "patroni/ha.py", ""},
    RuleRow{RuleCode::FailoverPriorityZero, "failover-priority-zero", "patroni/ha.py", ""},
    RuleRow{RuleCode::NotSyncStandby, "not-sync-standby", "patroni/ha.py", ""},
    RuleRow{RuleCode::NotVoter, "not-voter", "patroni/ha.py", ""},
    RuleRow{RuleCode::LagOverLimit, "lag-over-limit", "patroni/ha.py", ""},
    RuleRow{RuleCode::LagUnknown, "lag-unknown", "patroni/ha.py", ""},
    RuleRow{RuleCode::PositionOld, "position-old", "patroni/ha.py", ""},
    RuleRow{RuleCode::OldTimeline, "old-timeline", "patroni/ha.py", ""},
    RuleRow{RuleCode::StatusOld, "status-old", "patroni/ha.py", ""},
    RuleRow{RuleCode::WatchdogUnknown, "watchdog-unknown", "patroni/ha.py", ""},
    RuleRow{RuleCode::ReachabilityUnknown, "reachability-unknown", "patroni/ha.py", ""},
    RuleRow{RuleCode::NotReachable, "not-reachable", "patroni/ha.py", ""},
    RuleRow{RuleCode::WatchdogFailed, "watchdog-failed", "patroni/ha.py", ""},
    RuleRow{RuleCode::CutOff, "cut-off", "patroni/ha.py", ""},
    RuleRow{RuleCode::LiveNoFailover, "live-nofailover", "patroni/ha.py", ""},
    RuleRow{RuleCode::LiveNotRunning, "live-not-running", "patroni/ha.py", ""},
    RuleRow{RuleCode::LiveLagOverLimit, "live-lag-over-limit", "patroni/ha.py", ""},
};

const RuleRow *rowOf(RuleCode rule)
{
    for (const RuleRow &row : rows) {
        if (row.rule == rule)
            return &row;
    }
    return nullptr;
}

std::string phrase(const Finding &finding)
{
    std::string text(code(finding.rule));
    if (!finding.subject.empty())
        text += ":" + finding.subject;
    if (finding.amount)
        text += "=" + std::to_string(*finding.amount);
    return text;
}

// What blocks, and what warns with a question mark.
std::string phrases(const std::vector<Finding> &findings)
{
    std::string text;
    for (const Finding &finding : findings) {
        if (finding.severity != Severity::Note)
            text += " " + phrase(finding) + (finding.severity == Severity::Warning ? "?" : "");
    }
    return text;
}

} // namespace

std::string_view code(RuleCode rule)
{
    const RuleRow *row = rowOf(rule);
    return row ? row->code : "unknown";
}

RuleSource sourceOf(RuleCode rule)
{
    const RuleRow *row = rowOf(rule);
    return row ? RuleSource{row->where, row->versions} : RuleSource{};
}

std::string summary(const Preflight &preflight)
{
    std::string text = (preflight.fit ? "fit" : "unfit") + phrases(preflight.request);
    for (const MemberVerdict &member : preflight.members)
        text += "; " + member.member + (member.fit ? " fit" : " unfit") + phrases(member.findings);
    return text;
}

} // namespace switchyard::rules
