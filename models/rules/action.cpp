// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/action.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;

bool pending(const Cluster &cluster)
{
    return cluster.failover && (cluster.failover->pending() || cluster.failover->scheduledAtRaw);
}

bool isUnparsable(const Cluster &cluster)
{
    return cluster.failover && cluster.failover->schedule == patroni::FailoverRequest::Schedule::Unparsable;
}

bool restartScheduled(const Cluster &cluster)
{
    return std::any_of(cluster.members.begin(), cluster.members.end(),
                       [](const patroni::Member &member) { return member.record.scheduledRestart.has_value(); });
}

// Only the leader turns a cluster into a standby cluster and back; without one, any member that may become it.
bool knowsClusterRoles(const Cluster &cluster)
{
    return std::any_of(cluster.members.begin(), cluster.members.end(), [&](const patroni::Member &member) {
        if (cluster.leaderName && member.record.name != cluster.leaderName)
            return false;
        const auto since = member.record.version ? patroni::compareReleases(*member.record.version, "4.1.0") : std::nullopt;
        return since && *since >= 0;
    });
}

bool needsConfig(ActionKind kind)
{
    return kind == ActionKind::Pause || kind == ActionKind::Resume || kind == ActionKind::EditConfig || kind == ActionKind::DemoteCluster
        || kind == ActionKind::PromoteCluster;
}

// Clearing a request needs less: the object that is there is the one to be cleared, and an outage may be the reason to do it.
bool needsClearMode(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover || kind == ActionKind::Pause || kind == ActionKind::Resume
        || kind == ActionKind::EditConfig;
}

bool needsMembers(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover || needsRest(kind);
}

std::optional<ActionBar> barOfState(const Cluster &cluster, ActionKind kind)
{
    const bool paused = cluster.config && cluster.config->config.paused;
    switch (kind) {
    case ActionKind::Switchover:
        if (!cluster.leaderName)
            return ActionBar::NoLeader;
        break;
    case ActionKind::CancelRequest:
        if (!pending(cluster))
            return ActionBar::NothingPending;
        break;
    case ActionKind::Repair:
        if (!isUnparsable(cluster))
            return ActionBar::NotUnparsable;
        break;
    case ActionKind::Pause:
        if (paused)
            return ActionBar::AlreadyPaused;
        break;
    case ActionKind::Resume:
        if (!paused)
            return ActionBar::NotPaused;
        break;
    case ActionKind::CancelRestart:
        if (!restartScheduled(cluster))
            return ActionBar::NothingScheduled;
        break;
    case ActionKind::DemoteCluster:
        if (cluster.standby())
            return ActionBar::AlreadyStandby;
        break;
    case ActionKind::PromoteCluster:
        if (!cluster.standby())
            return ActionBar::NotStandby;
        break;
    case ActionKind::Failover:
    case ActionKind::EditConfig:
    case ActionKind::Restart:
    case ActionKind::Reload:
    case ActionKind::Reinitialize: break;
    }
    return std::nullopt;
}

} // namespace

std::string_view code(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Switchover: return "switchover";
    case ActionKind::Failover: return "failover";
    case ActionKind::CancelRequest: return "cancel-request";
    case ActionKind::Repair: return "repair";
    case ActionKind::Pause: return "pause";
    case ActionKind::Resume: return "resume";
    case ActionKind::EditConfig: return "edit-config";
    case ActionKind::Restart: return "restart";
    case ActionKind::CancelRestart: return "cancel-restart";
    case ActionKind::Reload: return "reload";
    case ActionKind::Reinitialize: return "reinitialize";
    case ActionKind::DemoteCluster: return "demote-cluster";
    case ActionKind::PromoteCluster: return "promote-cluster";
    }
    return "unknown";
}

std::string_view code(ActionBar bar)
{
    switch (bar) {
    case ActionBar::View: return "view";
    case ActionBar::NoLeader: return "no-leader";
    case ActionBar::NoMembers: return "no-members";
    case ActionBar::NothingPending: return "nothing-pending";
    case ActionBar::NothingScheduled: return "nothing-scheduled";
    case ActionBar::NotUnparsable: return "not-unparsable";
    case ActionBar::AlreadyPaused: return "already-paused";
    case ActionBar::NotPaused: return "not-paused";
    case ActionBar::NoConfig: return "no-config";
    case ActionBar::TooOld: return "too-old";
    case ActionBar::AlreadyStandby: return "already-standby";
    case ActionBar::NotStandby: return "not-standby";
    case ActionBar::ModeUnclear: return "mode-unclear";
    }
    return "unknown";
}

bool needsRest(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Restart:
    case ActionKind::CancelRestart:
    case ActionKind::Reload:
    case ActionKind::Reinitialize:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: return true;
    case ActionKind::Switchover:
    case ActionKind::Failover:
    case ActionKind::CancelRequest:
    case ActionKind::Repair:
    case ActionKind::Pause:
    case ActionKind::Resume:
    case ActionKind::EditConfig: break;
    }
    return false;
}

bool writesRequest(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover || kind == ActionKind::CancelRequest
        || kind == ActionKind::Repair;
}

ActionWish switchoverWish(std::string leader, std::optional<std::string> candidate, std::optional<Instant> at)
{
    ActionWish wish;
    wish.kind = ActionKind::Switchover;
    wish.leader = std::move(leader);
    wish.candidate = std::move(candidate);
    wish.at = at;
    return wish;
}

ActionWish failoverWish(std::string candidate)
{
    ActionWish wish;
    wish.kind = ActionKind::Failover;
    wish.candidate = std::move(candidate);
    return wish;
}

std::optional<ActionBar> actionBar(const Cluster &cluster, ActionKind kind)
{
    // A repair is made because the cluster is down: the objects must be seen live, but the lock need not move.
    const auto bar = patroni::writeBar(cluster);
    if (bar && !(kind == ActionKind::Repair && *bar == patroni::WriteBar::LockStale))
        return ActionBar::View;
    // Only a record that was seen to move tells which kind of objects Patroni reads.
    if (needsClearMode(kind) && cluster.names.otherModePresent && cluster.lock.state != patroni::LockState::Held)
        return ActionBar::ModeUnclear;
    if (needsMembers(kind) && cluster.members.empty())
        return ActionBar::NoMembers;
    if (needsConfig(kind) && (!cluster.config || !cluster.config->config.present))
        return ActionBar::NoConfig;
    if (const auto state = barOfState(cluster, kind))
        return state;
    if ((kind == ActionKind::DemoteCluster || kind == ActionKind::PromoteCluster) && !knowsClusterRoles(cluster))
        return ActionBar::TooOld;
    return std::nullopt;
}

} // namespace switchyard::rules
