// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_access.h"

#include "models/core/lsn.h"
#include "models/core/utf8.h"

#include <cmath>

namespace switchyard::json {

std::optional<Json> parse(std::string_view text)
{
    try {
        Json value = isUtf8(text) ? Json::parse(text, nullptr, false) : Json::parse(repairUtf8(text), nullptr, false);
        if (value.is_discarded())
            return {};
        return std::optional<Json>(std::in_place, std::move(value));
    } catch (const std::exception &) {
        return {};
    }
}

const Json *find(const Json *value, const char *key)
{
    if (!value || !value->is_object())
        return nullptr;
    const auto it = value->find(key);
    return it == value->end() || it->is_null() ? nullptr : &*it;
}

const Json *findObject(const Json *value, const char *key)
{
    const Json *result = find(value, key);
    return result && result->is_object() ? result : nullptr;
}

const Json *findArray(const Json *value, const char *key)
{
    const Json *result = find(value, key);
    return result && result->is_array() ? result : nullptr;
}

std::optional<std::string> text(const Json *value)
{
    const auto *string = value ? value->get_ptr<const std::string *>() : nullptr;
    return string ? std::optional(*string) : std::nullopt;
}

std::optional<std::string> scalar(const Json *value)
{
    if (!value || value->is_null() || value->is_structured())
        return {};
    if (value->is_string())
        return text(value);
    return value->dump();
}

std::optional<std::int64_t> integer(const Json *value)
{
    if (!value)
        return {};
    if (value->is_number_unsigned()) {
        const auto number = value->get<std::uint64_t>();
        return number <= static_cast<std::uint64_t>(INT64_MAX) ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }
    if (value->is_number_integer())
        return value->get<std::int64_t>();
    if (value->is_number_float()) {
        const auto number = value->get<double>();
        constexpr double exactLimit = 9007199254740992.0;
        return std::abs(number) <= exactLimit && std::trunc(number) == number ? std::optional(static_cast<std::int64_t>(number))
                                                                              : std::nullopt;
    }
    const auto string = text(value);
    return string ? parseInteger(*string) : std::nullopt;
}

std::optional<std::uint64_t> unsignedInteger(const Json *value)
{
    if (value && value->is_number_unsigned())
        return value->get<std::uint64_t>();
    if (const auto string = text(value))
        return parseUnsigned(*string);
    const auto number = integer(value);
    return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool truthy(const Json *value)
{
    if (!value || value->is_null())
        return false;
    if (value->is_boolean())
        return value->get<bool>();
    if (value->is_number())
        return value->get<double>() != 0.0;
    if (value->is_string())
        return !value->get_ptr<const std::string *>()->empty();
    return !value->empty();
}

} // namespace switchyard::json
