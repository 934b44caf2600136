// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/config_paths.h"

#include "models/patroni/mask.h"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace switchyard::patroni {

namespace {

using Json = nlohmann::json;
using Paths = std::map<std::string, std::string>;

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

// Never throws: text that is not UTF-8 is repaired on its way out.
std::string textOf(const Json &value)
{
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void collect(const Json &value, const std::string &path, Paths &paths, int depth)
{
    constexpr int deepest = 64;
    if (!value.is_structured() || value.empty() || depth > deepest) {
        paths[path] = textOf(value);
        return;
    }
    const std::string start = path.empty() ? path : path + '.';
    std::size_t index = 0;
    for (const auto &item : value.items())
        collect(item.value(), start + (value.is_array() ? std::to_string(index++) : item.key()), paths, depth + 1);
}

std::optional<Json> parse(std::string_view json)
{
    Json value = Json::parse(json, nullptr, false);
    return value.is_discarded() || !value.is_structured() ? std::nullopt : std::optional(std::move(value));
}

// "password = 'x y'": no mask can cut such a value out safely.
bool carriesPassword(std::string_view value)
{
    const std::string text = lower(value);
    for (const std::string_view word : {std::string_view("password"), std::string_view("passwd")}) {
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            const std::size_t mark = text.find_first_not_of(" \t", at + word.size());
            if (mark != std::string::npos && (text[mark] == '=' || text[mark] == ':'))
                return true;
        }
    }
    return false;
}

} // namespace

bool isSecretKey(std::string_view key)
{
    constexpr std::array<std::string_view, 10> parts{"password", "passwd",   "passphrase",      "passfile",        "secret",
                                                     "token",    "conninfo", "restore_command", "archive_command", "credential"};
    const std::string text = lower(key);
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

std::string shownValue(std::string_view value)
{
    return carriesPassword(value) ? "***" : maskCredentials(value);
}

std::optional<std::map<std::string, std::string>> jsonPaths(std::string_view json)
{
    const auto value = parse(json);
    if (!value)
        return std::nullopt;
    Paths paths;
    if (!value->empty())
        collect(*value, {}, paths, 0);
    return paths;
}

std::optional<std::map<std::string, std::string>> historyPaths(std::string_view json)
{
    const auto value = parse(json);
    if (!value || !value->is_array())
        return std::nullopt;
    Paths paths;
    for (const Json &entry : *value) {
        if (!entry.is_array() || entry.empty())
            return std::nullopt;
        std::string text;
        for (std::size_t i = 1; i < entry.size(); ++i)
            text += (i > 1 ? ", " : "") + textOf(entry[i]);
        paths[textOf(entry[0])] = text;
    }
    return paths;
}

} // namespace switchyard::patroni
