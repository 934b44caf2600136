// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/time.h"

#include <cstdio>

namespace switchyard {

namespace {

using namespace std::chrono;

// Reads the text from left to right; every function leaves the position alone when it does not match.
class Cursor
{
public:
    explicit Cursor(std::string_view text)
        : m_text(text)
    {}

    bool atEnd() const { return m_pos == m_text.size(); }
    char peek() const { return atEnd() ? '\0' : m_text[m_pos]; }
    bool take(std::string_view anyOf)
    {
        if (atEnd() || anyOf.find(m_text[m_pos]) == std::string_view::npos)
            return false;
        ++m_pos;
        return true;
    }
    std::optional<int> digits(int count)
    {
        if (m_text.size() - m_pos < static_cast<std::size_t>(count))
            return {};
        int value = 0;
        for (int i = 0; i < count; ++i) {
            const char c = m_text[m_pos + static_cast<std::size_t>(i)];
            if (c < '0' || c > '9')
                return {};
            value = value * 10 + (c - '0');
        }
        m_pos += static_cast<std::size_t>(count);
        return value;
    }

private:
    std::string_view m_text;
    std::size_t m_pos = 0;
};

std::optional<sys_days> readDate(Cursor &in)
{
    const auto y = in.digits(4);
    if (!y || !in.take("-"))
        return {};
    const auto m = in.digits(2);
    if (!m || !in.take("-"))
        return {};
    const auto d = in.digits(2);
    if (!d || *y == 0)
        return {};
    const year_month_day date{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
    return date.ok() ? std::optional(sys_days{date}) : std::nullopt;
}

std::optional<microseconds> readFraction(Cursor &in)
{
    std::int64_t value = 0;
    int count = 0;
    while (const auto digit = in.digits(1)) {
        if (++count > 9)
            return {};
        if (count <= 6)
            value = value * 10 + *digit;
    }
    if (count == 0)
        return {};
    for (; count < 6; ++count)
        value *= 10;
    return microseconds{value};
}

std::optional<microseconds> readTimeOfDay(Cursor &in)
{
    const auto h = in.digits(2);
    if (!h || *h > 23 || !in.take(":"))
        return {};
    const auto m = in.digits(2);
    if (!m || *m > 59)
        return {};
    microseconds result = hours{*h} + minutes{*m};
    if (!in.take(":"))
        return result;
    const auto s = in.digits(2);
    if (!s || *s > 59)
        return {};
    result += seconds{*s};
    if (!in.take(".,"))
        return result;
    const auto fraction = readFraction(in);
    return fraction ? std::optional(result + *fraction) : std::nullopt;
}

// false: malformed. No zone at all leaves `offset` empty.
bool readZone(Cursor &in, std::optional<int> &offset)
{
    if (in.atEnd())
        return true;
    if (in.take("Zz")) {
        offset = 0;
        return true;
    }
    const char sign = in.peek();
    if (!in.take("+-"))
        return false;
    const auto h = in.digits(2);
    if (!h || *h > 23)
        return false;
    int minute = 0;
    if (!in.atEnd()) {
        in.take(":");
        const auto m = in.digits(2);
        if (!m || *m > 59)
            return false;
        minute = *m;
    }
    offset = (sign == '-' ? -1 : 1) * (*h * 3600 + minute * 60);
    return true;
}

std::string formatSeconds(Instant t)
{
    const auto day = floor<days>(t);
    const year_month_day date{day};
    const hh_mm_ss time{floor<seconds>(t) - day};
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02uT%02d:%02d:%02d", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                  static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()));
    return buffer;
}

} // namespace

std::optional<ParsedTime> parseTime(std::string_view text)
{
    Cursor in(text);
    const auto date = readDate(in);
    if (!date || !in.take("Tt "))
        return {};
    const auto time = readTimeOfDay(in);
    if (!time)
        return {};
    ParsedTime result;
    if (!readZone(in, result.offsetSeconds) || !in.atEnd())
        return {};
    result.utc = Instant{*date} + *time - seconds{result.offsetSeconds.value_or(0)};
    return result;
}

std::optional<Instant> parseInstant(std::string_view text)
{
    const auto parsed = parseTime(text);
    return parsed ? std::optional(parsed->utc) : std::nullopt;
}

std::string formatUtc(Instant t)
{
    const auto fraction = static_cast<int>((t - floor<seconds>(t)).count());
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, ".%06dZ", fraction);
    return formatSeconds(t) + buffer;
}

std::string formatScheduledAt(Instant t)
{
    return formatSeconds(t) + "+00:00";
}

} // namespace switchyard
