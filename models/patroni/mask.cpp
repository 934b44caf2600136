// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/mask.h"

namespace switchyard::patroni {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view stars = "***";

std::size_t findOrEnd(std::string_view text, std::string_view anyOf, std::size_t from)
{
    const auto pos = text.find_first_of(anyOf, from);
    return pos == npos ? text.size() : pos;
}

// "//" or, in JSON, "\\/\\/" after a colon: the length of the mark, 0 when there is none.
std::size_t authorityMark(std::string_view text, std::size_t pos)
{
    if (text[pos] != ':')
        return 0;
    for (const std::string_view mark : {std::string_view("://"), std::string_view(":\\/\\/")}) {
        if (text.substr(pos, mark.size()) == mark)
            return mark.size();
    }
    return 0;
}

std::string maskUrls(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    std::size_t pos = 0;
    while (pos < text.size()) {
        const auto colon = findOrEnd(text, ":", pos);
        result += text.substr(pos, colon - pos);
        pos = colon;
        if (pos == text.size())
            break;
        const auto mark = authorityMark(text, pos);
        if (mark == 0) {
            result += text[pos++];
            continue;
        }
        result += text.substr(pos, mark);
        pos += mark;
        // The URL ends at a quote or blank, or where the next URL begins; an '@' anywhere in it may end a password that was not escaped.
        std::size_t end = findOrEnd(text, "\"' \t\r\n", pos);
        for (std::size_t i = pos; i < end; ++i) {
            if (authorityMark(text, i) != 0)
                end = i;
        }
        const auto at = text.substr(pos, end - pos).rfind('@');
        if (at == npos)
            continue;
        result += stars;
        pos += at;
    }
    return result;
}

bool sameIgnoringCase(std::string_view text, std::string_view lower)
{
    if (text.size() != lower.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
        if (c != lower[i])
            return false;
    }
    return true;
}

std::string maskParameters(std::string text)
{
    if (text.find('=') == npos)
        return text;
    for (const std::string_view key : {std::string_view("password="), std::string_view("passwd="), std::string_view("sslpassword=")}) {
        for (std::size_t pos = 0; pos + key.size() <= text.size(); ++pos) {
            if (!sameIgnoringCase(std::string_view(text).substr(pos, key.size()), key))
                continue;
            const auto start = pos + key.size();
            const auto end = findOrEnd(text, "&\"' \t\r\n", start);
            text.replace(start, end - start, stars);
            pos = start;
        }
    }
    return text;
}

} // namespace

std::string maskCredentials(std::string_view text)
{
    return maskParameters(maskUrls(text));
}

} // namespace switchyard::patroni
