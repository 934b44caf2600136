// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rules/preflight_cases.h"

namespace switchyard::rules {

using namespace std::chrono_literals;
using patroni::SyncMode;

namespace {

constexpr auto possible = "patroni/ha.py is_failover_possible";
constexpr auto candidates = "patroni/ha.py process_manual_failover_from_leader, get_failover_candidates";
constexpr auto voters = "patroni/ha.py get_failover_candidates";
constexpr auto lagging = "patroni/ha.py is_lagging";
constexpr auto fromApi = "patroni/ha.py _MemberStatus.from_api_response";
constexpr auto limitation = "patroni/ha.py _MemberStatus.failover_limitation";
constexpr auto timelines = "patroni/ha.py is_failover_possible, check_timeline";

std::function<void(Asked &)> priority(const char *leader, const char *self)
{
    return [leader, self](Asked &a) {
        if (leader)
            a.leaderRuns(leader);
        else
            a.leaderUnknown();
        a.target().record.version = self ? std::optional<std::string>(self) : std::nullopt;
        a.target().record.tags["failover_priority"] = "0";
    };
}

std::vector<Case> stateCases()
{
    return {
        {"a replica", RuleCode::IsLeader, possible, "", [](Asked &) {}},
        {"reported", RuleCode::NotReported, "patroni/dcs/kubernetes.py member", "", [](Asked &) {}},
        {"not reported", RuleCode::NotReported, "patroni/dcs/kubernetes.py member", "!not-reported",
         [](Asked &a) { a.target().record.reported = false; }},
        {"api_url", RuleCode::NoApiUrl, possible, "", [](Asked &) {}},
        {"no api_url", RuleCode::NoApiUrl, possible, "!no-api-url", [](Asked &a) { a.target().record.apiUrl.reset(); }},
        {"no api_url, nobody leads", RuleCode::NoApiUrl, possible, "?no-api-url",
         [](Asked &a) {
             a.nobodyLeads();
             a.target().record.apiUrl.reset();
         }},
        {"running", RuleCode::NotRunning, fromApi, "", [](Asked &) {}},
        {"starting", RuleCode::NotRunning, fromApi, "!not-running:starting", [](Asked &a) { a.target().record.state = "starting"; }},
        {"Pod pending", RuleCode::NotRunning, fromApi, "!not-running:Pending", [](Asked &a) { a.target().record.pod.phase = "Pending"; }},
        {"a container waits", RuleCode::NotRunning, fromApi, "?not-running:CrashLoopBackOff",
         [](Asked &a) { a.target().record.pod.notRunning = "CrashLoopBackOff"; }},
        {"stays", RuleCode::Deleting, "patroni/ha.py shutdown", "", [](Asked &) {}},
        {"goes", RuleCode::Deleting, "patroni/ha.py shutdown", "!deleting", [](Asked &a) { a.target().record.deleting = true; }},
    };
}

std::vector<Case> tagCases()
{
    constexpr auto tags = "patroni/tags.py nofailover";
    return {
        {"no tag", RuleCode::NoFailoverTag, possible, "", [](Asked &) {}},
        {"tag is false", RuleCode::NoFailoverTag, possible, "", [](Asked &a) { a.target().record.tags["nofailover"] = "false"; }},
        {"tag is true", RuleCode::NoFailoverTag, possible, "!nofailover", [](Asked &a) { a.target().record.tags["nofailover"] = "true"; }},
        {"tag is true, nobody leads", RuleCode::NoFailoverTag, possible, "!nofailover",
         [](Asked &a) {
             a.nobodyLeads();
             a.target().record.tags["nofailover"] = "true";
         }},
        {"no priority", RuleCode::FailoverPriorityZero, tags, "", [](Asked &) {}},
        {"priority 1", RuleCode::FailoverPriorityZero, tags, "", [](Asked &a) { a.target().record.tags["failover_priority"] = "1"; }},
        {"priority 0", RuleCode::FailoverPriorityZero, tags, "!failover-priority-zero", priority("4.0.7", "4.0.7")},
        {"both before 3.2", RuleCode::FailoverPriorityZero, tags, "", priority("3.1.2", "3.0.2")},
        {"the leader is new", RuleCode::FailoverPriorityZero, tags, "!failover-priority-zero", priority("3.2.0", "3.1.2")},
        {"the member is new", RuleCode::FailoverPriorityZero, tags, "!failover-priority-zero", priority("3.1.2", "3.2.0")},
        {"the leader's version is unknown", RuleCode::FailoverPriorityZero, tags, "?failover-priority-zero", priority(nullptr, "3.1.2")},
        {"no version is known", RuleCode::FailoverPriorityZero, tags, "?failover-priority-zero", priority(nullptr, nullptr)},
        {"nofailover says otherwise", RuleCode::FailoverPriorityZero, tags, "",
         [](Asked &a) {
             a.target().record.tags["failover_priority"] = "0";
             a.target().record.tags["nofailover"] = "false";
         }},
    };
}

std::function<void(Asked &)> failoverPast(const char *leader)
{
    return [leader](Asked &a) {
        a.failover();
        a.sync(SyncMode::On, {"acme-2"});
        if (leader)
            a.leaderRuns(leader);
        else
            a.leaderUnknown();
    };
}

std::function<void(Asked &)> syncNotYet(const char *leader)
{
    return [leader](Asked &a) {
        a.sync(SyncMode::On, {});
        a.cluster.sync->leader.reset();
        if (leader)
            a.leaderRuns(leader);
        else
            a.leaderUnknown();
    };
}

std::vector<Case> syncCases()
{
    return {
        {"a synchronous standby", RuleCode::NotSyncStandby, candidates, "", [](Asked &a) { a.sync(SyncMode::On, {"acme-0"}); }},
        {"not one", RuleCode::NotSyncStandby, candidates, "!not-sync-standby", [](Asked &a) { a.sync(SyncMode::On, {"acme-2"}); }},
        {"the mode is off", RuleCode::NotSyncStandby, candidates, "", [](Asked &a) { a.sync(SyncMode::Off, {"acme-2"}); }},
        {"failover up to 3.1", RuleCode::NotSyncStandby, candidates, "!not-sync-standby", failoverPast("3.1.2")},
        {"failover since 3.2", RuleCode::NotSyncStandby, candidates, "?not-sync-standby", failoverPast("3.2.0")},
        {"failover, version unknown", RuleCode::NotSyncStandby, candidates, "?not-sync-standby", failoverPast(nullptr)},
        {"failover without a leader", RuleCode::NotSyncStandby, candidates, "?not-sync-standby",
         [](Asked &a) {
             a.nobodyLeads();
             a.sync(SyncMode::On, {"acme-2"});
         }},
        {"nobody is synchronous yet, 3.0", RuleCode::NotSyncStandby, candidates, "!not-sync-standby", syncNotYet("3.0.2")},
        {"nobody is synchronous yet, 3.1", RuleCode::NotSyncStandby, candidates, "!not-sync-standby", syncNotYet("3.1.2")},
        {"nobody is synchronous yet, 3.2", RuleCode::NotSyncStandby, candidates, "", syncNotYet("3.2.0")},
        {"nobody is synchronous yet, 3.3", RuleCode::NotSyncStandby, candidates, "", syncNotYet("3.3.2")},
        {"nobody is synchronous yet, 4.0", RuleCode::NotSyncStandby, candidates, "", syncNotYet("4.0.7")},
        {"nobody is synchronous yet, version unknown", RuleCode::NotSyncStandby, candidates, "?not-sync-standby", syncNotYet(nullptr)},
        {"nobody is synchronous yet, by REST", RuleCode::NotSyncStandby, candidates, "!not-sync-standby",
         [](Asked &a) {
             syncNotYet("4.0.7")(a);
             a.wish.byRest = true;
         }},
        {"nobody is synchronous yet, later by REST", RuleCode::NotSyncStandby, candidates, "",
         [](Asked &a) {
             syncNotYet("4.0.7")(a);
             a.wish.byRest = true;
             a.wish.at = noon + 1h;
         }},
        {"a standby cluster before 3.2", RuleCode::NotSyncStandby, candidates, "!not-sync-standby",
         [](Asked &a) {
             a.sync(SyncMode::On, {"acme-2"});
             a.config().standbyCluster = true;
             a.leaderRuns("3.1.2");
         }},
        {"a standby cluster ignores the mode since 3.2", RuleCode::NotSyncStandby, candidates, "",
         [](Asked &a) {
             a.sync(SyncMode::On, {"acme-2"});
             a.config().standbyCluster = true;
             a.leaderRuns("3.2.0");
         }},
        {"other case since 3.0.3", RuleCode::NotSyncStandby, candidates, "", [](Asked &a) { a.sync(SyncMode::On, {"ACME-0"}); }},
        {"other case before", RuleCode::NotSyncStandby, candidates, "!not-sync-standby",
         [](Asked &a) {
             a.sync(SyncMode::On, {"ACME-0"});
             a.leaderRuns("3.0.2");
         }},
        {"a voter", RuleCode::NotVoter, voters, "", [](Asked &a) { a.sync(SyncMode::Quorum, {"acme-0"}, 1); }},
        {"no voter", RuleCode::NotVoter, voters, "!not-voter", [](Asked &a) { a.sync(SyncMode::Quorum, {"acme-2"}, 1); }},
        {"no voter, failover", RuleCode::NotVoter, voters, "?not-voter",
         [](Asked &a) {
             a.failover();
             a.sync(SyncMode::Quorum, {"acme-2"}, 1);
         }},
        {"a quorum that is no number is none", RuleCode::NotVoter, voters, "",
         [](Asked &a) {
             a.sync(SyncMode::Quorum, {"acme-2"});
             a.cluster.sync->unreadable = true;
         }},
    };
}

std::vector<Case> lagCases()
{
    return {
        {"at the limit", RuleCode::LagOverLimit, lagging, "", [](Asked &a) { a.target().lag = 1048576; }},
        {"over the limit", RuleCode::LagOverLimit, lagging, "!lag-over-limit=1048577", [](Asked &a) { a.target().lag = 1048577; }},
        {"over the limit, nobody leads", RuleCode::LagOverLimit, lagging, "?lag-over-limit=1048577",
         [](Asked &a) {
             a.nobodyLeads();
             a.target().lag = 1048577;
         }},
        {"no limit can be read", RuleCode::LagOverLimit, lagging, "",
         [](Asked &a) {
             a.config().maximumLagOnFailover.reset();
             a.target().lag = 1048577;
         }},
        {"no config: the default", RuleCode::LagOverLimit, lagging, "!lag-over-limit=1048577",
         [](Asked &a) {
             a.cluster.config.reset();
             a.target().lag = 1048577;
         }},
        {"lag known", RuleCode::LagUnknown, lagging, "", [](Asked &) {}},
        {"lag unknown", RuleCode::LagUnknown, lagging, "?lag-unknown", [](Asked &a) { a.target().lag.reset(); }},
        {"position just written", RuleCode::PositionOld, "patroni/dcs/kubernetes.py update_leader", "",
         [](Asked &a) { a.cluster.lock.changedNotAfter = a.now.boot - 20s; }},
        {"position of a while ago", RuleCode::PositionOld, "patroni/dcs/kubernetes.py update_leader", "?position-old=21",
         [](Asked &a) { a.cluster.lock.changedNotAfter = a.now.boot - 21s; }},
        {"not seen when it was written", RuleCode::PositionOld, "patroni/dcs/kubernetes.py update_leader", "~position-old", [](Asked &) {}},
        {"on the timeline", RuleCode::OldTimeline, timelines, "", [](Asked &) {}},
        {"behind, not checked", RuleCode::OldTimeline, timelines, "?old-timeline", [](Asked &a) { a.target().oldTimeline = true; }},
        {"behind, checked", RuleCode::OldTimeline, timelines, "!old-timeline",
         [](Asked &a) {
             a.config().checkTimeline = true;
             a.target().oldTimeline = true;
         }},
        {"behind, checked, nobody leads", RuleCode::OldTimeline, timelines, "?old-timeline",
         [](Asked &a) {
             a.nobodyLeads();
             a.config().checkTimeline = true;
             a.target().oldTimeline = true;
         }},
        {"unknown, checked", RuleCode::OldTimeline, timelines, "?old-timeline",
         [](Asked &a) {
             a.config().checkTimeline = true;
             a.cluster.timeline = 8;
         }},
        {"status of late", RuleCode::StatusOld, "patroni/ha.py touch_member", "",
         [](Asked &a) { a.target().statusChangedAt = a.now.boot - 30s; }},
        {"idle for long", RuleCode::StatusOld, "patroni/ha.py touch_member", "~status-old=31",
         [](Asked &a) { a.target().statusChangedAt = a.now.boot - 31s; }},
        {"behind, and does not move", RuleCode::StatusOld, "patroni/ha.py touch_member", "?status-old=31",
         [](Asked &a) {
             a.target().statusSeenAt = a.now.boot - 31s;
             a.target().lag = 8;
         }},
    };
}

} // namespace

std::vector<Case> memberCases()
{
    std::vector<Case> all;
    for (auto part : {stateCases(), tagCases(), syncCases(), lagCases()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

LiveAnswer &Asked::answer()
{
    cluster.leader->optime = 5'000'000;
    LiveAnswer &live = answers["acme-0"];
    live.at = now.boot - 1s;
    live.state = "running";
    live.role = "replica";
    live.position = 5'000'000;
    live.noFailover = false;
    live.watchdogFailed = false;
    live.dcsLastSeen = now.wall - 3s;
    return live;
}

std::vector<Case> liveCases()
{
    return {
        {"asked", RuleCode::WatchdogUnknown, limitation, "", [](Asked &a) { a.answer(); }},
        {"not asked", RuleCode::WatchdogUnknown, limitation, "~watchdog-unknown", [](Asked &) {}},
        {"it answers", RuleCode::ReachabilityUnknown, "patroni/ha.py fetch_nodes_statuses", "", [](Asked &a) { a.answer(); }},
        {"it answered long ago", RuleCode::ReachabilityUnknown, "patroni/ha.py fetch_nodes_statuses", "~reachability-unknown",
         [](Asked &a) { a.answer().at = a.now.boot - liveHolds - 1us; }},
        {"asking is not allowed", RuleCode::ReachabilityUnknown, "patroni/ha.py fetch_nodes_statuses", "~reachability-unknown",
         [](Asked &a) { a.answer().error = Error{ErrorKind::Forbidden}; }},
        {"answers", RuleCode::NotReachable, limitation, "", [](Asked &a) { a.answer(); }},
        {"does not answer", RuleCode::NotReachable, limitation, "?not-reachable",
         [](Asked &a) { a.answer().error = Error{ErrorKind::Unreachable}; }},
        {"watchdog works", RuleCode::WatchdogFailed, limitation, "", [](Asked &a) { a.answer(); }},
        {"watchdog failed", RuleCode::WatchdogFailed, limitation, "!watchdog-failed", [](Asked &a) { a.answer().watchdogFailed = true; }},
        {"sees the API server", RuleCode::CutOff, "patroni/api.py get_postgresql_status", "",
         [](Asked &a) { a.answer().dcsLastSeen = a.now.wall - 31s; }},
        {"cut off", RuleCode::CutOff, "patroni/api.py get_postgresql_status", "?cut-off=40",
         [](Asked &a) { a.answer().dcsLastSeen = a.now.wall - 41s; }},
        {"may lead", RuleCode::LiveNoFailover, limitation, "", [](Asked &a) { a.answer(); }},
        {"will not lead", RuleCode::LiveNoFailover, limitation, "!live-nofailover", [](Asked &a) { a.answer().noFailover = true; }},
        {"runs", RuleCode::LiveNotRunning, fromApi, "", [](Asked &a) { a.answer(); }},
        {"tells no position", RuleCode::LiveNotRunning, fromApi, "!live-not-running:stopped",
         [](Asked &a) {
             a.answer().state = "stopped";
             a.answers["acme-0"].position.reset();
         }},
        {"restarts", RuleCode::LiveNotRunning, fromApi, "?live-not-running:restarting", [](Asked &a) { a.answer().state = "restarting"; }},
        {"level by its own word", RuleCode::LiveLagOverLimit, lagging, "",
         [](Asked &a) {
             a.answer();
             a.target().lag = 2'000'000;
         }},
        {"behind by its own word", RuleCode::LiveLagOverLimit, lagging, "!live-lag-over-limit=1048577",
         [](Asked &a) { a.answer().position = 5'000'000 - 1048577; }},
        {"its word replaces the object's", RuleCode::LagOverLimit, lagging, "",
         [](Asked &a) {
             a.answer();
             a.target().lag = 2'000'000;
         }},
        {"its word replaces the state", RuleCode::NotRunning, fromApi, "",
         [](Asked &a) {
             a.answer();
             a.target().record.state = "starting";
         }},
        {"its own timeline, checked", RuleCode::OldTimeline, timelines, "!old-timeline",
         [](Asked &a) {
             a.answer().timeline = 7;
             a.cluster.timeline = 8;
             a.config().checkTimeline = true;
         }},
        {"no timeline told, checked", RuleCode::OldTimeline, timelines, "!old-timeline",
         [](Asked &a) {
             a.answer();
             a.cluster.timeline = 8;
             a.config().checkTimeline = true;
         }},
        {"no timeline told, not checked", RuleCode::OldTimeline, timelines, "",
         [](Asked &a) {
             a.answer();
             a.cluster.timeline = 8;
         }},
    };
}

} // namespace switchyard::rules
