// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Times of the command line: ISO 8601 with an offset, or a time ago as 30s 15m 2h 3d ("30s ago" too).
#include "models/core/time.h"

#include <variant>

namespace switchyard::headless {

struct TimeSpec
{
    std::variant<Instant, Duration> at; // Duration: so long before "now"
    Instant resolve(Instant now) const;
    bool operator==(const TimeSpec &) const = default;
};
std::optional<TimeSpec> parseTimeSpec(std::string_view text);

} // namespace switchyard::headless
