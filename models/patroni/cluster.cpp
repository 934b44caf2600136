// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/cluster.h"

#include <algorithm>

namespace switchyard::patroni {

std::string ClusterKey::text() const
{
    return ns + '/' + scope + (group ? ':' + std::to_string(*group) : std::string());
}

bool ViewState::seesAll(Resource resource) const
{
    return std::none_of(missing.begin(), missing.end(),
                        [&](const MissingRight &right) { return right.resource == resource && right.verb != "watch"; });
}

// Unknown as soon as one member that can lag is unknown: the worst may be that one.
std::optional<std::uint64_t> Cluster::worstLag() const
{
    if (!view.seesAll(Resource::Pods))
        return {};
    std::optional<std::uint64_t> worst;
    for (const Member &member : members) {
        if (member.role == Role::Leader || member.role == Role::StandbyLeader)
            continue;
        if (!member.lag)
            return {};
        worst = std::max(worst.value_or(0), *member.lag);
    }
    return worst;
}

int Cluster::membersUp() const
{
    return static_cast<int>(std::count_if(members.begin(), members.end(), [](const Member &member) { return member.up; }));
}

const RequestReport *Cluster::pendingRequest() const
{
    return requests.empty() || isFinal(requests.back().outcome) ? nullptr : &requests.back();
}

std::optional<WriteBar> writeBar(const Cluster &cluster)
{
    switch (cluster.view.freshness) {
    case Freshness::Live: break;
    case Freshness::Stale: return WriteBar::Stale;
    case Freshness::Forbidden: return WriteBar::Forbidden;
    case Freshness::Connecting: return WriteBar::Connecting;
    }
    return cluster.lock.state == LockState::Stale ? std::optional(WriteBar::LockStale) : std::nullopt;
}

} // namespace switchyard::patroni
