// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/pause.h"

namespace switchyard::rules {

namespace {

std::optional<bool> pausedIn(const patroni::Snapshot &snapshot, const std::string &object)
{
    const auto text = snapshot.annotations.find("config");
    if (snapshot.object != object || text == snapshot.annotations.end())
        return std::nullopt;
    std::vector<patroni::Defect> defects;
    const patroni::DynamicConfig config = patroni::decodeDynamicConfig(text->second, defects, object);
    return config.present ? std::optional(config.paused) : std::nullopt;
}

// Back through the configurations that were seen, as long as they say the same.
void findChange(PauseView &view, const patroni::Cluster &cluster)
{
    const auto &all = cluster.snapshots;
    for (std::size_t i = all.size(); i > 0; --i) {
        const patroni::Snapshot &snapshot = all[i - 1];
        const auto paused = pausedIn(snapshot, cluster.names.configName);
        if (!paused)
            continue;
        if (*paused != view.paused) {
            view.changedAt = view.firstSeen;
            return;
        }
        view.firstSeen = snapshot.seen;
    }
}

} // namespace

std::optional<PauseView> pauseView(const patroni::Cluster &cluster)
{
    if (!cluster.config || !cluster.config->config.present)
        return std::nullopt;
    PauseView view;
    view.paused = cluster.config->config.paused;
    findChange(view, cluster);
    for (const patroni::Member &member : cluster.members) {
        if (!member.record.reported)
            continue;
        ++view.reporting;
        if (member.record.pauseSeen == view.paused)
            ++view.seen;
        else
            view.waiting.push_back(member.record.name);
    }
    return view;
}

} // namespace switchyard::rules
