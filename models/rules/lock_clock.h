// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Is the lock held? By observation only: patroni/dcs/kubernetes.py _get_leader (2.x - 4.1): held <=> leader present and
// (time the record last changed, on OUR clock) + ttl >= now. renewTime is never compared with a clock.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// What has been observed of one leader record.
struct LockObservation
{
    bool objectExists = false;
    std::optional<patroni::LeaderRecord> record; // nullopt: no object, or no record in it
    std::optional<Boot> changedNotBefore, changedNotAfter;
    std::optional<Boot> firstSeen;
    // Until then it certainly was the same: asked for by a GET or list that found it so, or told by a watch that was never silent since.
    std::optional<Boot> confirmedAt;
    bool viewStale = false; // our own connection is silent or lost
};

// The ttl in force is the record's, else the configuration's (30 s by default). now: boot-time clock.
// Absent: no object, or no record in it. Released: a record without leader. Stale: viewStale.
// Held: certainly changed within ttl. late, while not expired: certainly no change for more than loop_wait + retry_timeout (the record
// was confirmed after that).
// Expired: the last possible change (the first sight when none was seen) is more than ttl ago AND the record was confirmed to be
// still the same after that. Unverified: neither can be said yet (just listed, or past ttl and the confirmation is still due).
patroni::LockView lockView(const LockObservation &o, const patroni::DynamicConfig &config, Boot now);

// The next time lockView() changes by itself; nullopt: not without an observation.
std::optional<Boot> lockDeadline(const LockObservation &o, const patroni::DynamicConfig &config, Boot now);

// A late or expired lock that only lacks its confirmation.
bool awaitsProof(const LockObservation &o, const patroni::DynamicConfig &config, Boot now);

// Silence of a record after which it is late; after which it is worth asking for: never later than that.
Duration lateAfter(const patroni::DynamicConfig &config);
Duration askAfter(const patroni::DynamicConfig &config);

} // namespace switchyard::rules
