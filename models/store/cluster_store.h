// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The reducer: observations in, clusters and events out. No clock, no I/O. Order of objects: by resourceVersion within one API
// server, not by which stream spoke first; timers of a cluster count on the times of its own streams and on advance().
#include "models/core/observation.h"
#include "models/events/event.h"
#include "models/store/late_locks.h"
#include "models/store/probe.h"

#include <memory>
#include <set>

namespace switchyard {

// State of one watch (resource, namespace) of a context.
struct StreamState
{
    Resource resource{};
    std::string ns;
    bool listed = false; // has a complete list since the last loss
    patroni::Freshness freshness = patroni::Freshness::Connecting;
    std::optional<Boot> lastContact;
    std::optional<Error> error; // why not live
    bool named = false;         // list is refused: only objects of named clusters are read, one by one. What else there is, is unknown
    std::optional<patroni::MissingRight> missing{}; // the verb that was refused; may be set on a live stream whose objects are named
};

struct ContextState
{
    std::string context;
    patroni::Freshness freshness = patroni::Freshness::Connecting; // worst stream that matters
    std::optional<Boot> lastContact, staleSince;
    std::optional<Error> error;
    std::vector<StreamState> streams;
    std::string summary() const; // words are made elsewhere; this is the error text, empty when live
};

// What one apply() or advance() changed.
struct StoreChanges
{
    std::set<patroni::ClusterKey> clusters; // appeared or changed
    std::set<patroni::ClusterKey> removed;
    std::set<patroni::ClusterKey> urgent; // leader, lock state or request outcome changed: bypass the repaint throttle
    std::set<std::string> contexts;       // connection state changed
    std::set<std::string> restored{};     // contexts whose server's data was put back to an earlier time
    std::vector<Event> events;            // in order
    bool empty() const { return clusters.empty() && removed.empty() && contexts.empty() && restored.empty() && events.empty(); }
};

class ClusterStore
{
public:
    ClusterStore();
    ~ClusterStore();
    ClusterStore(ClusterStore &&) noexcept;
    ClusterStore &operator=(ClusterStore &&) noexcept;

    StoreChanges apply(const Observation &observation);
    // Lets time pass: late, expired, stale and not-picked-up are events caused by nothing happening.
    StoreChanges advance(Now now);
    // When advance() is next worth calling; nullopt: nothing is waiting.
    std::optional<Boot> nextDeadline() const;
    // The machine slept or a clock jumped (boot and wall clock drifted by more than 5 s): stale and unverified until relisted.
    StoreChanges clockJumped(const std::string &context, Now now);
    // Forget a context (its window was closed).
    StoreChanges removeContext(const std::string &context);
    // The API server's address, as written; empty: not known. Contexts of one server suffer together.
    void setServer(const std::string &context, const std::string &server);
    // API servers many of whose locks are late at once, as the events say.
    std::vector<LateLocks::Together> lateTogether() const;

    const patroni::Cluster *find(const patroni::ClusterKey &key) const;
    std::vector<const patroni::Cluster *> clusters() const; // sorted by key
    std::vector<ContextState> contexts() const;
    const std::vector<Event> &events() const; // all since start, oldest first, bounded (20 000)
    Now now() const;                          // latest time given

    // Objects that want a GET, with the version we hold: leader objects that were not renewed for more than 2 x loop_wait (or are
    // late), objects that a list with a selector no longer holds, and any one of a stream that a cluster lives on (Pods too) when not a byte came for 2 x loop_wait.
    std::vector<Probe> wantedProbes(Now now) const;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard
