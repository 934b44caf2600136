// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far an API server's clock is from ours, by the Date header of its answers. It says nothing of the clocks of the Pods.
#include "models/core/time.h"

#include <optional>

namespace switchyard {

struct ClockSkew
{
    Duration offset{};      // server minus ours
    Duration uncertainty{}; // +- this: half of the time that the request took, and half of the second that Date is cut to
    Boot measured{};
    bool certain() const { return offset > uncertainty || offset < -uncertainty; } // there is a difference for sure
    bool operator==(const ClockSkew &) const = default;
};

// `sent`, `received`: our wall clock around the request.
ClockSkew skewOf(Instant sent, Now received, Instant serverDate);
// The best of several: a new one replaces the old when it is more certain or the old one is older than five minutes.
ClockSkew betterSkew(const std::optional<ClockSkew> &known, const ClockSkew &fresh);

} // namespace switchyard
