// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/records.h"

#include <algorithm>

namespace switchyard::patroni {

std::optional<bool> parseBoolean(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (lower == "on" || lower == "true" || lower == "yes" || lower == "1")
        return true;
    if (lower == "off" || lower == "false" || lower == "no" || lower == "0")
        return false;
    return {};
}

namespace {

std::optional<std::vector<std::uint64_t>> releaseNumbers(std::string_view text)
{
    std::vector<std::uint64_t> numbers;
    while (true) {
        const auto dot = text.find('.');
        const auto part = text.substr(0, dot);
        const bool digits = !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        const auto number = digits ? parseUnsigned(part) : std::nullopt;
        if (!number)
            return {};
        numbers.push_back(*number);
        if (dot == std::string_view::npos)
            break;
        text.remove_prefix(dot + 1);
    }
    while (numbers.size() > 1 && numbers.back() == 0)
        numbers.pop_back(); // 4.1 is 4.1.0
    return numbers;
}

} // namespace

std::optional<std::strong_ordering> compareReleases(std::string_view a, std::string_view b)
{
    const auto left = releaseNumbers(a);
    const auto right = releaseNumbers(b);
    if (!left || !right)
        return {};
    return std::lexicographical_compare_three_way(left->begin(), left->end(), right->begin(), right->end());
}

} // namespace switchyard::patroni
