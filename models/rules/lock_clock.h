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
    std::optional<patroni::LeaderRecord> record;   // nullopt: no object, or no record in it
    std::optional<Boot> changedNotBefore, changedNotAfter;
    std::optional<Boot> firstSeen;
    std::optional<Boot> confirmedAt;   // latest of: GET with the same resourceVersion, later event or bookmark of the same watch, list
    bool viewStale = false;            // our own connection is silent or lost
};

// configTtl: ttl of the dynamic configuration (30 when unknown). now: boot-time clock.
// Held: changed within ttl. Late: held but unchanged for more than loop_wait + retry_timeout.
// Expired: changedNotAfter (firstSeen when no change was seen) + ttl < confirmedAt.
// Stale: viewStale, or unchanged for more than ttl and not confirmed since. Unverified: no change seen yet.
patroni::LockView lockView(const LockObservation &o, const patroni::DynamicConfig &config, Boot now);

// The next time lockView() changes by itself; nullopt: not without an observation.
std::optional<Boot> lockDeadline(const LockObservation &o, const patroni::DynamicConfig &config, Boot now);

} // namespace switchyard::rules
