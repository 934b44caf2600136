// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a DBA can ask of a cluster, and what exactly was asked: the choice made in a dialog, before it is planned, confirmed and sent.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

enum class ActionKind {
    // through the failover object, or Patroni's REST API where `byRest`
    Switchover,    // switchover: the named leader steps down in good order
    Failover,      // failover: to a named member, also without a leader
    CancelRequest, // cancel-request
    Repair,        // repair: clears a scheduled_at that takes the whole cluster down; through the object only
    // through the config object, or REST where `byRest`
    Pause,      // pause
    Resume,     // resume
    EditConfig, // edit-config
    // through REST only (patroni/api.py)
    Restart,        // restart: PostgreSQL of the named members
    CancelRestart,  // cancel-restart: a scheduled one
    Reload,         // reload
    Reinitialize,   // reinitialize: deletes a member's data and copies it anew
    DemoteCluster,  // demote-cluster: to a standby cluster (4.1 and later)
    PromoteCluster, // promote-cluster (4.1 and later)
};
constexpr int actionCount = 13;
std::string_view code(ActionKind kind); // the words above
bool needsRest(ActionKind kind);        // REST only
bool writesRequest(ActionKind kind);    // Switchover, Failover, CancelRequest, Repair

struct RestartOptions
{
    bool pendingOnly = false;                   // only where the member says that a restart is pending
    std::optional<std::string> role;            // "primary" "replica"; checked again by the member when a scheduled restart is due
    std::optional<std::string> postgresVersion; // only below this version
    std::optional<int> timeoutSeconds;          // fail over when the restart takes longer
    bool operator==(const RestartOptions &) const = default;
};

// Where a standby cluster streams from.
struct StandbySource
{
    std::optional<std::string> host, restoreCommand, primarySlotName;
    std::optional<int> port;
    bool operator==(const StandbySource &) const = default;
};

struct ActionWish
{
    ActionKind kind{};
    std::optional<std::string> leader;    // Switchover: who steps down
    std::optional<std::string> candidate; // Failover: always named; Switchover: nullopt: Patroni decides
    std::optional<Instant> at;            // Switchover, Restart: scheduled; nullopt: now
    std::vector<std::string> members;     // Restart, CancelRestart, Reload, Reinitialize: one call each
    RestartOptions restart;
    bool fromLeader = false; // Reinitialize: copy from the leader (4.1 and later)
    bool force = false;      // Reinitialize: also while another one is running
    StandbySource source;    // DemoteCluster
    std::string configBase;  // EditConfig: the annotation's text that the edit started from
    std::string configAfter; // EditConfig: the whole new text, JSON
    bool byRest = false;     // through the leader's REST API instead of the object, where both exist
    bool operator==(const ActionWish &) const = default;
};
ActionWish switchoverWish(std::string leader, std::optional<std::string> candidate = {}, std::optional<Instant> at = {});
ActionWish failoverWish(std::string candidate);

// Why an action makes no sense on what is seen, whatever the account may do. The first that applies.
enum class ActionBar {
    View,             // view: nothing may be written on such a view; see writeBar()
    NoLeader,         // no-leader: a switchover needs one
    NoMembers,        // no-members
    NothingPending,   // nothing-pending: no request to cancel
    NothingScheduled, // nothing-scheduled: no scheduled restart
    NotUnparsable,    // not-unparsable: nothing to repair
    AlreadyPaused,    // already-paused
    NotPaused,        // not-paused
    NoConfig,         // no-config: no readable dynamic configuration
    TooOld,           // too-old: no member's Patroni knows it
    AlreadyStandby,   // already-standby
    NotStandby,       // not-standby
    ModeUnclear,      // mode-unclear: both kinds of objects, and no renewal seen that tells which is read
};
std::string_view code(ActionBar bar);
std::optional<ActionBar> actionBar(const patroni::Cluster &cluster, ActionKind kind);

} // namespace switchyard::rules
