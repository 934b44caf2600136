// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/trails.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

namespace {

// The leader's position and the members' come one after the other: for a moment lags are seen that never were.
constexpr Duration settled = std::chrono::seconds(1);

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
    if (!samples.empty() && samples.back().lag && at - samples.back().at < settled) {
        at = samples.back().at;
        samples.pop_back();
        if (samples.empty() ? !lag : samples.back().lag == lag)
            return;
    }
    keep(samples, {at, lag}, Trails::keptLags);
}

// An amount that grows is no other reason.
bool isSame(const std::deque<HealthSample> &samples, const HealthSample &next)
{
    if (samples.empty() || samples.back().health != next.health)
        return false;
    const auto &before = samples.back().reason, &after = next.reason;
    return before.has_value() == after.has_value() && (!before || (before->code == after->code && before->subject == after->subject));
}

// What was over in a moment; but never that something was down.
bool mayPass(const HealthSample &last, const HealthSample &next)
{
    return next.at - last.at < settled && last.health == Health::Degraded
        && (next.health == Health::Healthy || next.health == Health::Degraded);
}

void keepHealth(ClusterTrail &trail, const Cluster &cluster, Boot at)
{
    const auto &reasons = cluster.health.reasons;
    HealthSample next{at, cluster.health.health, reasons.empty() ? std::nullopt : std::optional(reasons.front())};
    if (isSame(trail.health, next))
        return;
    if (!trail.health.empty() && mayPass(trail.health.back(), next)) {
        next.at = trail.health.back().at;
        trail.health.pop_back();
        if (isSame(trail.health, next))
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
    for (const auto &entry : trail.lags) {
        const bool there = std::any_of(cluster.members.begin(), cluster.members.end(),
                                       [&](const Member &m) { return m.record.name == entry.first; });
        if (!there)
            keepLag(trail, entry.first, std::nullopt, at);
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
