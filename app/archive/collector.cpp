// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/collector.h"

#include <algorithm>

namespace switchyard::archive {

using namespace patroni;

namespace {

// True, and remembered, when `value` is not what was told of `key` before.
template<class Map>
bool isNews(Map &told, const typename Map::key_type &key, const typename Map::mapped_type &value)
{
    const auto [entry, added] = told.try_emplace(key, value);
    if (!added && entry->second == value)
        return false;
    entry->second = value;
    return true;
}

Instant minuteOf(Instant at)
{
    return Instant(std::chrono::floor<std::chrono::minutes>(at.time_since_epoch()));
}

Duration intervalOf(const RenewSample &sample)
{
    return sample.interval;
}

std::optional<Duration> intervalOf(const election::Renewal &renewal)
{
    return renewal.interval;
}

} // namespace

Collector::Collector(Servers servers)
    : m_servers(std::move(servers))
{}

ClusterId Collector::identify(const ClusterKey &key, const Cluster *cluster) const
{
    ClusterId id;
    id.server = m_servers(key.context);
    id.context = key.context;
    id.ns = key.ns;
    id.scope = key.scope;
    id.group = key.group;
    id.base = key.base;
    if (cluster) {
        id.incarnation = cluster->systemId.value_or("");
        id.mode = cluster->names.mode;
    }
    return id;
}

// Its name stands for the base of a cluster without a scope, which no Patroni cluster is.
ClusterId Collector::identify(const election::Key &key) const
{
    ClusterId id;
    id.server = m_servers(key.context);
    id.context = key.context;
    id.ns = key.ns;
    id.base = key.name;
    return id;
}

Records Collector::collect(const election::ElectionStore &store, const election::Changes &changes, Now now)
{
    Records records;
    for (const Event &event : changes.events)
        records.emplace_back(EventRecord{identify(event.cluster, nullptr), event});
    for (const election::Key &key : changes.elections) {
        const election::Election *e = store.find(key);
        if (!e || e->noise || key.family != election::Family::ClientGo || e->renewals.empty())
            continue;
        Minute &minute = m_elections[key];
        if (e->renewals.back().at > minute.renewal)
            addRenewals(e->renewals, identify(key), now, minute, records);
    }
    for (const election::Key &key : changes.removed)
        m_elections.erase(key);
    return records;
}

Records Collector::collect(const ClusterStore &store, const StoreChanges &changes, Now now)
{
    Records records;
    for (const Event &event : changes.events)
        records.emplace_back(EventRecord{identify(event.cluster, store.find(event.cluster)), event});
    for (const ClusterKey &key : changes.clusters) {
        if (const Cluster *cluster = store.find(key))
            collectCluster(*cluster, now, records);
    }
    for (const ClusterKey &key : changes.removed)
        m_past.erase(key);
    return records;
}

void Collector::collectCluster(const Cluster &cluster, Now now, Records &to)
{
    if (cluster.view.freshness == Freshness::Connecting)
        return; // half a picture
    const ClusterId id = identify(cluster.names.key, &cluster);
    Past &past = m_past[cluster.names.key];
    if (past.incarnation != id.incarnation) {
        past = Past{};
        past.incarnation = id.incarnation;
    }
    addTransitions(cluster, id, past, to);
    addRequests(cluster, id, now, past, to);
    addSnapshots(cluster, id, now, past, to);
    addTimelines(cluster, id, now, past, to);
    addRenewals(cluster.renewals, id, now, past.minute, to);
}

void Collector::addTransitions(const Cluster &cluster, const ClusterId &id, Past &past, Records &to)
{
    for (const Transition &transition : cluster.transitions) {
        if (!transition.id.empty() && isNews(past.transitions, transition.id, transition))
            to.emplace_back(TransitionRecord{id, transition});
    }
}

void Collector::addRequests(const Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to)
{
    for (const RequestReport &request : cluster.requests) {
        if (!request.id.empty() && isNews(past.requests, request.id, request))
            to.emplace_back(RequestRecord{id, request, now});
    }
}

// Oldest first: what came after the newest that was kept of each object.
void Collector::addSnapshots(const Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to)
{
    const auto kept = past.versions;
    for (const auto &[object, version] : kept) {
        const bool there = std::any_of(
            cluster.snapshots.begin(), cluster.snapshots.end(),
            [&, name = object, last = version](const Snapshot &s) { return s.object == name && s.resourceVersion == last; });
        if (!there)
            past.versions.erase(object);
    }
    std::map<std::string, bool> passed;
    for (const Snapshot &snapshot : cluster.snapshots) {
        const auto last = past.versions.find(snapshot.object);
        const bool before = last != past.versions.end() && !passed[snapshot.object];
        if (before && last->second == snapshot.resourceVersion)
            passed[snapshot.object] = true;
        if (before)
            continue;
        passed[snapshot.object] = true;
        past.versions[snapshot.object] = snapshot.resourceVersion;
        const Instant seen = now.toWall(snapshot.seen);
        to.emplace_back(SnapshotRecord{id, snapshot.object, snapshot.resourceVersion, seen, snapshot.annotations});
        const auto config = snapshot.annotations.find("config");
        if (snapshot.object != cluster.names.configName || config == snapshot.annotations.end() || past.config == config->second)
            continue;
        past.config = config->second;
        to.emplace_back(archive::ConfigRecord{id, snapshot.resourceVersion, seen, config->second});
    }
}

void Collector::addTimelines(const Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to)
{
    if (!cluster.config || !cluster.config->history.readable)
        return;
    for (const HistoryEntry &entry : cluster.config->history.entries) {
        if (isNews(past.timelines, entry.timeline, entry))
            to.emplace_back(TimelineRecord{id, entry, now.wall});
    }
}

// After which time one came is not always known: then it is none of which the minute could tell.
template<class Samples>
void Collector::addRenewals(const Samples &samples, const ClusterId &id, Now now, Minute &minute, Records &to)
{
    RenewRecord &counts = minute.counts;
    bool counted = false;
    auto sample = std::partition_point(samples.begin(), samples.end(), [&](const auto &s) { return s.at <= minute.renewal; });
    for (; sample != samples.end(); ++sample) { // mostly one, of hundreds
        minute.renewal = sample->at;
        const std::optional<Duration> interval = intervalOf(*sample);
        if (!interval)
            continue;
        const Instant of = minuteOf(now.toWall(sample->at));
        if (of != counts.minute || counts.count == 0) {
            if (counted)
                to.emplace_back(counts);
            counts = RenewRecord{id, of, 0, {}, {}};
        }
        counts.mean = (counts.mean * counts.count + *interval) / (counts.count + 1);
        ++counts.count;
        counts.longest = std::max(counts.longest, *interval);
        counted = true;
    }
    if (counted)
        to.emplace_back(counts);
}

} // namespace switchyard::archive
