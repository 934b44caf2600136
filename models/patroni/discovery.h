// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which Patroni clusters are in a set of objects (patroni-on-kubernetes rules: by name, annotations and labels, never by an
// assumed label key). Pure; cheap enough to run again whenever an object appears, disappears or changes its labels.
#include "models/patroni/records.h"

#include <compare>
#include <functional>
#include <set>

namespace switchyard::patroni {

struct ClusterKey
{
    std::string context, ns, scope;
    std::optional<int> group; // Citus group
    std::string base;         // object name stem: SCOPE or SCOPE-GROUP; tells equal scopes apart
    auto operator<=>(const ClusterKey &) const = default;
    std::string text() const; // "ns/scope" or "ns/scope:group"
};

struct ClusterNames
{
    ClusterKey key;
    Mode mode{};
    std::string scopeLabel; // label key that carries the scope
    std::string leaderName, configName, failoverName, syncName;
    Resource resource() const { return mode == Mode::Endpoints ? Resource::Endpoints : Resource::ConfigMaps; }
    bool otherModePresent = false; // objects of both kinds exist: the mode was switched, one is stale
    std::set<std::string> memberNames;
    bool operator==(const ClusterNames &) const = default;
};

// objects: everything known of one context and namespace (Endpoints, ConfigMaps, Pods; others are ignored).
// moved(resource, name): when that leader object's record last changed (observation), to choose between two modes; may return nullopt.
std::vector<ClusterNames> discover(const std::string &context, const std::string &ns, const std::vector<const KubeObject *> &objects,
                                   const std::function<std::optional<Boot>(Resource, const std::string &)> &moved);

// Role label key of a cluster: the label of the member Pods whose values are Patroni role words; nullopt: not to be seen.
std::optional<std::string> findRoleLabel(const std::vector<const KubeObject *> &memberPods, const std::string &scopeLabel);

} // namespace switchyard::patroni
