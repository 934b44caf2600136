// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/lock_clock.h"

#include <algorithm>

namespace switchyard::rules {

using patroni::LockState;

namespace {

Duration ttlInForce(const LockObservation &o, const patroni::DynamicConfig &config)
{
    // Patroni 2.x could write a "permanent" ttl of 2^63 - 1 seconds: a hundred years is as good and cannot overflow.
    constexpr std::int64_t forEver = 100LL * 365 * 24 * 3600;
    return std::chrono::seconds(std::clamp(o.record->ttl.value_or(config.ttl), -forEver, forEver));
}

std::optional<Boot> lastPossibleChange(const LockObservation &o)
{
    return o.changedNotAfter ? o.changedNotAfter : o.firstSeen;
}

bool holds(const LockObservation &o)
{
    return o.objectExists && o.record && o.record->hasRecord() && o.record->leader;
}

// No change for longer than `limit`, and it is not only our eyes that saw none.
bool outlived(const LockObservation &o, Duration limit, Boot now)
{
    const auto last = lastPossibleChange(o);
    return last && now > *last + limit && o.confirmedAt && *o.confirmedAt > *last + limit;
}

LockState stateOf(const LockObservation &o, Duration ttl, Boot now)
{
    if (o.viewStale)
        return LockState::Stale;
    if (o.changedNotBefore && now <= *o.changedNotBefore + ttl)
        return LockState::Held;
    return outlived(o, ttl, now) ? LockState::Expired : LockState::Unverified;
}

} // namespace

Duration lateAfter(const patroni::DynamicConfig &config)
{
    return std::chrono::seconds(config.loopWait + config.retryTimeout);
}

Duration askAfter(const patroni::DynamicConfig &config)
{
    return std::min<Duration>(std::chrono::seconds(2 * config.loopWait), lateAfter(config));
}

patroni::LockView lockView(const LockObservation &o, const patroni::DynamicConfig &config, Boot now)
{
    patroni::LockView view;
    if (!o.objectExists || !o.record || !o.record->hasRecord()) {
        view.state = o.viewStale ? LockState::Stale : LockState::Absent;
        view.ttl = config.ttl;
        return view;
    }
    const Duration ttl = ttlInForce(o, config);
    view.ttl = o.record->ttl.value_or(config.ttl);
    view.changedNotBefore = o.changedNotBefore;
    view.changedNotAfter = o.changedNotAfter;
    view.firstSeen = o.firstSeen;
    view.confirmedAt = o.confirmedAt;
    view.acquireTime = o.record->acquireTime;
    view.renewTime = o.record->renewTime;
    view.transitions = o.record->transitions;
    if (!holds(o)) {
        view.state = o.viewStale ? LockState::Stale : LockState::Released;
        return view;
    }
    view.holder = o.record->leader;
    view.state = stateOf(o, ttl, now);
    const auto last = lastPossibleChange(o);
    if (last)
        view.expiresAt = *last + ttl;
    const bool running = view.state == LockState::Held || view.state == LockState::Unverified;
    view.late = running && outlived(o, lateAfter(config), now);
    return view;
}

std::optional<Boot> lockDeadline(const LockObservation &o, const patroni::DynamicConfig &config, Boot now)
{
    if (!holds(o) || o.viewStale)
        return std::nullopt;
    const Duration ttl = ttlInForce(o, config);
    const Duration tick(1); // the states change just after the moment, not at it
    std::optional<Boot> next;
    const auto consider = [&](std::optional<Boot> base, Duration after) {
        if (base && *base + after + tick > now && (!next || *base + after + tick < *next))
            next = *base + after + tick;
    };
    consider(lastPossibleChange(o), lateAfter(config));
    consider(o.changedNotBefore, ttl);
    consider(lastPossibleChange(o), ttl);
    return next;
}

bool awaitsProof(const LockObservation &o, const patroni::DynamicConfig &config, Boot now)
{
    const auto last = lastPossibleChange(o);
    if (!holds(o) || o.viewStale || !last)
        return false;
    const patroni::LockView view = lockView(o, config, now);
    if (view.state == LockState::Unverified && view.expiresAt && now > *view.expiresAt)
        return true;
    const bool running = view.state == LockState::Held || view.state == LockState::Unverified;
    return running && !view.late && now > *last + lateAfter(config);
}

} // namespace switchyard::rules
