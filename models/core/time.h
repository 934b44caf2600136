// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Points in time. The core never reads a clock: "now" is always an argument.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard {

using Duration = std::chrono::microseconds;

// Wall-clock time (UTC), exact to the microsecond as Patroni writes it.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;

// Tag of the boot-time clock (CLOCK_BOOTTIME: runs on while the machine sleeps). Has no now() on purpose:
// only the shell (app/) reads it. In a replay it is the recording's "t".
struct BootClock
{
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock, duration>;
    static constexpr bool is_steady = true;
};
using Boot = BootClock::time_point;

// Both clocks read together; used to show a Boot time as wall time.
struct Now
{
    Boot boot{};
    Instant wall{};
    Instant toWall(Boot t) const { return wall - (boot - t); }
    bool operator==(const Now &) const = default;
};

// An ISO 8601 time as found in an annotation.
struct ParsedTime
{
    Instant utc{};                      // only meaningful as UTC when offsetSeconds is set, or when the field's rule says "no offset = UTC"
    std::optional<int> offsetSeconds{}; // nullopt: the text had no offset or zone
    bool operator==(const ParsedTime &) const = default;
};

// ISO 8601 date-time: 'T', 't' or blank between date and time; optional 1..9 fraction digits (truncated to us);
// Z, z, +hh, +hhmm, +hh:mm or nothing. Rejects month 13, hour 24, trailing text. A leap second ":60" is rejected.
std::optional<ParsedTime> parseTime(std::string_view text);

// As parseTime, a missing offset read as UTC (Patroni's renewTime, acquireTime, history times).
std::optional<Instant> parseInstant(std::string_view text);

// "2031-02-01T06:00:11.402917Z": always six fraction digits, always Z. For exports.
std::string formatUtc(Instant t);

// "yyyy-MM-ddTHH:mm:ss+00:00", rounded down to the second: the only form Switchyard ever writes as scheduled_at
// (an unparsable one stops every member of a Patroni cluster; patroni/dcs/__init__.py, 2.0 - 4.1).
std::string formatScheduledAt(Instant t);

constexpr double toSeconds(Duration d)
{
    return std::chrono::duration<double>(d).count();
}

} // namespace switchyard
