// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One description of a value's fields serves writing and reading: describe(Fields &, Value &) names each field once.
#include "models/core/time.h"

#include <nlohmann/json.hpp>

#include <map>
#include <type_traits>
#include <vector>

namespace switchyard::archive {

using Json = nlohmann::json;

// Of what the archive itself wrote; anything else is not known.
namespace json {

inline std::optional<Json> parse(const std::string &text)
{
    Json parsed = Json::parse(text, nullptr, false);
    return parsed.is_discarded() ? std::nullopt : std::optional<Json>(std::move(parsed));
}

// nullptr: `value` is no object, the key is missing or its value is null.
inline const Json *find(const Json *value, const char *key)
{
    if (!value || !value->is_object())
        return nullptr;
    const auto found = value->find(key);
    return found == value->end() || found->is_null() ? nullptr : &*found;
}

inline const Json *findArray(const Json *value, const char *key)
{
    const Json *found = find(value, key);
    return found && found->is_array() ? found : nullptr;
}

inline const Json *findObject(const Json *value, const char *key)
{
    const Json *found = find(value, key);
    return found && found->is_object() ? found : nullptr;
}

inline std::optional<std::string> text(const Json *value)
{
    return value && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

inline std::optional<std::int64_t> integer(const Json *value)
{
    return value && value->is_number_integer() ? std::optional(value->get<std::int64_t>()) : std::nullopt;
}

inline std::optional<std::uint64_t> unsignedInteger(const Json *value)
{
    return value && value->is_number_integer() ? std::optional(value->get<std::uint64_t>()) : std::nullopt;
}

inline bool truthy(const Json *value)
{
    return value && value->is_boolean() && value->get<bool>();
}

} // namespace json

// The value whose code() is `text`, among the first `count`.
template<class E>
std::optional<E> enumFromCode(std::string_view text, int count)
{
    for (int i = 0; i < count; ++i) {
        if (code(static_cast<E>(i)) == text)
            return static_cast<E>(i);
    }
    return std::nullopt;
}

// Writes what is known: a field that is nullopt, "", false or an empty list is left out.
class FieldWriter
{
public:
    static constexpr bool writes = true;
    Json object = Json::object();

    void field(const char *key, const std::string &v) { putUnless(v.empty(), key, v); }
    void field(const char *key, const bool &v) { putUnless(!v, key, v); }
    void field(const char *key, const int &v) { putUnless(v == 0, key, v); }
    void field(const char *key, const std::int64_t &v) { putUnless(v == 0, key, v); }
    void field(const char *key, const std::uint64_t &v) { putUnless(v == 0, key, v); }
    void field(const char *key, const std::vector<std::string> &v) { putUnless(v.empty(), key, v); }
    void field(const char *key, const std::map<std::string, std::string> &v) { putUnless(v.empty(), key, v); }
    template<class T>
    void field(const char *key, const std::optional<T> &v)
    {
        if (v)
            object[key] = plain(*v);
    }
    template<class E>
    void word(const char *key, const E &v, int)
    {
        object[key] = std::string(code(v));
    }
    template<class E>
    void word(const char *key, const std::optional<E> &v, int)
    {
        if (v)
            object[key] = std::string(code(*v));
    }

private:
    static const std::string &plain(const std::string &v) { return v; }
    static std::int64_t plain(const Instant &v) { return v.time_since_epoch().count(); }
    static std::int64_t plain(const Boot &v) { return v.time_since_epoch().count(); }
    static std::int64_t plain(const Duration &v) { return v.count(); }
    template<class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    static T plain(const T &v)
    {
        return v;
    }
    template<class T>
    void putUnless(bool nothing, const char *key, const T &v)
    {
        if (!nothing)
            object[key] = v;
    }
};

class FieldReader
{
public:
    static constexpr bool writes = false;
    const Json *object = nullptr;

    void field(const char *key, std::string &v) { v = json::text(at(key)).value_or(std::string()); }
    void field(const char *key, bool &v) { v = json::truthy(at(key)); }
    void field(const char *key, int &v) { v = static_cast<int>(json::integer(at(key)).value_or(0)); }
    void field(const char *key, std::int64_t &v) { v = json::integer(at(key)).value_or(0); }
    void field(const char *key, std::uint64_t &v) { v = json::unsignedInteger(at(key)).value_or(0); }
    void field(const char *key, std::vector<std::string> &v)
    {
        v.clear();
        if (const Json *all = json::findArray(object, key)) {
            for (const Json &item : *all)
                v.push_back(json::text(&item).value_or(std::string()));
        }
    }
    void field(const char *key, std::map<std::string, std::string> &v)
    {
        v.clear();
        if (const Json *all = json::findObject(object, key)) {
            for (auto item = all->begin(); item != all->end(); ++item)
                v[item.key()] = json::text(&item.value()).value_or(std::string());
        }
    }
    template<class T>
    void field(const char *key, std::optional<T> &v)
    {
        v = read(at(key), v);
    }
    template<class E>
    void word(const char *key, E &v, int count)
    {
        v = enumFromCode<E>(json::text(at(key)).value_or(std::string()), count).value_or(v);
    }
    template<class E>
    void word(const char *key, std::optional<E> &v, int count)
    {
        const auto text = json::text(at(key));
        v = text ? enumFromCode<E>(*text, count) : std::nullopt;
    }

private:
    const Json *at(const char *key) const { return json::find(object, key); }
    static std::optional<std::string> read(const Json *v, const std::optional<std::string> &) { return json::text(v); }
    static std::optional<bool> read(const Json *v, const std::optional<bool> &)
    {
        return v ? std::optional(json::truthy(v)) : std::nullopt;
    }
    static std::optional<std::uint64_t> read(const Json *v, const std::optional<std::uint64_t> &) { return json::unsignedInteger(v); }
    static std::optional<std::int64_t> read(const Json *v, const std::optional<std::int64_t> &) { return json::integer(v); }
    static std::optional<int> read(const Json *v, const std::optional<int> &)
    {
        const auto number = json::integer(v);
        return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
    }
    template<class T>
    static std::optional<T> read(const Json *v, const std::optional<T> &) // times
    {
        const auto number = json::integer(v);
        return number ? std::optional(T(Duration(*number))) : std::nullopt;
    }
};

} // namespace switchyard::archive
