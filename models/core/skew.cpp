// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/skew.h"

#include <algorithm>

namespace switchyard {

namespace {

constexpr Duration dateStep = std::chrono::seconds(1); // Date has no fractions
constexpr Duration keptFor = std::chrono::minutes(5);  // clocks drift, and get set

} // namespace

// The server wrote its Date somewhere between `sent` and `received`, and its clock then showed Date or up to a second more.
ClockSkew skewOf(Instant sent, Now received, Instant serverDate)
{
    const Duration took = std::max(Duration::zero(), Duration(received.wall - sent));
    const Instant middle = received.wall - took / 2;
    return ClockSkew{.offset = serverDate + dateStep / 2 - middle, .uncertainty = dateStep / 2 + took / 2, .measured = received.boot};
}

ClockSkew betterSkew(const std::optional<ClockSkew> &known, const ClockSkew &fresh)
{
    if (!known || fresh.uncertainty <= known->uncertainty || fresh.measured - known->measured > keptFor)
        return fresh;
    return *known;
}

} // namespace switchyard
