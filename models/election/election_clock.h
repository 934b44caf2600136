// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Is a client-go lock held? By observation only, as client-go's own candidates judge: the time when the record last changed, on OUR
// clock, and the lease. The times in the record are never compared with a clock. See models/rules/lock_clock.h for Patroni's.
#include "models/election/election.h"

namespace switchyard::election {

// What has been observed of one record that names a holder.
struct Observed
{
    std::optional<Boot> changedNotBefore, changedNotAfter; // nullopt: no change seen yet
    std::optional<Boot> firstSeen;
    std::optional<Boot> confirmedAt; // until then it certainly was the same
    bool viewStale = false;          // our own connection is silent or lost
};

struct Terms
{
    std::optional<Duration> lease; // nullopt: not told
    std::optional<Duration> rhythm;
    Duration tolerance = defaultTolerance;
};

// Silence after which it is late: a third of the lease beyond its rhythm. While that is not known, two thirds of the lease, as client-go's
// holders give up after (renew deadline 10 s of 15 s). Never more than the lease.
Duration lateAfter(Duration lease, const std::optional<Duration> &rhythm);

// Held, Late, Expired, Stuck, Unverified or Stale.
State stateOf(const Observed &o, const Terms &terms, Boot now);
// The next time stateOf() or doubtSince() changes by itself.
std::optional<Boot> nextMoment(const Observed &o, const Terms &terms, Boot now);
// Late, expired or stuck but for the proof: since when it is missing.
std::optional<Boot> doubtSince(const Observed &o, const Terms &terms, Boot now);
std::optional<Boot> lastPossibleChange(const Observed &o);

// The median of the last intervals, of at least three.
std::optional<Duration> rhythmOf(const std::vector<Renewal> &renewals);

} // namespace switchyard::election
