// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reading JSON that may hold anything. For decoder sources only: nothing else includes json.hpp. Values are never copied, compared or
// printed as a whole: those recurse, and the nesting of foreign input has no limit.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace switchyard::json {

using Json = nlohmann::json;

// Never throws; nullopt: not JSON. Bytes that are not UTF-8 are read as U+FFFD.
std::optional<Json> parse(std::string_view text);

// Member of an object; nullptr when `value` is no object, the key is missing or its value is null.
const Json *find(const Json *value, const char *key);
const Json *findObject(const Json *value, const char *key);
const Json *findArray(const Json *value, const char *key);

// The string, as it is; nullopt for every other type.
std::optional<std::string> text(const Json *value);
// A scalar as text: strings as they are, true, 12, 0.5; nullopt for null, arrays and objects.
std::optional<std::string> scalar(const Json *value);
// Whole numbers, floats without a fraction that are exact, and decimal strings.
std::optional<std::int64_t> integer(const Json *value);
std::optional<std::uint64_t> unsignedInteger(const Json *value);
// Truth as Python sees it: false, 0, "", null, [] and {} are false.
bool truthy(const Json *value);

} // namespace switchyard::json
