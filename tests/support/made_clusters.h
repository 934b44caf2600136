// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Clusters made by hand, for tests of item models and views: one healthy cluster, and small functions that spoil it.
#include "models/patroni/cluster.h"

namespace switchyard::made {

using namespace std::chrono_literals;

inline Instant instant(const char *text)
{
    return parseInstant(text).value_or(Instant{});
}

// The "now" of all made clusters: 2031-02-01 13:02:11 UTC, boot time 100 000 s.
inline Now now(Duration later = {})
{
    return {Boot{100000s} + later, Instant{std::chrono::sys_days{std::chrono::year{2031} / 2 / 1}} + 13h + 2min + 11s + later};
}

inline patroni::Member member(const std::string &name, patroni::Role role, const std::string &node)
{
    const bool leads = role == patroni::Role::Leader || role == patroni::Role::StandbyLeader;
    patroni::Member m;
    m.record.name = name;
    m.record.uid = "uid-" + name;
    m.record.pod.phase = "Running";
    m.record.pod.ready = true;
    m.record.pod.nodeName = node;
    m.record.reported = true;
    m.record.state = "running";
    m.record.role = leads ? "primary" : "replica";
    m.record.version = "4.1.4";
    m.record.apiUrl = "http://10.9.0.14:8008/patroni";
    m.record.timeline = 8;
    m.record.xlogLocation = 671129000;
    m.role = role;
    m.lsn = 671129000;
    m.up = true;
    m.shownState = leads ? "running" : "streaming";
    m.statusSeenAt = now(-3h).boot;
    if (!leads) {
        m.record.replicationState = "streaming";
        m.record.receiveLsn = 671129000;
        m.record.replayLsn = 671128900;
        m.lag = 0;
        m.receiveLag = 0;
        m.replayLag = 100;
    }
    return m;
}

inline patroni::TimelineHistory history()
{
    patroni::TimelineHistory h;
    h.entries = {
        {1, 25165984, "no recovery target specified", {}, {}, {}},
        {2, 83886240, "no recovery target specified", instant("2031-01-28T02:11:09+00:00"), "2031-01-28T02:11:09+00:00", "acme-0"},
        {3, 117440672, "no recovery target specified", instant("2031-01-29T18:40:00+00:00"), "2031-01-29T18:40:00+00:00", "acme-2"},
        {4, 301990048, "no recovery target specified", instant("2031-01-30T03:01:12+00:00"), "2031-01-30T03:01:12+00:00", "acme-1"},
        {5, 335544480, "no recovery target specified", instant("2031-01-31T08:20:45+00:00"), "2031-01-31T08:20:45+00:00", "acme-0"},
        {6, 402653344, "no recovery target specified", instant("2031-01-31T22:05:30+00:00"), "2031-01-31T23:05:30+01:00", "acme-2"},
        {7, 668991488, "no recovery target specified", instant("2031-02-01T09:50:03.551+00:00"), "2031-02-01T09:50:03.551+00:00", "acme-1"},
    };
    h.currentTimeline = 8;
    return h;
}

inline KubeObject object(const std::string &name, std::map<std::string, std::string> annotations)
{
    KubeObject o;
    o.resource = Resource::Endpoints;
    o.ns = "payments";
    o.name = name;
    o.uid = "uid-" + name;
    o.resourceVersion = "90417";
    o.labels = {{"application", "patroni"}, {"cluster-name", "acme"}};
    o.annotations = std::move(annotations);
    return o;
}

inline std::string configText()
{
    return R"({"ttl":30,"loop_wait":10,"retry_timeout":10,"maximum_lag_on_failover":1048576,"synchronous_mode":true,)"
           R"("postgresql":{"use_pg_rewind":true,"parameters":{"max_connections":200,"wal_level":"replica","hot_standby":"on"}},)"
           R"("slots":{"reporting":{"type":"logical","database":"acme","plugin":"pgoutput"}}})";
}

inline void addObjects(patroni::Cluster &c)
{
    c.objects["leader"] = object("acme",
                                 {{"leader", "acme-1"},
                                  {"ttl", "30"},
                                  {"acquireTime", "2031-02-01T09:50:01.402917+00:00"},
                                  {"renewTime", "2031-02-01T13:02:07.118233+00:00"},
                                  {"transitions", "7"},
                                  {"optime", "671129000"},
                                  {"slots", R"({"acme_0":671129000,"acme_2":671128900})"}});
    c.objects["config"] = object(
        "acme-config",
        {{"initialize", "7301234567890123456"}, {"config", configText()}, {"history", "[[1,25165984,\"no recovery target specified\"]]"}});
    c.objects["sync"] = object("acme-sync", {{"leader", "acme-1"}, {"sync_standby", "acme-2"}, {"quorum", "0"}});
}

inline patroni::Transition transition(patroni::TransitionKind kind, const char *from, const char *to, std::int64_t timeline, Instant gained,
                                      Duration gap)
{
    patroni::Transition t;
    t.kind = kind;
    if (from)
        t.from = from;
    if (to)
        t.to = to;
    t.timeline = timeline;
    t.gainedAt = gained;
    if (gap > 0s) {
        t.lostAt = gained - gap;
        t.gap = gap;
        t.fromLive = true;
    } else {
        t.fromHistory = true;
    }
    return t;
}

inline void addPast(patroni::Cluster &c)
{
    using K = patroni::TransitionKind;
    const char *from = nullptr;
    for (const auto &e : c.config->history.entries) {
        if (e.endedAt)
            c.transitions.push_back(
                transition(K::Unknown, from, e.newLeader ? e.newLeader->c_str() : nullptr, e.timeline + 1, *e.endedAt, 0s));
        from = e.newLeader ? e.newLeader->c_str() : nullptr;
    }
    auto &last = c.transitions.back();
    last = transition(K::LockExpired, "acme-2", "acme-1", 8, instant("2031-02-01T09:50:01.402+00:00"), 37s);
    for (int i = 400; i > 0; --i)
        c.renewals.push_back({now(-4s - i * 10s).boot, 10s + std::chrono::milliseconds((i * 37) % 180)});
    c.renewals[180].interval = 23400ms;
    c.renewals[320].interval = 26100ms;
}

// payments/acme in context prod-eu: acme-1 leads for 3 h 12 min, acme-2 is synchronous, acme-0 streams; nothing pending.
inline patroni::Cluster healthy()
{
    patroni::Cluster c;
    c.names.key = {"prod-eu", "payments", "acme", {}, "acme"};
    c.names.mode = patroni::Mode::Endpoints;
    c.names.scopeLabel = "cluster-name";
    c.names.leaderName = "acme";
    c.names.configName = "acme-config";
    c.names.failoverName = "acme-failover";
    c.names.syncName = "acme-sync";
    c.view = {patroni::Freshness::Live, now(-800ms).boot, {}, {}};
    c.leader = patroni::LeaderRecord{};
    c.leader->leader = "acme-1";
    c.leader->optime = 671129000;
    c.config = patroni::ConfigRecord{};
    c.config->initialize = patroni::InitializeState::Done;
    c.config->systemId = "7301234567890123456";
    c.config->config.present = true;
    c.config->config.raw = configText();
    c.config->config.syncMode = patroni::SyncMode::On;
    c.config->history = history();
    c.config->hasAnnotations = true;
    c.sync = patroni::SyncState{"acme-1", {"acme-2"}, 0, false};
    c.lock.state = patroni::LockState::Held;
    c.lock.holder = "acme-1";
    c.lock.ttl = 30;
    c.lock.changedNotBefore = c.lock.changedNotAfter = now(-4s).boot;
    c.lock.firstSeen = now(-2h).boot;
    c.lock.confirmedAt = now(-800ms).boot;
    c.lock.expiresAt = now(26s).boot;
    c.lock.acquireTime = instant("2031-02-01T09:50:01.402917+00:00");
    c.lock.renewTime = instant("2031-02-01T13:02:07.118233+00:00");
    c.lock.transitions = 7;
    c.leaderName = "acme-1";
    c.leaderSince = now(-3h - 12min).boot;
    c.timeline = 8;
    c.systemId = c.config->systemId;
    c.members = {member("acme-1", patroni::Role::Leader, "pg-node-3"), member("acme-0", patroni::Role::Replica, "pg-node-2"),
                 member("acme-2", patroni::Role::SyncStandby, "pg-node-1")};
    c.members[1].record.tags = {{"clonefrom", "true"}};
    c.health.health = patroni::Health::Healthy;
    c.lastChange = now(-3h).boot;
    addObjects(c);
    addPast(c);
    return c;
}

inline patroni::RequestReport request(const std::string &from, std::optional<std::string> to, std::optional<Instant> at = {})
{
    patroni::RequestReport r;
    r.id = "uid-acme-failover:90500";
    r.request.leader = from;
    r.request.member = std::move(to);
    if (at) {
        r.request.scheduledAt = at;
        r.request.scheduledAtRaw = formatScheduledAt(*at);
        r.request.offsetSeconds = 0;
        r.request.schedule = patroni::FailoverRequest::Schedule::Valid;
        r.step = patroni::RequestStep::Scheduled;
        r.dueAt = now().boot + (*at - now().wall);
    }
    r.leaderBefore = from;
    r.timelineBefore = 8;
    r.replicas = 2;
    r.seenAt = now(-9s).boot;
    r.seenWall = now(-9s).wall;
    return r;
}

inline void pend(patroni::Cluster &c, const patroni::RequestReport &r)
{
    c.requests.push_back(r);
    c.failover = r.request;
    c.health.health = patroni::Health::Degraded;
    c.health.reasons = {{patroni::HealthReason::RequestPending, {}, {}}};
    std::map<std::string, std::string> annotations;
    if (r.request.leader)
        annotations["leader"] = *r.request.leader;
    if (r.request.member)
        annotations["member"] = *r.request.member;
    if (r.request.scheduledAtRaw)
        annotations["scheduled_at"] = *r.request.scheduledAtRaw;
    c.objects["failover"] = object("acme-failover", annotations);
}

inline patroni::Cluster scheduled()
{
    auto c = healthy();
    pend(c, request("acme-1", "acme-2", instant("2031-02-01T15:16:00+00:00")));
    return c;
}

// The request of healthy() to acme-2, seen 9 s ago, as far as `step`.
inline patroni::Cluster inFlight(patroni::RequestStep step)
{
    using S = patroni::RequestStep;
    auto c = healthy();
    auto r = request("acme-1", "acme-2");
    r.step = step;
    if (step >= S::SteppingDown)
        c.lock.late = false;
    if (step >= S::Leaderless) {
        r.releasedAt = now(-4s).boot;
        c.lock.state = patroni::LockState::Released;
        c.lock.holder.reset();
        c.lock.expiresAt.reset();
        c.leaderName.reset();
    }
    if (step >= S::Promoted) {
        r.takenAt = now(-2800ms).boot;
        r.newLeader = "acme-2";
        c.lock.state = patroni::LockState::Held;
        c.lock.holder = c.leaderName = "acme-2";
        c.lock.expiresAt = now(27s).boot;
        c.leaderSince = r.takenAt;
    }
    if (step >= S::Decided) {
        r.promotedAt = now(-1500ms).boot;
        r.decidedAt = now(-1s).boot;
        r.newTimeline = 9;
        r.streaming = 1;
        r.outcome = patroni::Outcome::Done;
        c.timeline = 9;
    }
    pend(c, r);
    if (r.outcome == patroni::Outcome::Done) {
        c.failover.reset();
        c.objects["failover"].annotations.clear();
        c.health.reasons = {{patroni::HealthReason::MemberNotStreaming, "acme-1", {}}};
    }
    return c;
}

inline patroni::Cluster refused(patroni::Refusal why)
{
    auto c = healthy();
    auto r = request("acme-1", "acme-0");
    r.outcome = patroni::Outcome::Refused;
    r.reason = why;
    r.step = patroni::RequestStep::Decided;
    r.decidedAt = now(-3s).boot;
    c.requests.push_back(r);
    c.objects["failover"] = object("acme-failover", {});
    return c;
}

inline patroni::Cluster outage()
{
    auto c = healthy();
    auto r = request("acme-1", "acme-2");
    r.request.scheduledAtRaw = "tomorrow";
    r.request.schedule = patroni::FailoverRequest::Schedule::Unparsable;
    r.outcome = patroni::Outcome::Outage;
    pend(c, r);
    c.health.health = patroni::Health::Unhealthy;
    c.health.reasons = {{patroni::HealthReason::UnparsableSchedule, "tomorrow", {}}};
    return c;
}

inline patroni::Cluster stale()
{
    auto c = healthy();
    c.view = {patroni::Freshness::Stale, now(-48s).boot, now(-48s).boot, "list endpoints payments: no answer"};
    c.lock.state = patroni::LockState::Stale;
    c.lock.changedNotBefore = c.lock.changedNotAfter = now(-52s).boot;
    c.lock.expiresAt = now(-22s).boot;
    c.leaderName.reset();
    c.health = {patroni::Health::Unknown, {{patroni::HealthReason::ViewStale, {}, {}}}};
    return c;
}

inline patroni::Cluster expired()
{
    auto c = healthy();
    c.lock.state = patroni::LockState::Expired;
    c.lock.changedNotBefore = c.lock.changedNotAfter = now(-72s).boot;
    c.lock.expiresAt = now(-42s).boot;
    c.leaderName.reset();
    c.health = {patroni::Health::Unhealthy,
                {{patroni::HealthReason::LockExpired, {}, {}}, {patroni::HealthReason::MemberDown, "acme-1", {}}}};
    c.members[0].up = false;
    c.members[0].role = patroni::Role::Replica;
    c.members[0].record.pod.notRunning = "CrashLoopBackOff";
    return c;
}

inline patroni::Cluster paused()
{
    auto c = healthy();
    c.config->config.paused = true;
    c.health = {patroni::Health::Degraded, {{patroni::HealthReason::Paused, {}, {}}}};
    for (auto &m : c.members)
        m.record.pauseSeen = true;
    return c;
}

// One replica behind on the old timeline with unknown lag, one with a pending and one with a scheduled restart.
inline patroni::Cluster troubled()
{
    auto c = healthy();
    auto &old = c.members[1];
    old.oldTimeline = true;
    old.record.timeline = 7;
    old.record.replicationState.reset();
    old.shownState = "running";
    old.record.receiveLsn.reset();
    old.record.replayLsn = 668991488;
    old.lsn = 668991488;
    old.lag.reset();
    old.receiveLag.reset();
    old.replayLag = 2040109466;
    old.record.tags = {{"nofailover", "true"}, {"clonefrom", "true"}};
    old.statusChangedAt = now(-12min).boot;
    c.members[0].record.pendingRestart = true;
    c.members[0].record.pendingRestartReason = {{"max_connections", {"100", "200"}}};
    c.members[2].record.scheduledRestart = patroni::ScheduledRestart{"2031-02-02T03:00:00+00:00", {}, {}};
    c.health = {patroni::Health::Degraded,
                {{patroni::HealthReason::MemberOldTimeline, "acme-0", {}},
                 {patroni::HealthReason::LagOverLimit, "acme-0", 2040109466},
                 {patroni::HealthReason::MemberNotStreaming, "acme-0", {}}}};
    return c;
}

inline patroni::Cluster longNames()
{
    auto c = healthy();
    const std::string stem = "postgres-payments-settlement-reconciliation-eu-central-1-ha";
    c.names.key = {"arn:aws:eks:eu-central-1:123456789012:cluster/production-payments-platform", "payments-settlement-production", stem, 12,
                   stem + "-12"};
    for (auto &m : c.members) {
        const auto name = stem + m.record.name.substr(4);
        if (c.leaderName == m.record.name)
            c.leaderName = c.lock.holder = c.leader->leader = name;
        m.record.name = name;
        m.record.pod.nodeName = "ip-10-120-34-56.eu-central-1.compute.internal";
        m.record.version = "4.1.4";
        m.record.tags = {{"nofailover", "true"}, {"noloadbalance", "true"}, {"replicatefrom", stem + "-0"}};
    }
    c.sync = patroni::SyncState{stem + "-1", {stem + "-0", stem + "-2"}, 1, false};
    c.config->config.syncMode = patroni::SyncMode::Quorum;
    for (auto &e : c.config->history.entries)
        if (e.newLeader)
            e.newLeader = stem + e.newLeader->substr(4);
    for (auto &t : c.transitions) {
        if (t.from)
            t.from = stem + t.from->substr(4);
        if (t.to)
            t.to = stem + t.to->substr(4);
    }
    return c;
}

// Listed a moment ago, nothing known but names.
inline patroni::Cluster blank()
{
    patroni::Cluster c;
    c.names.key = {"prod-eu", "payments", "fresh", {}, "fresh"};
    c.names.leaderName = "fresh";
    c.names.configName = "fresh-config";
    c.names.failoverName = "fresh-failover";
    c.names.syncName = "fresh-sync";
    c.view = {patroni::Freshness::Live, now(-1s).boot, {}, {}};
    c.health = {patroni::Health::Unknown, {{patroni::HealthReason::Initializing, {}, {}}}};
    return c;
}

} // namespace switchyard::made
