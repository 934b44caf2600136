// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/election/election_clock.h"

#include <algorithm>
#include <array>

namespace switchyard::election {

namespace {

// No change for longer than `limit`, and it is not only our eyes that saw none.
bool outlived(const Observed &o, Duration limit, Boot now)
{
    const auto last = lastPossibleChange(o);
    return last && now > *last + limit && o.confirmedAt && *o.confirmedAt > *last + limit;
}

bool certainlyChangedWithin(const Observed &o, Duration lease, Boot now)
{
    return o.changedNotBefore && now <= *o.changedNotBefore + lease;
}

} // namespace

std::optional<Boot> lastPossibleChange(const Observed &o)
{
    return o.changedNotAfter ? o.changedNotAfter : o.firstSeen;
}

Duration lateAfter(Duration lease, const std::optional<Duration> &rhythm)
{
    return std::min(lease, rhythm ? *rhythm + lease / 3 : 2 * lease / 3);
}

State stateOf(const Observed &o, const Terms &terms, Boot now)
{
    if (o.viewStale)
        return State::Stale;
    if (!terms.lease)
        return State::Unverified;
    const Duration lease = *terms.lease;
    if (outlived(o, lease + terms.tolerance, now))
        return State::Stuck;
    if (outlived(o, lease, now))
        return State::Expired;
    if (certainlyChangedWithin(o, lease, now))
        return outlived(o, lateAfter(lease, terms.rhythm), now) ? State::Late : State::Held;
    return State::Unverified;
}

std::optional<Boot> nextMoment(const Observed &o, const Terms &terms, Boot now)
{
    if (o.viewStale || !terms.lease)
        return std::nullopt;
    const Duration lease = *terms.lease;
    const Duration tick(1); // the states change just after the moment, not at it
    std::optional<Boot> next;
    const auto consider = [&](std::optional<Boot> base, Duration after) {
        if (base && *base + after + tick > now && (!next || *base + after + tick < *next))
            next = *base + after + tick;
    };
    const auto last = lastPossibleChange(o);
    consider(o.changedNotBefore, lease);
    consider(last, lateAfter(lease, terms.rhythm));
    consider(last, lease);
    consider(last, lease + terms.tolerance);
    return next;
}

std::optional<Boot> doubtSince(const Observed &o, const Terms &terms, Boot now)
{
    const auto last = lastPossibleChange(o);
    if (o.viewStale || !terms.lease || !last)
        return std::nullopt;
    const Duration lease = *terms.lease;
    const auto lacks = [&](Duration limit) { return now > *last + limit && !outlived(o, limit, now); };
    const Duration late = lateAfter(lease, terms.rhythm);
    if (certainlyChangedWithin(o, lease, now) && lacks(late))
        return *last + late;
    for (const Duration limit : {lease, lease + terms.tolerance}) {
        if (lacks(limit))
            return *last + limit;
    }
    return std::nullopt;
}

std::optional<Duration> rhythmOf(const std::vector<Renewal> &renewals)
{
    std::array<Duration, 9> last{};
    std::size_t count = 0;
    for (auto it = renewals.rbegin(); it != renewals.rend() && count < last.size(); ++it) {
        if (it->interval)
            last.at(count++) = *it->interval;
    }
    if (count < 3)
        return std::nullopt;
    const auto middle = last.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(last.begin(), middle, last.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

} // namespace switchyard::election
