// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rules/preflight_cases.h"

namespace switchyard::rules {

using namespace std::chrono_literals;
using patroni::LockState;
using patroni::SyncMode;
using Schedule = patroni::FailoverRequest::Schedule;

namespace {

constexpr auto manual = "patroni/ha.py process_manual_failover_from_leader";
constexpr auto possible = "patroni/ha.py is_failover_possible";
constexpr auto scheduled = "patroni/ha.py should_run_scheduled_action";
constexpr auto rest = "patroni/api.py do_POST_failover";
constexpr auto restPossible = "patroni/api.py is_failover_possible";

void at(Asked &a, Duration d)
{
    a.wish.at = noon + d;
}

void pending(Asked &a, Schedule schedule, const char *raw)
{
    a.cluster.failover.emplace();
    a.cluster.failover->leader = "acme-1";
    a.cluster.failover->member = "acme-2";
    a.cluster.failover->schedule = schedule;
    if (raw)
        a.cluster.failover->scheduledAtRaw = raw;
}

std::vector<Case> viewCases()
{
    return {
        {"live", RuleCode::ViewStale, "Switchyard", "", [](Asked &) {}},
        {"stale", RuleCode::ViewStale, "Switchyard", "!view-stale", [](Asked &a) { a.cluster.view.freshness = patroni::Freshness::Stale; }},
        {"forbidden", RuleCode::ViewStale, "Switchyard", "!view-stale",
         [](Asked &a) { a.cluster.view.freshness = patroni::Freshness::Forbidden; }},
        {"lock out of sight", RuleCode::ViewStale, "Switchyard", "!view-stale", [](Asked &a) { a.cluster.lock.state = LockState::Stale; }},
        {"stale: who leads is not known", RuleCode::ViewStale, "Switchyard", "!view-stale",
         [](Asked &a) {
             a.cluster.view.freshness = patroni::Freshness::Stale;
             a.cluster.leaderName.reset();
             a.wish.leader.reset();
         }},
        {"one kind", RuleCode::ModeUnclear, "patroni/dcs/kubernetes.py use_endpoints", "", [](Asked &) {}},
        {"two kinds, seen to move", RuleCode::ModeUnclear, "patroni/dcs/kubernetes.py use_endpoints", "?mode-unclear",
         [](Asked &a) { a.cluster.names.otherModePresent = true; }},
        {"two kinds, not seen to move", RuleCode::ModeUnclear, "patroni/dcs/kubernetes.py use_endpoints", "!mode-unclear",
         [](Asked &a) {
             a.cluster.names.otherModePresent = true;
             a.cluster.lock.state = LockState::Unverified;
         }},
        {"renewed", RuleCode::LeaderStatusOld, "patroni/ha.py process_healthy_cluster", "", [](Asked &) {}},
        {"renewal is late", RuleCode::LeaderStatusOld, "patroni/ha.py process_healthy_cluster", "?leader-status-old:acme-1=25",
         [](Asked &a) {
             a.cluster.lock.late = true;
             a.cluster.lock.changedNotAfter = a.now.boot - 25s;
         }},
        {"no group", RuleCode::CitusGroup, "patroni/dcs/kubernetes.py client_path", "", [](Asked &) {}},
        {"a group", RuleCode::CitusGroup, "patroni/dcs/kubernetes.py client_path", "~citus-group:2",
         [](Asked &a) { a.cluster.names.key.group = 2; }},
        {"nobody's cluster", RuleCode::OwnerReacts, "the operator", "", [](Asked &) {}},
        {"an operator that lets it be", RuleCode::OwnerReacts, "the operator", "",
         [](Asked &a) {
             a.cluster.commonMemberLabels = {{"application", "spilo"}, {"team", "acid"}};
         }},
        {"an operator that is not known", RuleCode::OwnerReacts, "the operator", "~owner-reacts:other",
         [](Asked &a) {
             a.cluster.objects["config"].owners = {{"Database", "acme", "1"}};
         }},
    };
}

std::vector<Case> leaderCases()
{
    return {
        {"somebody leads", RuleCode::NoLeader, restPossible, "", [](Asked &) {}},
        {"nobody leads", RuleCode::NoLeader, restPossible, "!no-leader", [](Asked &a) { a.cluster.leaderName.reset(); }},
        {"nobody leads, failover", RuleCode::NoLeader, restPossible, "", [](Asked &a) { a.nobodyLeads(); }},
        {"leader named", RuleCode::LeaderNotNamed, rest, "", [](Asked &) {}},
        {"leader not named", RuleCode::LeaderNotNamed, rest, "!leader-not-named", [](Asked &a) { a.wish.leader.reset(); }},
        {"failover names none", RuleCode::LeaderNotNamed, rest, "", [](Asked &a) { a.failover(); }},
        {"the leader", RuleCode::LeaderMismatch, manual, "", [](Asked &) {}},
        {"another leader", RuleCode::LeaderMismatch, manual, "!leader-mismatch:acme-1", [](Asked &a) { a.wish.leader = "acme-2"; }},
        {"another member", RuleCode::SameMember, manual, "", [](Asked &) {}},
        {"to itself", RuleCode::SameMember, manual, "!same-member:acme-1", [](Asked &a) { a.wish.candidate = "acme-1"; }},
        {"failover to the leader", RuleCode::SameMember, manual, "!same-member:acme-1", [](Asked &a) { a.wish = failoverWish("acme-1"); }},
        {"switchover of a healthy leader", RuleCode::LeaderHealthy, "patroni/ha.py manual_failover_process_no_leader", "", [](Asked &) {}},
        {"failover of a healthy leader", RuleCode::LeaderHealthy, "patroni/ha.py manual_failover_process_no_leader",
         "?leader-healthy:acme-1", [](Asked &a) { a.failover(); }},
        {"failover of a late leader", RuleCode::LeaderHealthy, "patroni/ha.py manual_failover_process_no_leader", "",
         [](Asked &a) {
             a.failover();
             a.cluster.lock.late = true;
         }},
        {"failover without a leader", RuleCode::LeaderHealthy, "patroni/ha.py manual_failover_process_no_leader", "",
         [](Asked &a) { a.nobodyLeads(); }},
    };
}

std::vector<Case> busyCases()
{
    constexpr auto cycle = "patroni/ha.py _run_cycle";
    const auto state = [](const char *name) { return [name](Asked &a) { patroni::member(a.cluster, "acme-1").record.state = name; }; };
    return {
        {"runs", RuleCode::LeaderBusy, cycle, "", state("running")},
        {"restarts", RuleCode::LeaderBusy, "handle_long_action_in_progress", "?leader-busy:restarting", state("restarting")},
        {"stops", RuleCode::LeaderBusy, cycle, "?leader-busy:stopping", state("stopping")},
        {"starts", RuleCode::LeaderBusy, "handle_starting_instance", "?leader-busy:starting", state("starting")},
        {"has crashed", RuleCode::LeaderBusy, cycle, "?leader-busy:crashed", state("crashed")},
        {"does not say", RuleCode::LeaderBusy, cycle, "", [](Asked &a) { patroni::member(a.cluster, "acme-1").record.state.reset(); }},
        {"a candidate restarts", RuleCode::LeaderBusy, cycle, "", [](Asked &a) { a.target().record.state = "restarting"; }},
        {"restarts, and the time is near", RuleCode::LeaderBusy, cycle, "?leader-busy:restarting",
         [state](Asked &a) {
             state("restarting")(a);
             at(a, 10s);
         }},
        {"restarts, and the time is far", RuleCode::LeaderBusy, cycle, "~leader-busy:restarting",
         [state](Asked &a) {
             state("restarting")(a);
             at(a, 1h);
         }},
        {"restarts, and a failover is asked for", RuleCode::LeaderBusy, cycle, "?leader-busy:restarting",
         [state](Asked &a) {
             a.failover();
             state("restarting")(a);
         }},
        {"nobody leads", RuleCode::LeaderBusy, cycle, "",
         [state](Asked &a) {
             state("restarting")(a);
             a.nobodyLeads();
         }},
        {"says by now that it runs", RuleCode::LeaderBusy, cycle, "",
         [state](Asked &a) {
             state("restarting")(a);
             a.answers["acme-1"] = a.answer();
         }},
        {"says by now that it restarts", RuleCode::LeaderBusy, cycle, "?leader-busy:restarting",
         [](Asked &a) {
             a.answers["acme-1"] = a.answer();
             a.answers["acme-1"].state = "restarting";
         }},
    };
}

std::vector<Case> candidateCases()
{
    const auto crippled = [](Asked &a) {
        a.wish = switchoverWish("acme-1");
        a.target().record.deleting = true;
        patroni::member(a.cluster, "acme-2").record.deleting = true;
    };
    return {
        {"a member", RuleCode::UnknownCandidate, restPossible, "", [](Asked &) {}},
        {"a stranger", RuleCode::UnknownCandidate, restPossible, "!unknown-candidate:acme-9",
         [](Asked &a) { a.wish.candidate = "acme-9"; }},
        {"fit", RuleCode::CandidateUnfit, possible, "", [](Asked &) {}},
        {"unfit", RuleCode::CandidateUnfit, possible, "!candidate-unfit:acme-0", [](Asked &a) { a.target().record.deleting = true; }},
        {"switchover to any", RuleCode::CandidateNotNamed, rest, "", [](Asked &a) { a.wish = switchoverWish("acme-1"); }},
        {"failover to any", RuleCode::CandidateNotNamed, rest, "!candidate-not-named",
         [](Asked &a) {
             a.failover();
             a.wish.candidate.reset();
         }},
        {"one fit is enough", RuleCode::NoFitCandidate, possible, "",
         [](Asked &a) {
             a.wish = switchoverWish("acme-1");
             a.target().record.deleting = true;
         }},
        {"nobody is fit", RuleCode::NoFitCandidate, possible, "!no-fit-candidate", crippled},
        {"votes enough", RuleCode::TooFewForQuorum, possible, "",
         [](Asked &a) {
             a.wish = switchoverWish("acme-1");
             a.sync(SyncMode::Quorum, {"acme-0", "acme-2"}, 1);
         }},
        {"a vote is missing", RuleCode::TooFewForQuorum, possible, "!too-few-for-quorum=1",
         [](Asked &a) {
             a.wish = switchoverWish("acme-1");
             a.sync(SyncMode::Quorum, {"acme-0", "acme-2"}, 2);
         }},
        {"votes do not count with a name", RuleCode::TooFewForQuorum, possible, "",
         [](Asked &a) {
             a.sync(SyncMode::Quorum, {"acme-0", "acme-2"}, 2);
         }},
        {"no quorum before 4.0", RuleCode::TooFewForQuorum, possible, "",
         [](Asked &a) {
             a.wish = switchoverWish("acme-1");
             a.sync(SyncMode::Quorum, {"acme-0", "acme-2"}, 2);
             a.leaderRuns("3.3.2");
         }},
        {"failover to a standby that is synchronous", RuleCode::SyncFailover, "patroni/ha.py get_failover_candidates", "",
         [](Asked &a) {
             a.failover();
             a.sync(SyncMode::On, {"acme-0"});
         }},
        {"failover past the synchronous ones", RuleCode::SyncFailover, "patroni/ha.py get_failover_candidates", "?sync-failover:acme-0",
         [](Asked &a) {
             a.failover();
             a.sync(SyncMode::On, {"acme-2"});
         }},
        {"before 3.2 it is refused instead", RuleCode::SyncFailover, "patroni/ha.py get_failover_candidates", "",
         [](Asked &a) {
             a.failover();
             a.sync(SyncMode::On, {"acme-2"});
             a.leaderRuns("3.1.2");
         }},
    };
}

std::vector<Case> pauseCases()
{
    return {
        {"scheduled", RuleCode::PausedSchedule, scheduled, "", [](Asked &a) { at(a, 1h); }},
        {"scheduled while paused", RuleCode::PausedSchedule, scheduled, "!paused-schedule",
         [](Asked &a) {
             at(a, 1h);
             a.config().paused = true;
         }},
        {"named while paused", RuleCode::PausedNeedsCandidate, manual, "", [](Asked &a) { a.config().paused = true; }},
        {"any while paused", RuleCode::PausedNeedsCandidate, manual, "!paused-needs-candidate",
         [](Asked &a) {
             a.wish = switchoverWish("acme-1");
             a.config().paused = true;
         }},
        {"paused primary", RuleCode::PausedStandbyLeader, manual, "", [](Asked &a) { a.config().paused = true; }},
        {"standby leader", RuleCode::PausedStandbyLeader, manual, "", [](Asked &a) { a.config().standbyCluster = true; }},
        {"paused standby leader", RuleCode::PausedStandbyLeader, manual, "!paused-standby-leader",
         [](Asked &a) {
             a.config().paused = true;
             a.config().standbyCluster = true;
         }},
    };
}

std::vector<Case> timeCases()
{
    return {
        {"switchover scheduled", RuleCode::FailoverScheduled, rest, "", [](Asked &a) { at(a, 1h); }},
        {"failover scheduled", RuleCode::FailoverScheduled, rest, "!failover-scheduled",
         [](Asked &a) {
             a.failover();
             at(a, 1h);
         }},
        {"this moment", RuleCode::InThePast, "patroni/api.py parse_schedule", "", [](Asked &a) { at(a, 0s); }},
        {"just past", RuleCode::InThePast, "patroni/api.py parse_schedule", "!in-the-past", [](Asked &a) { at(a, -1us); }},
        {"overdue by int(1.5*loop_wait)", RuleCode::TooLate, scheduled, "", [](Asked &a) { at(a, -15s); }},
        {"overdue by more", RuleCode::TooLate, scheduled, "!too-late", [](Asked &a) { at(a, -15s - 1us); }},
        {"int(1.5*3) is 4", RuleCode::TooLate, scheduled, "!too-late",
         [](Asked &a) {
             at(a, -4s - 1us);
             a.config().loopWait = 3;
         }},
        {"due within loop_wait", RuleCode::TooNear, scheduled, "?too-near", [](Asked &a) { at(a, 10s); }},
        {"due after loop_wait", RuleCode::TooNear, scheduled, "", [](Asked &a) { at(a, 10s + 1us); }},
        {"not scheduled", RuleCode::ScheduleHasEffects, "patroni/ha.py manual_failover_process_no_leader", "", [](Asked &) {}},
        {"in an hour", RuleCode::ScheduleHasEffects, "patroni/ha.py manual_failover_process_no_leader", "~schedule-has-effects:acme-0",
         [](Asked &a) { at(a, 1h); }},
        {"nothing pending", RuleCode::AlreadyPending, "patroni/dcs/kubernetes.py manual_failover", "",
         [](Asked &a) { a.cluster.failover.emplace(); }},
        {"pending", RuleCode::AlreadyPending, "patroni/dcs/kubernetes.py manual_failover", "?already-pending:acme-2",
         [](Asked &a) { pending(a, Schedule::None, nullptr); }},
        {"a left-over time", RuleCode::AlreadyPending, "patroni/dcs/kubernetes.py manual_failover", "?already-pending",
         [](Asked &a) {
             a.cluster.failover.emplace();
             a.cluster.failover->scheduledAtRaw = "2031-02-03T01:30:00+00:00";
         }},
        {"pending with a good time", RuleCode::PendingUnparsable, "patroni/dcs/__init__.py Failover.from_node", "",
         [](Asked &a) { pending(a, Schedule::Valid, "2031-02-03T01:30:00+00:00"); }},
        {"pending with a bad time", RuleCode::PendingUnparsable, "patroni/dcs/__init__.py Failover.from_node", "!pending-unparsable",
         [](Asked &a) { pending(a, Schedule::Unparsable, "tomorrow"); }},
        {"a bad time that is not seen", RuleCode::PendingUnparsable, "patroni/dcs/__init__.py Failover.from_node", "",
         [](Asked &a) {
             pending(a, Schedule::Unparsable, "tomorrow");
             a.cluster.failoverUnseen = true;
         }},
        {"seen", RuleCode::RequestUnseen, "patroni/dcs/kubernetes.py _label_selector", "",
         [](Asked &a) { pending(a, Schedule::Unparsable, "tomorrow"); }},
        {"not seen", RuleCode::RequestUnseen, "patroni/dcs/kubernetes.py _label_selector", "~request-unseen:acme-2",
         [](Asked &a) {
             pending(a, Schedule::None, nullptr);
             a.cluster.failoverUnseen = true;
         }},
        {"not seen, and empty", RuleCode::RequestUnseen, "patroni/dcs/kubernetes.py _label_selector", "",
         [](Asked &a) {
             a.cluster.failover.emplace();
             a.cluster.failoverUnseen = true;
         }},
    };
}

} // namespace

std::vector<Case> requestCases()
{
    std::vector<Case> all;
    for (auto part : {viewCases(), leaderCases(), busyCases(), candidateCases(), pauseCases(), timeCases()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace switchyard::rules
