// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Arithmetic of spans: all lists are sorted by time and free of overlaps, and all of it is linear.
#include "models/events/leadership.h"

namespace switchyard {

using Spans = std::vector<LaneSpan>;

// What of `spans` lies outside, or inside, of `areas`.
Spans without(const Spans &spans, const std::vector<TimeSpan> &areas);
Spans within(const Spans &spans, const std::vector<TimeSpan> &areas);
// `base`, with `top` in its place where there is any.
Spans overlaid(const Spans &base, const Spans &top);
// Adds at the end; one that goes on as before makes the last one longer.
void append(Spans &spans, LaneSpan span);

// A value that is told by its changes, of which each names what was before: known from `since` to `until`, but for the blind spots.
struct Step
{
    Instant at{};
    std::optional<LaneState> before{}, after{}; // nullopt: not there
};
Spans told(const std::vector<Step> &steps, std::optional<LaneState> now, const TimeSpan &known, const std::vector<TimeSpan> &blind);

} // namespace switchyard
