// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The second reducer beside ClusterStore: the same observations in, elections and their events out. No clock, no I/O.
#include "models/core/observation.h"
#include "models/election/election.h"
#include "models/events/event.h"
#include "models/store/late_locks.h"
#include "models/store/probe.h"

#include <memory>
#include <set>

namespace switchyard::election {

// What can be said of the reading of one kind of object in one namespace.
struct Source
{
    std::string context, ns;
    Resource resource{};
    patroni::Freshness freshness = patroni::Freshness::Connecting;
    std::optional<Error> error;
};

struct Changes
{
    std::set<Key> elections, removed;
    bool sources = false;
    std::vector<Event> events;
    bool empty() const { return elections.empty() && removed.empty() && !sources && events.empty(); }
};

class ElectionStore
{
public:
    explicit ElectionStore(Duration tolerance = defaultTolerance);
    ~ElectionStore();
    ElectionStore(ElectionStore &&) noexcept;
    ElectionStore &operator=(ElectionStore &&) noexcept;

    // Leases, Endpoints, ConfigMaps, Pods and core Events. Objects of Patroni clusters make no rows here.
    Changes apply(const Observation &observation);
    Changes advance(Now now);
    std::optional<Boot> nextDeadline() const;
    Changes clockJumped(const std::string &context, Now now);
    Changes removeContext(const std::string &context);
    // Which API server a context talks to: locks that are late together are counted by server, as ClusterStore does.
    void setServer(const std::string &context, const std::string &server);
    std::vector<LateLocks::Together> lateTogether() const;

    const Election *find(const Key &key) const;
    std::vector<const Election *> elections() const; // sorted by key, noise included
    std::vector<Source> sources() const;
    const std::vector<Event> &events() const; // since start, bounded (20 000)

    // To be read by name: records that are late or past their lease but for the proof, objects that a list with a selector no longer
    // holds, and Pods of leaders for life that no watch tells of. At most 20 at a time, the oldest doubt first.
    std::vector<Probe> wantedProbes(Now now) const;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

// Patroni's lock in the same shape.
Election fromCluster(const patroni::Cluster &cluster);

// Is an object part of an election: does it matter to a watch that would leave it out? An annotation lock (also a broken one, not `{}`), or
// a ConfigMap that may be a leader-for-life lock. Not the objects of Patroni clusters.
bool isOfInterest(const KubeObject &object);

} // namespace switchyard::election
