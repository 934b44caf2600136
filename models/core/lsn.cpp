// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/lsn.h"

#include <charconv>
#include <cstdio>

namespace switchyard {

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\n\r\f\v";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

template<class Number>
std::optional<Number> wholeNumber(std::string_view text, int base)
{
    Number value{};
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, base);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> hexHalf(std::string_view text)
{
    return text.empty() || text.size() > 8 ? std::nullopt : wholeNumber<std::uint64_t>(text, 16);
}

} // namespace

std::string formatLsn(Lsn lsn)
{
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%X/%X", static_cast<unsigned>(lsn >> 32), static_cast<unsigned>(lsn & 0xFFFFFFFFU));
    return buffer;
}

std::optional<Lsn> parseLsn(std::string_view text)
{
    const auto slash = text.find('/');
    if (slash == std::string_view::npos)
        return {};
    const auto high = hexHalf(text.substr(0, slash));
    const auto low = hexHalf(text.substr(slash + 1));
    return high && low ? std::optional((*high << 32) | *low) : std::nullopt;
}

std::optional<std::int64_t> parseInteger(std::string_view text)
{
    text = trimmed(text);
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-'))
            return {};
    }
    return wholeNumber<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> parseUnsigned(std::string_view text)
{
    return wholeNumber<std::uint64_t>(trimmed(text), 10);
}

} // namespace switchyard
