// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What clusters were in the course of time, as far as pictures need it: since when one looks, their health, the lags of their members.
// Only changes are kept, and only so many; a value holds until the next one, and unknown is one of them.
#include "models/patroni/cluster.h"

#include <deque>

namespace switchyard {

struct LagSample
{
    Boot at{};
    std::optional<std::uint64_t> lag; // bytes behind the leader; nullopt: unknown from then on
    bool operator==(const LagSample &) const = default;
};

struct HealthSample
{
    Boot at{};
    patroni::Health health = patroni::Health::Unknown;
    std::optional<patroni::Reason> reason{}; // the worst
    bool operator==(const HealthSample &) const = default;
};

struct ClusterTrail
{
    std::optional<Boot> lookedSince;                     // nullopt: nothing seen yet
    std::optional<Boot> goneAt;                          // its objects were deleted, or its context was closed
    std::deque<HealthSample> health;                     // oldest first
    std::map<std::string, std::deque<LagSample>> lags{}; // by member
};

class Trails
{
public:
    static constexpr std::size_t keptHealth = 500, keptLags = 400;

    // As it is now; cheap when nothing differs.
    void look(const patroni::Cluster &cluster, Boot now);
    void gone(const patroni::ClusterKey &key, Boot now);
    const ClusterTrail *find(const patroni::ClusterKey &key) const; // nullptr: never seen
    const std::map<patroni::ClusterKey, ClusterTrail> &all() const { return m_trails; }

private:
    std::map<patroni::ClusterKey, ClusterTrail> m_trails;
};

} // namespace switchyard
