// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Maintenance mode as far as it has come: the configuration says it, and each member reports when it has seen it
// (patroni/ha.py touch_member: `pause` in the status annotation, 2.0 - 4.1).
#include "models/patroni/cluster.h"

namespace switchyard::rules {

struct PauseView
{
    bool paused = false;              // what the configuration says
    std::optional<Boot> changedAt;    // when we saw the configuration change to this; nullopt: it was so before we looked
    std::optional<Boot> firstSeen;    // when we first saw it so
    int seen = 0, reporting = 0;      // members that act by it, of those that report at all
    std::vector<std::string> waiting; // the others
    bool complete() const { return waiting.empty(); }
    bool operator==(const PauseView &) const = default;
};

// nullopt: there is no readable configuration.
std::optional<PauseView> pauseView(const patroni::Cluster &cluster);

} // namespace switchyard::rules
