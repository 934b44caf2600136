// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/mask_texts.h"

#include "models/patroni/mask.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace switchyard::archive {

namespace {

constexpr auto npos = std::string::npos;

char lower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t findIgnoringCase(const std::string &text, std::string_view word, std::size_t from)
{
    const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())), text.end(), word.begin(),
                                   word.end(), [](char a, char b) { return lower(a) == b; });
    return found == text.end() ? npos : static_cast<std::size_t>(found - text.begin());
}

std::size_t skip(const std::string &text, std::size_t pos, std::string_view chars)
{
    const auto end = text.find_first_not_of(chars, pos);
    return end == npos ? text.size() : end;
}

// A quote, after as many backslashes as the JSON around it needs: its end, and that number. npos: no quote here.
std::size_t quoteEnd(const std::string &text, std::size_t pos, std::size_t &slashes)
{
    const auto quote = skip(text, pos, "\\");
    slashes = quote - pos;
    return quote < text.size() && text[quote] == '"' ? quote + 1 : npos;
}

// Where the text that began after a quote with so many backslashes ends.
std::size_t valueEnd(const std::string &text, std::size_t pos, std::size_t slashes)
{
    while (pos < text.size()) {
        const auto quote = text.find('"', pos);
        if (quote == npos)
            return text.size();
        std::size_t before = 0;
        while (before < quote - pos && text[quote - before - 1] == '\\')
            ++before;
        if (before <= slashes)
            return quote - before;
        pos = quote + 1;
    }
    return text.size();
}

// `pos` is within a key: the text after it becomes stars. Where to go on.
std::size_t maskAfter(std::string &text, std::size_t pos)
{
    std::size_t slashes = 0;
    while (pos < text.size() && (std::isalnum(static_cast<unsigned char>(text[pos])) != 0 || text[pos] == '_' || text[pos] == '-'))
        ++pos;
    const auto keyEnd = quoteEnd(text, pos, slashes);
    if (keyEnd == npos)
        return pos;
    const auto colon = skip(text, keyEnd, " \t\r\n");
    if (colon >= text.size() || text[colon] != ':')
        return keyEnd;
    const auto value = quoteEnd(text, skip(text, colon + 1, " \t\r\n"), slashes);
    if (value == npos)
        return colon;
    text.replace(value, valueEnd(text, value, slashes) - value, "***");
    return value;
}

} // namespace

std::string maskSecrets(std::string text)
{
    text = patroni::maskCredentials(text);
    for (const std::string_view word : {"password", "passwd", "passphrase", "secret", "conninfo", "token", "passfile"}) {
        for (auto pos = findIgnoringCase(text, word, 0); pos != npos; pos = findIgnoringCase(text, word, pos))
            pos = maskAfter(text, pos + word.size());
    }
    return text;
}

} // namespace switchyard::archive
