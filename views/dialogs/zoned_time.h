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
    // Twice: what it can mean, the earlier one first, with the offset from UTC in seconds.
    struct Meaning
    {
        Instant instant{};
        int offset = 0;
        bool operator==(const Meaning &) const = default;
    };
    QList<Meaning> meanings{};
    // Skipped: the wall time at which the clocks are put forward, and what they show then. Invalid: not found.
    QDateTime gapFrom{}, gapTo{};
    bool operator==(const ZonedTime &) const = default;
};

ZonedTime resolveZoned(const QDate &date, const QTime &time, const QTimeZone &zone);
QString explained(const ZonedTime &time); // what to do about it; empty when exact
QString offsetText(int seconds);          // "UTC+02:00"

// The zones to choose from: local, UTC, then every IANA zone by name.
struct NamedZone
{
    QString name; // "local time (Europe/Berlin)", "UTC", "America/New_York"
    QByteArray id;
    bool operator==(const NamedZone &) const = default;
};
QList<NamedZone> namedZones();

} // namespace switchyard::views
