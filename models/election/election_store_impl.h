// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Inside of ElectionStore: which observation touches which elections.
#include "models/election/election_store.h"
#include "models/election/election_track.h"
#include "models/store/late_locks.h"

#include <deque>

namespace switchyard::election {

struct StoreContext
{
    std::string name;
    std::vector<std::unique_ptr<WatchedSource>> sources;
    HolderPods pods;
    using Name = std::pair<std::string, std::string>; // namespace, name
    std::multimap<Name, ElectionTrack *> byPod;
    std::set<ElectionTrack *, OlderTrack> forLife;
    using Object = std::tuple<Resource, std::string, std::string>; // namespace, name
    struct End
    {
        std::string version;
        Boot at{};
        std::string uidWithData{}; // of a ConfigMap that was seen to have data
    };
    // Objects that are gone, or are no locks: of late, as what comes by a slower way may be older.
    std::map<Object, End> ends;
    std::size_t endsKept = 2000;
    std::deque<std::pair<KubeObject, Moment>> electorEvents; // may come before the lock is known

    WatchedSource &source(Resource resource, const std::string &ns);
    WatchedSource *covering(Resource resource, const std::string &ns) const;
};

struct ElectionStore::Impl
{
    Duration tolerance{};
    std::map<std::string, std::unique_ptr<StoreContext>> contexts;
    std::map<Key, std::unique_ptr<ElectionTrack>> tracks;
    std::map<Key, ElectionTrack::Memory> memories;
    std::set<std::tuple<Boot, std::uint64_t, ElectionTrack *>> deadlines;
    LateLocks lateLocks;
    std::uint64_t numbers = 0;
    std::vector<Event> events;
    Now now{};
    // of the call under way
    Changes changes;
    std::set<ElectionTrack *, OlderTrack> touched;

    struct ListWord
    {
        const Listed *list = nullptr;
        Moment moment;
        Coverage before; // what the stream told of until now
        bool aside = false, back = false;
        Boot asked{};
    };

    struct Teller
    {
        const ListWord *list = nullptr; // nullptr: a watch
        bool aside = false;
    };

    StoreContext &context(const std::string &name);
    void begin(const Now &at);
    Changes finish();
    void letTimePass(const std::string &context, const Now &at);
    void schedule(ElectionTrack &track);
    void unschedule(ElectionTrack &track);
    void refresh(StoreContext &c, ElectionTrack &track);
    void index(StoreContext &c, ElectionTrack &track);
    void unindex(StoreContext &c, ElectionTrack &track);
    void count(ElectionTrack &track);
    void judgeLate();
    HolderKnowledge knowledge(const StoreContext &c, const ElectionTrack &track) const;
    void drop(StoreContext &c, ElectionTrack &track);

    void observe(StoreContext &c, WatchedSource &s, const Observation &o, const Now &at);
    void listed(StoreContext &c, WatchedSource &s, const Observation &o, const Listed &list, const Now &at);
    void changed(StoreContext &c, WatchedSource &s, const Observation &o, const Changed &change, const Now &at);
    std::string onlyNamespace(const StoreContext &c, Resource resource, const std::string &name) const;
    void confirmed(StoreContext &c, WatchedSource &s, const Observation &o, const Confirmed &get, const Now &at);
    void probeFailed(StoreContext &c, WatchedSource &s, const Observation &o, const ProbeFailed &get, const Now &at);
    void proven(StoreContext &c, WatchedSource &s, const Now &at, Boot until);
    void touchSource(const StoreContext &c, const WatchedSource &s);

    void take(StoreContext &c, WatchedSource &s, const KubeObject &object, Moment moment, const Teller &by);
    void see(StoreContext &c, WatchedSource &s, const KubeObject &object, const Key &key, Moment moment, const Teller &by);
    void lose(StoreContext &c, Resource resource, const Key &key, const Moment &moment, bool told);
    static StoreContext::End &end(StoreContext &c, const StoreContext::Object &object, const Moment &moment);
    void missing(StoreContext &c, const WatchedSource &s, const ListWord &word);
    void missingPods(StoreContext &c, const WatchedSource &s, const ListWord &word);
    void pod(StoreContext &c, const KubeObject &object, EventType type, const Moment &moment, bool anew);
    void touchPod(StoreContext &c, const StoreContext::Name &name);
    void node(StoreContext &c, const KubeObject &object, EventType type);
    void touchNodes(StoreContext &c);
    void electorEvents(StoreContext &c, WatchedSource &s, const Observation &o, const Now &at);
    void electorEvent(StoreContext &c, const KubeObject &object, const Moment &moment);
    void hearPast(StoreContext &c, ElectionTrack &track);
};

} // namespace switchyard::election
