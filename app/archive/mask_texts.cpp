// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/mask_texts.h"

#include "models/patroni/mask.h"
#include "models/store/recording_mask.h"

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

// "curl -u me:word": what follows the colon.
std::string maskUserOptions(std::string text)
{
    for (const std::string_view option : {" -u ", " --user "}) {
        for (auto pos = text.find(option); pos != npos; pos = text.find(option, pos + 1)) {
            const auto value = pos + option.size(), end = std::min(text.find_first_of(" \t\r\n\"'", value), text.size());
            if (const auto colon = text.find(':', value); colon < end)
                text.replace(colon + 1, end - colon - 1, "***");
        }
    }
    return text;
}

bool isJson(const std::string &text)
{
    const auto begin = skip(text, 0, " \t\r\n");
    return begin < text.size() && (text[begin] == '{' || text[begin] == '[');
}

// Stands for the backslash of an escape that is left as it is written; JSON cannot contain it.
constexpr char kept = '\1';

// What an escaped text says: quotes, backslashes and line ends.
std::string unescaped(std::string_view raw)
{
    std::string text;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char next = i + 1 < raw.size() ? raw[i + 1] : ' ';
        if (raw[i] != '\\') {
            text += raw[i];
        } else if (next == '"' || next == '\\' || next == 'n') {
            text += next == 'n' ? '\n' : next;
            ++i;
        } else {
            text += kept;
        }
    }
    return text;
}

std::string escaped(std::string_view text)
{
    std::string raw;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            raw += '\\';
        raw += c == '\n' ? std::string("\\n") : std::string(1, c == kept ? '\\' : c);
    }
    return raw;
}

std::string maskText(const std::string &text);

// Every text within, by what it says itself and by the keys it stands under. All else stays to the letter.
std::string maskJson(const std::string &text)
{
    std::string result;
    int depth = 0, hidden = 0; // hidden: at this depth and below everything is under a secret key
    bool secret = false;       // the last key
    for (std::size_t pos = 0; pos < text.size(); ++pos) {
        const char c = text[pos];
        const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
        depth += static_cast<int>(opens) - static_cast<int>(closes);
        if (opens && secret && hidden == 0)
            hidden = depth;
        if (depth < hidden)
            hidden = 0;
        secret = secret && (c == ':' || c == ' ' || c == '\n' || c == '\t' || c == '\r');
        const auto end = c == '"' ? valueEnd(text, pos + 1, 0) : npos;
        if (end == npos || end >= text.size()) {
            result += c;
            continue;
        }
        const std::string raw = text.substr(pos + 1, end - pos - 1);
        const auto after = skip(text, end + 1, " \t\r\n");
        const bool key = after < text.size() && text[after] == ':';
        secret = key && recording::isSecretName(raw);
        const std::string said = unescaped(raw), masked = key ? said : hidden > 0 ? "***" : maskText(said);
        result += '"' + (masked == said ? raw : escaped(masked)) + '"';
        pos = end;
    }
    return result;
}

std::string maskText(const std::string &text)
{
    return isJson(text) ? maskJson(text) : maskUserOptions(recording::maskSecrets(text));
}

} // namespace

std::string maskSecrets(std::string text)
{
    text = patroni::maskCredentials(maskText(text));
    for (const std::string_view word : {"password", "passwd", "passphrase", "secret", "conninfo", "token", "passfile"}) {
        for (auto pos = findIgnoringCase(text, word, 0); pos != npos; pos = findIgnoringCase(text, word, pos))
            pos = maskAfter(text, pos + word.size());
    }
    return text;
}

} // namespace switchyard::archive
