// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/sync_set.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

bool exactNames(const patroni::Cluster &cluster)
{
    for (const auto &member : cluster.members) {
        if (member.record.name != cluster.leaderName || !member.record.version)
            continue;
        const auto since = patroni::compareReleases(*member.record.version, "3.0.3");
        return since && *since < 0;
    }
    return false;
}

} // namespace

bool syncIsActive(const patroni::Cluster &cluster)
{
    return cluster.config && cluster.config->config.syncMode != patroni::SyncMode::Off && cluster.sync && cluster.sync->leader;
}

bool syncSetIsEmpty(const patroni::Cluster &cluster)
{
    if (!cluster.sync || !cluster.sync->leader)
        return true;
    const std::string leader = lower(*cluster.sync->leader);
    return std::all_of(cluster.sync->standbys.begin(), cluster.sync->standbys.end(),
                       [&](const std::string &name) { return lower(name) == leader; });
}

bool inSyncSet(const patroni::Cluster &cluster, const std::string &member)
{
    if (!cluster.sync || !cluster.sync->leader)
        return false;
    const auto &names = cluster.sync->standbys;
    if (exactNames(cluster))
        return std::find(names.begin(), names.end(), member) != names.end();
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return lower(name) == lower(member); });
}

} // namespace switchyard::rules
