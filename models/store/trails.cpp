// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/trails.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

namespace {

template<class Sample>
void keep(std::deque<Sample> &samples, Sample sample, std::size_t kept)
{
    samples.push_back(std::move(sample));
    if (samples.size() > kept)
        samples.pop_front();
}

void keepLag(ClusterTrail &trail, const std::string &member, std::optional<std::uint64_t> lag, Boot at)
{
    auto &samples = trail.lags[member];
    if (samples.empty() ? !lag : samples.back().lag == lag)
        return;
    keep(samples, {at, lag}, Trails::keptLags);
}

void keepHealth(ClusterTrail &trail, const Cluster &cluster, Boot at)
{
    const auto &reasons = cluster.health.reasons;
    HealthSample next{at, cluster.health.health, reasons.empty() ? std::nullopt : std::optional(reasons.front())};
    if (!trail.health.empty()) {
        const HealthSample &last = trail.health.back();
        // An amount that grows is no other reason.
        const bool sameReason = last.reason.has_value() == next.reason.has_value()
            && (!last.reason || (last.reason->code == next.reason->code && last.reason->subject == next.reason->subject));
        if (last.health == next.health && sameReason)
            return;
    }
    keep(trail.health, std::move(next), Trails::keptHealth);
}

} // namespace

void Trails::look(const Cluster &cluster, Boot now)
{
    ClusterTrail &trail = m_trails[cluster.names.key];
    trail.goneAt.reset();
    const bool live = cluster.view.freshness == Freshness::Live;
    if (live && !trail.lookedSince)
        trail.lookedSince = now;
    if (!trail.lookedSince)
        return;
    // Silence is known of late: what was seen last was true until the last contact.
    const Boot at = live ? now : std::min(now, cluster.view.staleSince.value_or(cluster.view.lastContact.value_or(now)));
    const Boot notBefore = trail.health.empty() ? at : trail.health.back().at;
    keepHealth(trail, cluster, std::max(at, notBefore));
    for (const Member &member : cluster.members)
        keepLag(trail, member.record.name, live ? member.lag : std::nullopt, at);
    for (const auto &[name, samples] : trail.lags) {
        const bool there = std::any_of(cluster.members.begin(), cluster.members.end(),
                                       [&](const Member &m) { return m.record.name == name; });
        if (!there)
            keepLag(trail, name, std::nullopt, at);
    }
}

void Trails::gone(const ClusterKey &key, Boot now)
{
    const auto it = m_trails.find(key);
    if (it == m_trails.end())
        return;
    it->second.goneAt = now;
    for (const auto &[name, samples] : it->second.lags)
        keepLag(it->second, name, std::nullopt, now);
}

const ClusterTrail *Trails::find(const ClusterKey &key) const
{
    const auto it = m_trails.find(key);
    return it == m_trails.end() ? nullptr : &it->second;
}

} // namespace switchyard
