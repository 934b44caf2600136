// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/discovery_evidence.h"

#include <algorithm>
#include <climits>

namespace switchyard::patroni {

namespace {

bool has(const KubeObject &object, const char *annotation)
{
    return object.annotations.contains(annotation);
}

std::string withoutSuffix(const std::string &name, std::string_view suffix)
{
    return name.substr(0, name.size() - suffix.size());
}

} // namespace

std::optional<std::string> label(const KubeObject &object, const std::string &key)
{
    const auto it = object.labels.find(key);
    return it == object.labels.end() ? std::nullopt : std::optional(it->second);
}

bool isLeaderRecord(const KubeObject &object)
{
    return has(object, "ttl") && has(object, "renewTime") && has(object, "acquireTime") && has(object, "transitions");
}

std::optional<std::string> lockHolder(const KubeObject &object)
{
    if (!has(object, "ttl") && !has(object, "renewTime") && !has(object, "acquireTime"))
        return std::nullopt;
    const auto leader = object.annotations.find("leader");
    return leader == object.annotations.end() ? std::string() : leader->second;
}

std::optional<std::string> configBase(const KubeObject &object)
{
    const bool written = has(object, "initialize") || has(object, "config") || has(object, "history");
    return written && object.name.ends_with("-config") ? std::optional(withoutSuffix(object.name, "-config")) : std::nullopt;
}

std::optional<std::string> leaderBase(const KubeObject &object)
{
    if (!isLeaderRecord(object))
        return std::nullopt;
    if (object.resource == Resource::Endpoints)
        return object.name;
    return object.name.ends_with("-leader") ? std::optional(withoutSuffix(object.name, "-leader")) : std::nullopt;
}

std::string leaderNameOf(Mode mode, const std::string &base)
{
    return mode == Mode::Endpoints ? base : base + "-leader";
}

std::vector<ScopeMatch> scopeMatches(const KubeObject &object, const std::string &base)
{
    const auto groupText = label(object, groupLabel);
    const auto number = groupText ? parseUnsigned(*groupText) : std::nullopt;
    const auto group = number && *number <= INT_MAX && std::to_string(*number) == *groupText ? std::optional(static_cast<int>(*number))
                                                                                             : std::nullopt;
    std::vector<ScopeMatch> result;
    for (const auto &[key, value] : object.labels) {
        if (key == groupLabel || value.empty())
            continue;
        if (group && base == value + '-' + *groupText)
            result.push_back({key, value, group});
        else if (base == value)
            result.push_back({key, value, std::nullopt});
    }
    // The group label is only put on objects of a Citus cluster: where one reading uses it, the others are chance.
    if (std::any_of(result.begin(), result.end(), [](const ScopeMatch &m) { return m.group.has_value(); }))
        std::erase_if(result, [](const ScopeMatch &m) { return !m.group; });
    return result;
}

} // namespace switchyard::patroni
