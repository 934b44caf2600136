// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which time a picture shows, and how one moves in it: pure arithmetic.
#include "models/core/time.h"

#include <QList>
#include <QString>

namespace switchyard::views {

struct TimeRange
{
    Instant from{}, to{};
    Duration length() const { return to - from; }
    bool operator==(const TimeRange &) const = default;
};

constexpr Duration shortestRange = std::chrono::seconds(1);

// Kept within `all`; one that is longer becomes all of it.
TimeRange bounded(TimeRange range, const TimeRange &all);
// factor < 1: nearer. What stands at `around` stays where it is.
TimeRange zoomed(const TimeRange &range, double factor, Instant around, const TimeRange &all);
TimeRange panned(const TimeRange &range, Duration by, const TimeRange &all);

struct TimeTick
{
    Instant at{};
    QString label;
};
// On round local times, as many as suit the width.
QList<TimeTick> timeTicks(const TimeRange &range, int pixels);

QString exactText(Instant t);    // "2031-02-01 13:02:11.402 UTC": local, to the millisecond
QString exactTextUtc(Instant t); // the same in UTC
QString rangeText(const TimeRange &range);

} // namespace switchyard::views
