// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/time_spec.h"

#include "models/core/lsn.h"

namespace switchyard::headless {

namespace {

std::optional<Duration> unit(char letter)
{
    using namespace std::chrono_literals;
    switch (letter) {
    case 's': return 1s;
    case 'm': return 1min;
    case 'h': return 1h;
    case 'd': return 24h;
    default: return std::nullopt;
    }
}

} // namespace

Instant TimeSpec::resolve(Instant now) const
{
    if (const auto *ago = std::get_if<Duration>(&at))
        return now - *ago;
    return std::get<Instant>(at);
}

std::optional<TimeSpec> parseTimeSpec(std::string_view text)
{
    if (const auto absolute = parseTime(text)) {
        if (!absolute->offsetSeconds)
            return std::nullopt; // whose midnight?
        return TimeSpec{absolute->utc};
    }
    if (text.ends_with(" ago"))
        text.remove_suffix(4);
    if (text.size() < 2 || text.find_first_not_of("0123456789") != text.size() - 1)
        return std::nullopt;
    const auto one = unit(text.back());
    const auto count = parseUnsigned(text.substr(0, text.size() - 1));
    if (!one || !count || *count > 1'000'000'000)
        return std::nullopt;
    return TimeSpec{*one * static_cast<std::int64_t>(*count)};
}

} // namespace switchyard::headless
