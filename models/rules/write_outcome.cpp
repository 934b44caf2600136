// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/write_outcome.h"

#include "models/patroni/find_member.h"
#include "models/patroni/schedule_time.h"
#include "models/rules/pause.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;
using patroni::Outcome;

void set(WriteTrace &trace, WriteOutcome outcome, Now now, std::string detail = {})
{
    if (trace.outcome != outcome)
        trace.since = now.boot;
    trace.outcome = outcome;
    trace.detail = std::move(detail);
}

std::string joined(const std::vector<std::string> &names)
{
    std::string line;
    for (const std::string &name : names)
        line += (line.empty() ? "" : ",") + name;
    return line;
}

// ---- the config object ---------------------------------------------------------------------------------------------------------

// One is the other, or holds it: "postgresql" and "postgresql.parameters.work_mem".
bool overlap(const std::string &a, const std::string &b)
{
    const std::string &shorter = a.size() < b.size() ? a : b, &longer = a.size() < b.size() ? b : a;
    return longer.compare(0, shorter.size(), shorter) == 0 && (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

// The settings that were written and read otherwise now. What others changed beside them does not count.
std::vector<std::string> settingsLost(const WriteTrace &trace, const std::string &now)
{
    const auto wanted = patroni::changedSettings(trace.configBefore, trace.configAfter);
    std::vector<std::string> lost;
    for (const std::string &path : patroni::changedSettings(trace.configAfter, now)) {
        if (std::any_of(wanted.begin(), wanted.end(), [&](const std::string &w) { return overlap(w, path); }))
            lost.push_back(path);
    }
    return lost;
}

// What the configuration says against what was written; empty: it says that.
std::vector<std::string> against(const WriteTrace &trace, const patroni::DynamicConfig &config)
{
    switch (trace.kind) {
    case ActionKind::Pause:
    case ActionKind::Resume:
        return config.paused == (trace.kind == ActionKind::Pause) ? std::vector<std::string>() : std::vector<std::string>{"pause"};
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster:
        return config.standbyCluster == (trace.kind == ActionKind::DemoteCluster) ? std::vector<std::string>()
                                                                                  : std::vector<std::string>{"standby_cluster"};
    default: return settingsLost(trace, config.raw);
    }
}

// What is missing until all act by it; empty: nothing.
std::string missing(const WriteTrace &trace, const Cluster &cluster)
{
    if (trace.kind == ActionKind::EditConfig)
        return {}; // no member says by which configuration it runs
    if (trace.kind == ActionKind::Pause || trace.kind == ActionKind::Resume) {
        const auto view = pauseView(cluster);
        if (!view || view->reporting == 0)
            return "waiting=?";
        return view->complete() ? "" : "waiting=" + joined(view->waiting);
    }
    const patroni::Member *leader = cluster.leaderName ? patroni::findMember(cluster, *cluster.leaderName) : nullptr;
    const std::string role = leader ? leader->record.role.value_or("?") : "?";
    const bool primary = role == "primary" || role == "master";
    const bool there = trace.kind == ActionKind::DemoteCluster ? role == "standby_leader" : primary;
    return there ? "" : "role=" + role;
}

bool isPast(const WriteTrace &trace, const Cluster &cluster)
{
    const auto object = cluster.objects.find("config");
    if (!trace.version || object == cluster.objects.end())
        return false;
    const auto order = compareVersions(object->second.resourceVersion, *trace.version);
    return order && *order > 0;
}

void observeConfig(WriteTrace &trace, const Cluster &cluster, Now now)
{
    if (!cluster.config || !cluster.config->config.present)
        return;
    const auto other = against(trace, cluster.config->config);
    if (!other.empty()) {
        // Before it is seen the object may be an older one.
        if (trace.begun || isPast(trace, cluster))
            set(trace, trace.outcome == WriteOutcome::InForce ? WriteOutcome::ChangedAgain : WriteOutcome::Undone, now,
                "changed=" + joined(other));
        return;
    }
    trace.begun = true;
    std::string lacks = missing(trace, cluster);
    if (lacks.empty())
        set(trace, WriteOutcome::InForce, now);
    else if (trace.outcome != WriteOutcome::InForce) // a member that restarts later takes nothing back
        set(trace, WriteOutcome::NotYet, now, std::move(lacks));
}

// ---- members -------------------------------------------------------------------------------------------------------------------

bool runs(const patroni::MemberRecord &record)
{
    return record.state == "running" || record.state == "streaming";
}

// It goes, as it says in a state of its own, and runs again.
void observeGoing(WriteTrace &trace, const patroni::MemberRecord &record, Now now)
{
    if (!runs(record) && record.state) {
        if (trace.kind == ActionKind::Reinitialize && !trace.begun && record.state != "creating replica")
            return; // it may be down for another reason
        trace.begun = true;
        set(trace, WriteOutcome::NotYet, now, "state=" + *record.state);
    } else if (trace.begun && runs(record)) {
        set(trace, WriteOutcome::CameBack, now);
    }
}

void observeScheduled(WriteTrace &trace, const Cluster &cluster, const patroni::MemberRecord &record, Now now)
{
    const auto loop = std::chrono::seconds(cluster.config ? cluster.config->config.loopWait : 10);
    if (record.scheduledRestart) {
        trace.begun = true;
        set(trace, WriteOutcome::NotYet, now, "scheduled");
    } else if (!trace.begun) {
        return;
    } else if (now.wall + loop < *trace.at) { // by our clock; the member's decides
        set(trace, WriteOutcome::Undone, now);
    } else if (!runs(record) && record.state) {
        set(trace, WriteOutcome::NotYet, now, "state=" + *record.state);
    } else if (trace.detail.starts_with("state=")) {
        set(trace, WriteOutcome::CameBack, now);
    } else {
        set(trace, WriteOutcome::NotSeen, now);
    }
}

void observeMember(WriteTrace &trace, const Cluster &cluster, Now now)
{
    const patroni::Member *member = trace.member ? patroni::findMember(cluster, *trace.member) : nullptr;
    if (!member || !member->record.reported)
        return;
    const patroni::MemberRecord &record = member->record;
    if (trace.kind == ActionKind::CancelRestart) {
        const auto loop = std::chrono::seconds(cluster.config ? cluster.config->config.loopWait : 10);
        const bool due = trace.at && now.wall + loop >= *trace.at; // it may have gone by itself
        if (!record.scheduledRestart)
            set(trace, due ? WriteOutcome::NotSeen : WriteOutcome::InForce, now);
    } else if (trace.kind == ActionKind::Restart && trace.at) {
        observeScheduled(trace, cluster, record, now);
    } else {
        observeGoing(trace, record, now);
        // Too quick to be seen, but what was to be had by it is there.
        const bool had = trace.kind == ActionKind::Restart && trace.answered && trace.restartPending && !record.pendingRestart;
        if (!trace.begun && had && runs(record))
            set(trace, WriteOutcome::CameBack, now, "pending_restart=gone");
    }
}

// ---- the failover object -------------------------------------------------------------------------------------------------------

void observeCancel(WriteTrace &trace, const Cluster &cluster, Now now)
{
    const auto found = std::find_if(cluster.requests.begin(), cluster.requests.end(),
                                    [&](const patroni::RequestReport &report) { return report.id == trace.request; });
    if (found == cluster.requests.end() || !patroni::isFinal(found->outcome))
        return;
    switch (found->outcome) {
    case Outcome::Cancelled: set(trace, WriteOutcome::InForce, now); break;
    case Outcome::Refused: // it is gone and nothing came of it: only the answer tells whether that was our doing
        if (trace.answered)
            set(trace, WriteOutcome::InForce, now);
        break;
    case Outcome::Superseded: set(trace, WriteOutcome::Undone, now); break;
    default: set(trace, WriteOutcome::TooLate, now, found->newLeader ? "leader=" + *found->newLeader : std::string());
    }
}

void observeRepair(WriteTrace &trace, const Cluster &cluster, Now now)
{
    if (!cluster.failover || (!cluster.failover->pending() && !cluster.failover->scheduledAtRaw))
        set(trace, WriteOutcome::InForce, now);
}

} // namespace

std::string_view code(WriteOutcome outcome)
{
    switch (outcome) {
    case WriteOutcome::NotYet: return "not-yet";
    case WriteOutcome::InForce: return "in-force";
    case WriteOutcome::ChangedAgain: return "changed-again";
    case WriteOutcome::Undone: return "undone";
    case WriteOutcome::CameBack: return "came-back";
    case WriteOutcome::NotSeen: return "not-seen";
    case WriteOutcome::NotObservable: return "not-observable";
    case WriteOutcome::TooLate: return "too-late";
    }
    return "unknown";
}

WriteTrace traceOf(const Cluster &cluster, const ActionWish &wish, const std::optional<std::string> &member)
{
    WriteTrace trace;
    trace.kind = wish.kind;
    trace.member = member;
    trace.configBefore = wish.configBase;
    trace.configAfter = wish.configAfter;
    if (wish.kind == ActionKind::Restart)
        trace.at = wish.at;
    if (const auto *pending = cluster.pendingRequest(); pending && !pending->heldBack) // what is held back is not there any more
        trace.request = pending->id;
    const patroni::Member *there = member ? patroni::findMember(cluster, *member) : nullptr;
    if (there) {
        trace.restartPending = there->record.pendingRestart;
        const auto &restart = there->record.scheduledRestart;
        if (wish.kind == ActionKind::CancelRestart && restart && restart->schedule)
            trace.at = patroni::readScheduleTime(*restart->schedule).utc;
    }
    return trace;
}

void observe(WriteTrace &trace, const Cluster &cluster, Now now)
{
    if (trace.kind == ActionKind::Reload)
        set(trace, WriteOutcome::NotObservable, now);
    if (patroni::writeBar(cluster) || isSettled(trace, now))
        return;
    switch (trace.kind) {
    case ActionKind::Pause:
    case ActionKind::Resume:
    case ActionKind::EditConfig:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: observeConfig(trace, cluster, now); break;
    case ActionKind::Restart:
    case ActionKind::CancelRestart:
    case ActionKind::Reinitialize: observeMember(trace, cluster, now); break;
    case ActionKind::CancelRequest: observeCancel(trace, cluster, now); break;
    case ActionKind::Repair: observeRepair(trace, cluster, now); break;
    case ActionKind::Switchover:
    case ActionKind::Failover:
    case ActionKind::Reload: break;
    }
}

bool isSettled(const WriteTrace &trace, Now now)
{
    if (!trace.outcome || *trace.outcome == WriteOutcome::NotYet)
        return false;
    const bool inConfig = trace.kind == ActionKind::Pause || trace.kind == ActionKind::Resume || trace.kind == ActionKind::EditConfig
        || trace.kind == ActionKind::DemoteCluster || trace.kind == ActionKind::PromoteCluster;
    const bool mayTurn = (*trace.outcome == WriteOutcome::InForce && inConfig) || *trace.outcome == WriteOutcome::NotSeen;
    return !mayTurn || now.boot - *trace.since > followedFor;
}

} // namespace switchyard::rules
