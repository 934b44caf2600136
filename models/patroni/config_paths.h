// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// JSON of an annotation as single values by their paths, and what of it may be shown.
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard::patroni {

// A key whose value may be a secret: passwords, tokens, connection strings and commands that may carry them.
bool isSecretKey(std::string_view key);
// The value as it may be shown where its key is not secret: credentials in it are "***".
std::string shownValue(std::string_view value);

// {"a":{"b":1,"c":["x"]}} -> a.b: 1, a.c.0: x. Numbers as written there; text without quotes. nullopt: not an object or array.
std::optional<std::map<std::string, std::string>> jsonPaths(std::string_view json);
// Patroni's timeline history by the timeline that ended: {"8", "67109216, no recovery target specified, 2031-..., acme-1"}.
std::optional<std::map<std::string, std::string>> historyPaths(std::string_view json);

} // namespace switchyard::patroni
