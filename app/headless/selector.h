// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which clusters are meant: NS/SCOPE, or NS/SCOPE:GROUP for one Citus group.
#include "models/patroni/cluster.h"

namespace switchyard::headless {

struct ClusterSelector
{
    std::string ns, scope;
    std::optional<int> group; // nullopt: the cluster, or all its Citus groups
    bool matches(const patroni::ClusterKey &key) const;
    std::string text() const;
    bool operator==(const ClusterSelector &) const = default;
};
std::optional<ClusterSelector> parseSelector(std::string_view text);

// No selectors: everything matches.
bool matchesAny(const std::vector<ClusterSelector> &selectors, const patroni::ClusterKey &key);

} // namespace switchyard::headless
