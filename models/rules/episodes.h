// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From when on something that is usual for a moment is worth telling, and why just then.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// A renewal after `interval`: how much of the ttl was left, if that was little. Little: less than one loop_wait, so that a leader that
// had missed one more loop would have lost the lock. An interval that Patroni takes for regular (up to loop_wait + retry_timeout) is
// none, however short the ttl is: that is the configuration, not the moment. Longer than the ttl: luck, nothing was left.
std::optional<Duration> nearMiss(Duration interval, std::int64_t ttl, const patroni::DynamicConfig &config);

// Locks that are late at once, of those that somebody holds in one API server. Many: three or more, and half of them. Leaders fail
// one by one; a node that is lost takes its own along, in the smallest usual cluster of three nodes a third of all. More have only
// the API server in common. Over: less than a quarter is late of those that are seen, and these are not few beside the locks of then
// (ofThen): when nothing is seen any more, nothing is known to be over.
bool manyLate(int late, int of);
bool manyLateIsOver(int late, int of, int ofThen);

// What ran out longer ago than this was abandoned by its holders, and says nothing of the API server now.
constexpr Duration abandonedAfter = std::chrono::minutes(5);
bool isAbandoned(Duration sinceItRanOut);

// How long a running member's status may stay the same after the leader's WAL went past what it says. Patroni writes it once a loop, if
// anything changed: one loop for the member to receive the WAL, one because its loop and the leader's are not in step, one for a
// loop that took long. A member of an idle cluster has nothing to say and is not silent. patroni/ha.py touch_member (2.0 - 4.1).
Duration silentAfter(const patroni::DynamicConfig &config);
// Is the leader's WAL past what the member says, and should it say more?
bool hasMoreToSay(const patroni::MemberRecord &member, const std::optional<Lsn> &optime);

// How long lock, role label and address may name different members. A label is written once a loop, by the Pod itself, after promotion:
// two loops.
Duration disagreesAfter(const patroni::DynamicConfig &config);

// A break in our own view that is worth telling: within a second nothing happens to a lock that would not be seen after it.
constexpr Duration blindAfter = std::chrono::seconds(1);

} // namespace switchyard::rules
