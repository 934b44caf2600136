// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_mask.h"

#include "models/patroni/mask.h"

#include <algorithm>
#include <array>

namespace switchyard::recording {

namespace {

constexpr std::string_view stars = "***";

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isNamePart(char c)
{
    const char l = lower(c);
    return (l >= 'a' && l <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::size_t skipBlanks(std::string_view text, std::size_t pos)
{
    while (pos < text.size() && isBlank(text[pos]))
        ++pos;
    return pos;
}

// Of the quoted text that begins there: after its closing quote. A doubled or escaped quote does not end it.
std::size_t endOfQuoted(std::string_view text, std::size_t pos)
{
    const char quote = text[pos];
    for (++pos; pos < text.size(); ++pos) {
        if (text[pos] == '\\')
            ++pos;
        else if (text[pos] == quote && pos + 1 < text.size() && text[pos + 1] == quote)
            ++pos;
        else if (text[pos] == quote)
            return pos + 1;
    }
    return text.size();
}

std::size_t endOfValue(std::string_view text, std::size_t pos)
{
    if (pos >= text.size())
        return pos;
    if (text[pos] == '\'' || text[pos] == '"')
        return endOfQuoted(text, pos);
    while (pos < text.size() && !isBlank(text[pos]) && text[pos] != '&' && text[pos] != '"' && text[pos] != '\'')
        pos += text[pos] == '\\' && pos + 1 < text.size() ? 2 : 1;
    return std::min(pos, text.size());
}

bool isHeader(std::string_view name)
{
    constexpr std::string_view header = "authorization";
    return name.size() == header.size()
        && std::equal(name.begin(), name.end(), header.begin(), [](char a, char b) { return lower(a) == b; });
}

// "Authorization: Bearer x": both words.
std::size_t endOfHeader(std::string_view text, std::size_t pos)
{
    return std::min(text.find_first_of("'\"\r\n", std::min(pos, text.size())), text.size());
}

// Where the value of the name that ends at `end` begins; npos: none follows.
std::size_t valueAfter(std::string_view text, std::size_t end, bool option)
{
    std::size_t pos = end;
    if (pos < text.size() && (text[pos] == '"' || text[pos] == '\''))
        ++pos; // "name": value
    const std::size_t sign = skipBlanks(text, pos);
    if (sign < text.size() && (text[sign] == '=' || text[sign] == ':'))
        return skipBlanks(text, sign + 1);
    return option && sign > end && sign < text.size() ? sign : std::string_view::npos;
}

} // namespace

bool isSecretName(std::string_view name)
{
    static constexpr std::array<std::string_view, 13> words{"password",  "passwd",     "passphrase", "pwd",     "secret",
                                                            "token",     "credential", "apikey",     "api_key", "api-key",
                                                            "accesskey", "access_key", "private"};
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(), lower);
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string::npos; })
        || text == "authorization" || text == "passfile" || text == "auth";
}

// A JSON web token, or a long run of what keys are made of.
bool looksLikeToken(std::string_view value)
{
    constexpr std::size_t longest = 40;
    if (value.starts_with("eyJ"))
        return true;
    const bool oneRun = std::all_of(value.begin(), value.end(), [](char c) { return isNamePart(c) && c != '-' && c != '.'; });
    const auto digits = std::count_if(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
    return value.size() >= longest && oneRun && digits > 3;
}

std::string maskSecrets(std::string_view raw)
{
    const std::string_view text = raw;
    std::string result;
    std::size_t pos = 0;
    while (pos < text.size()) {
        if (!isNamePart(text[pos])) {
            result += text[pos++];
            continue;
        }
        std::size_t end = pos;
        while (end < text.size() && isNamePart(text[end]))
            ++end;
        const std::string_view name = text.substr(pos, end - pos);
        const bool scheme = name == "Bearer" || name == "Basic" || name == "bearer" || name == "basic";
        const std::size_t value = scheme || isSecretName(name) ? valueAfter(text, end, scheme || name.starts_with("-")) : std::string::npos;
        if (value != std::string::npos) {
            result += text.substr(pos, value - pos);
            result += stars;
            pos = isHeader(name) ? endOfHeader(text, value) : endOfValue(text, value);
            continue;
        }
        result += looksLikeToken(name) ? stars : name;
        pos = end;
    }
    return patroni::maskCredentials(result);
}

} // namespace switchyard::recording
