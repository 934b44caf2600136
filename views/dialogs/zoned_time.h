// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A time typed in a zone, as the one instant it means; or why it means none or two. Pure.
#include "models/core/time.h"

#include <QDateTime>
#include <QTimeZone>

namespace switchyard::views {

struct ZonedTime
{
    enum class State { Exact, Skipped /* clocks jump over it */, Twice /* clocks run through it twice */, Invalid } state = State::Invalid;
    std::optional<Instant> instant{}; // Exact only
    bool operator==(const ZonedTime &) const = default;
};

ZonedTime resolveZoned(const QDate &date, const QTime &time, const QTimeZone &zone);
QString explained(const ZonedTime &time); // what to do about it; empty when exact

} // namespace switchyard::views
