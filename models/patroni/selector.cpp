// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/selector.h"

#include "models/patroni/discovery_evidence.h"

#include <algorithm>

namespace switchyard::patroni {

namespace {

std::optional<std::string> evidence(const KubeObject &object)
{
    if (object.resource != Resource::Endpoints && object.resource != Resource::ConfigMaps)
        return std::nullopt;
    auto base = configBase(object);
    return base ? base : leaderBase(object);
}

Mode modeOf(const KubeObject &object)
{
    return object.resource == Resource::Endpoints ? Mode::Endpoints : Mode::ConfigMaps;
}

} // namespace

bool hidesSomething(const std::vector<const KubeObject *> &objects, const std::string &labelKey)
{
    std::set<std::tuple<std::string, Resource, std::string>> visible; // objects of clusters that the selector shows
    for (const KubeObject *object : objects) {
        const auto base = evidence(*object);
        const auto matches = base ? scopeMatches(*object, *base) : std::vector<ScopeMatch>{};
        if (matches.empty())
            continue; // without a scope label it is no cluster's, or found by its name below
        if (std::none_of(matches.begin(), matches.end(), [&](const ScopeMatch &m) { return m.labelKey == labelKey; }))
            return true;
        for (const std::string &name : objectNames(modeOf(*object), *base))
            visible.emplace(object->ns, object->resource, name);
    }
    return std::any_of(objects.begin(), objects.end(), [&](const KubeObject *object) {
        return !object->labels.contains(labelKey) && visible.contains({object->ns, object->resource, object->name});
    });
}

std::optional<std::string> selectorKey(const std::vector<const KubeObject *> &objects)
{
    std::map<std::string, std::vector<const KubeObject *>> byNamespace;
    for (const KubeObject *object : objects)
        byNamespace[object->ns].push_back(object);
    std::set<std::string> keys;
    for (const auto &[ns, own] : byNamespace) {
        for (const ClusterNames &cluster : discover({}, ns, own, {}))
            keys.insert(cluster.scopeLabel);
    }
    if (keys.size() != 1 || hidesSomething(objects, *keys.begin()))
        return std::nullopt;
    return *keys.begin();
}

KubeObject outline(const KubeObject &object)
{
    KubeObject result;
    result.resource = object.resource;
    result.ns = object.ns;
    result.name = object.name;
    result.labels = object.labels;
    result.owners = object.owners;
    for (const char *key : {"initialize", "config", "history", "leader", "acquireTime", "ttl", "renewTime", "transitions", "status"}) {
        if (object.annotations.contains(key))
            result.annotations.emplace(key, std::string());
    }
    return result;
}

std::vector<std::string> objectNames(Mode mode, const std::string &base)
{
    return {leaderNameOf(mode, base), base + "-config", base + "-failover", base + "-sync"};
}

std::set<std::string> membersNamedBy(const KubeObject &object)
{
    std::set<std::string> names;
    std::vector<Defect> ignored;
    const LeaderRecord leader = decodeLeader(object, ignored);
    if (leader.leader)
        names.insert(*leader.leader);
    if (leader.failsafe) {
        for (const auto &[member, url] : *leader.failsafe)
            names.insert(member);
    }
    for (const EndpointAddress &address : object.addresses.value_or(std::vector<EndpointAddress>{})) {
        if (address.podName)
            names.insert(*address.podName);
    }
    if (object.name.ends_with("-sync")) {
        const SyncState sync = decodeSync(object, ignored);
        names.insert(sync.standbys.begin(), sync.standbys.end());
    }
    names.erase(std::string());
    return names;
}

} // namespace switchyard::patroni
