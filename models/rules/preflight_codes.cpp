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
    RuleRow{RuleCode::ViewStale, "view-stale", "Switchyard: nothing is judged on what may be old", ""},
    RuleRow{RuleCode::ModeUnclear, "mode-unclear", "patroni/dcs/kubernetes.py use_endpoints", ""},
    RuleRow{RuleCode::NoLeader, "no-leader", "patroni/api.py is_failover_possible", ""},
    RuleRow{RuleCode::LeaderNotNamed, "leader-not-named", "patroni/api.py do_POST_failover", ""},
    RuleRow{RuleCode::LeaderMismatch, "leader-mismatch", "patroni/ha.py process_manual_failover_from_leader", ""},
    RuleRow{RuleCode::SameMember, "same-member", "patroni/ha.py process_manual_failover_from_leader", ""},
    RuleRow{RuleCode::UnknownCandidate, "unknown-candidate", "patroni/api.py is_failover_possible", ""},
    RuleRow{RuleCode::CandidateUnfit, "candidate-unfit", "patroni/ha.py is_failover_possible", ""},
    RuleRow{RuleCode::CandidateNotNamed, "candidate-not-named", "patroni/api.py do_POST_failover", ""},
    RuleRow{RuleCode::NoFitCandidate, "no-fit-candidate", "patroni/ha.py is_failover_possible", ""},
    RuleRow{RuleCode::TooFewForQuorum, "too-few-for-quorum", "patroni/ha.py is_failover_possible", "4.0.0 and later"},
    RuleRow{RuleCode::PausedSchedule, "paused-schedule", "patroni/ha.py should_run_scheduled_action", ""},
    RuleRow{RuleCode::PausedNeedsCandidate, "paused-needs-candidate", "patroni/ha.py process_manual_failover_from_leader", ""},
    RuleRow{RuleCode::PausedStandbyLeader, "paused-standby-leader", "patroni/ha.py process_manual_failover_from_leader", ""},
    RuleRow{RuleCode::FailoverScheduled, "failover-scheduled", "patroni/api.py do_POST_failover", "3.2.0 and later"},
    RuleRow{RuleCode::InThePast, "in-the-past", "patroni/api.py parse_schedule", ""},
    RuleRow{RuleCode::TooLate, "too-late", "patroni/ha.py should_run_scheduled_action", ""},
    RuleRow{RuleCode::TooNear, "too-near", "patroni/ha.py should_run_scheduled_action", ""},
    RuleRow{RuleCode::AlreadyPending, "already-pending", "patroni/dcs/kubernetes.py manual_failover", ""},
    RuleRow{RuleCode::PendingUnparsable, "pending-unparsable", "patroni/dcs/__init__.py Failover.from_node", ""},
    RuleRow{RuleCode::RequestUnseen, "request-unseen", "patroni/dcs/kubernetes.py _label_selector", ""},
    RuleRow{RuleCode::ScheduleHasEffects, "schedule-has-effects", "patroni/ha.py manual_failover_process_no_leader", ""},
    RuleRow{RuleCode::LeaderStatusOld, "leader-status-old", "patroni/ha.py process_healthy_cluster", ""},
    RuleRow{RuleCode::LeaderBusy, "leader-busy", "patroni/ha.py _run_cycle, handle_long_action_in_progress, handle_starting_instance", ""},
    RuleRow{RuleCode::LeaderHealthy, "leader-healthy", "patroni/ha.py manual_failover_process_no_leader", ""},
    RuleRow{RuleCode::SyncFailover, "sync-failover", "patroni/ha.py get_failover_candidates", "3.2.0 and later"},
    RuleRow{RuleCode::CitusGroup, "citus-group", "patroni/dcs/kubernetes.py client_path", "3.0.0 and later"},
    RuleRow{RuleCode::OwnerReacts, "owner-reacts", "Switchyard: the operator of the cluster, not Patroni", ""},
    RuleRow{RuleCode::IsLeader, "is-leader", "patroni/ha.py is_failover_possible", ""},
    RuleRow{RuleCode::NotReported, "not-reported", "patroni/dcs/kubernetes.py member", ""},
    RuleRow{RuleCode::NoApiUrl, "no-api-url", "patroni/ha.py is_failover_possible", ""},
    RuleRow{RuleCode::NotRunning, "not-running", "patroni/ha.py _MemberStatus.from_api_response", ""},
    RuleRow{RuleCode::Deleting, "deleting", "patroni/ha.py shutdown", ""},
    RuleRow{RuleCode::NoFailoverTag, "nofailover", "patroni/ha.py is_failover_possible", ""},
    RuleRow{RuleCode::FailoverPriorityZero, "failover-priority-zero", "patroni/tags.py nofailover", "3.2.0 and later"},
    RuleRow{RuleCode::NotSyncStandby, "not-sync-standby", "patroni/ha.py process_manual_failover_from_leader, get_failover_candidates",
            "up to 3.1 every request; 3.2.0 and later a switchover while SCOPE-sync names a leader"},
    RuleRow{RuleCode::NotVoter, "not-voter", "patroni/ha.py get_failover_candidates", "4.0.0 and later"},
    RuleRow{RuleCode::LagOverLimit, "lag-over-limit", "patroni/ha.py is_lagging", ""},
    RuleRow{RuleCode::LagUnknown, "lag-unknown", "patroni/ha.py is_lagging", ""},
    RuleRow{RuleCode::PositionOld, "position-old", "patroni/dcs/kubernetes.py update_leader", ""},
    RuleRow{RuleCode::OldTimeline, "old-timeline", "patroni/ha.py is_failover_possible, check_timeline", ""},
    RuleRow{RuleCode::StatusOld, "status-old", "patroni/ha.py touch_member", ""},
    RuleRow{RuleCode::WatchdogUnknown, "watchdog-unknown", "patroni/ha.py _MemberStatus.failover_limitation", ""},
    RuleRow{RuleCode::ReachabilityUnknown, "reachability-unknown", "patroni/ha.py fetch_nodes_statuses", ""},
    RuleRow{RuleCode::NotReachable, "not-reachable", "patroni/ha.py _MemberStatus.failover_limitation", ""},
    RuleRow{RuleCode::WatchdogFailed, "watchdog-failed", "patroni/ha.py _MemberStatus.failover_limitation", ""},
    RuleRow{RuleCode::CutOff, "cut-off", "patroni/api.py get_postgresql_status", ""},
    RuleRow{RuleCode::LiveNoFailover, "live-nofailover", "patroni/ha.py _MemberStatus.failover_limitation", ""},
    RuleRow{RuleCode::LiveNotRunning, "live-not-running", "patroni/ha.py _MemberStatus.from_api_response", ""},
    RuleRow{RuleCode::LiveLagOverLimit, "live-lag-over-limit", "patroni/ha.py is_lagging", ""},
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
