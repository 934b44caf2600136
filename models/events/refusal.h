// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why the leader cleared a request: the first rule of Patroni's own order that matches the state at that moment
// (patroni/ha.py process_manual_failover_from_leader, 2.0 - 4.1). Nothing in the objects says it, so it is never certain.
#include "models/events/member_fact.h"
#include "models/patroni/cluster.h"

namespace switchyard {

// The state when a request was found cleared, as the cluster's own objects had it then.
struct ClearedState
{
    patroni::FailoverRequest request;
    std::optional<Instant> since; // set: somewhere between then and `wall`
    Instant wall{};               // when; due times are compared in wall time
    std::string version;          // resourceVersion of the clearing: Pods are looked up as of it
    std::optional<std::string> holder;
    patroni::DynamicConfig config;
    std::optional<patroni::SyncState> sync;
    std::optional<Lsn> optime;
    std::optional<std::int64_t> timeline;
    // The leader had just looked at it: it clears what it refuses right after renewing the lock (and waiting for the due time).
    bool byLeader = false;
    // It had looked at it when it was due, and not stale yet.
    bool lookedAt = false;
    // It had just taken its own expired lock again: whoever takes the lock clears the request, whatever it is.
    bool byTaker = false;
    bool operator==(const ClearedState &) const = default;
};

// Unknown when a gap in our view leaves more than one rule possible.
patroni::Refusal refusalReason(const ClearedState &state, const MembersAsOf &members);

// Seconds after which Patroni throws an overdue request away: int(1.5 * loop_wait).
Duration staleAfter(const patroni::DynamicConfig &config);

} // namespace switchyard
