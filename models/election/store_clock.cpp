// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one call touched, judged anew; deadlines; locks that are late together.
#include "models/election/election_store_impl.h"
#include "models/election/lock_record.h"
#include "models/store/many_late.h"

#include <algorithm>

namespace switchyard::election {

using patroni::Freshness;

WatchedSource &StoreContext::source(Resource resource, const std::string &ns)
{
    for (const auto &s : sources) {
        if (s->stream.state().resource == resource && s->stream.state().ns == ns)
            return *s;
    }
    return *sources.emplace_back(std::make_unique<WatchedSource>(resource, ns));
}

WatchedSource *StoreContext::covering(Resource resource, const std::string &ns) const
{
    for (const auto &s : sources) {
        if (s->stream.covers(resource, ns))
            return s.get();
    }
    return nullptr;
}

StoreContext &ElectionStore::Impl::context(const std::string &name)
{
    auto &c = contexts[name];
    if (!c) {
        c = std::make_unique<StoreContext>();
        c->name = name;
    }
    return *c;
}

void ElectionStore::Impl::begin(const Now &at)
{
    changes = {};
    touched.clear();
    if (at.boot > now.boot || now == Now{})
        now = at;
}

Changes ElectionStore::Impl::finish()
{
    constexpr std::size_t kept = 20'000;
    for (ElectionTrack *track : std::exchange(touched, {}))
        refresh(*contexts.at(track->key().context), *track);
    judgeLate();
    if (!changes.events.empty()) {
        std::stable_sort(changes.events.begin(), changes.events.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
        events.insert(events.end(), changes.events.begin(), changes.events.end());
        if (events.size() > kept)
            events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(events.size() - kept * 9 / 10));
    }
    return std::exchange(changes, {});
}

void ElectionStore::Impl::letTimePass(const std::string &context, const Now &at)
{
    while (!deadlines.empty() && std::get<Boot>(*deadlines.begin()) <= at.boot) {
        ElectionTrack &due = *std::get<ElectionTrack *>(*deadlines.begin());
        unschedule(due);
        due.setSink(&changes.events);
        refresh(*contexts.at(due.key().context), due);
    }
    static_cast<void>(context);
}

void ElectionStore::Impl::unschedule(ElectionTrack &track)
{
    if (track.scheduled)
        deadlines.erase({*track.scheduled, track.number(), &track});
    track.scheduled.reset();
}

void ElectionStore::Impl::schedule(ElectionTrack &track)
{
    const auto next = track.nextMoment(now.boot);
    if (next == track.scheduled)
        return;
    if (track.scheduled && next) { // nearly always: the node is used again
        auto node = deadlines.extract({*track.scheduled, track.number(), &track});
        std::get<Boot>(node.value()) = *next;
        deadlines.insert(std::move(node));
    } else {
        unschedule(track);
        if (next)
            deadlines.emplace(*next, track.number(), &track);
    }
    track.scheduled = next;
}

void ElectionStore::Impl::refresh(StoreContext &c, ElectionTrack &track)
{
    track.setSink(&changes.events);
    index(c, track);
    track.setPods(knowledge(c, track));
    track.refresh(now);
    index(c, track); // of who led before
    changes.elections.insert(track.key());
    count(track);
    schedule(track);
    const bool doubtful = track.doubtSince(now.boot).has_value();
    for (ElectionTrack::Part &part : track.parts()) {
        if (doubtful)
            part.source->unproven.insert(&track);
        else
            part.source->unproven.erase(&track);
    }
}

// ---- Pods ---------------------------------------------------------------------------------------------------------------------

void ElectionStore::Impl::index(StoreContext &c, ElectionTrack &track)
{
    const std::vector<std::string> names = track.podsOfInterest();
    if (track.indexedPods == names)
        return;
    unindex(c, track);
    for (const std::string &name : names)
        c.byPod.emplace(StoreContext::Name{track.key().ns, name}, &track);
    track.indexedPods = names;
}

void ElectionStore::Impl::unindex(StoreContext &c, ElectionTrack &track)
{
    for (const std::string &name : std::exchange(track.indexedPods, {})) {
        auto [it, last] = c.byPod.equal_range({track.key().ns, name});
        while (it != last)
            it = it->second == &track ? c.byPod.erase(it) : std::next(it);
    }
}

HolderKnowledge ElectionStore::Impl::knowledge(const StoreContext &c, const ElectionTrack &track) const
{
    HolderKnowledge known;
    const std::string name = track.podName();
    if (name.empty())
        return known;
    const std::string &ns = track.key().ns;
    const WatchedSource *source = c.covering(Resource::Pods, ns);
    if (source) {
        const Stream &pods = source->stream;
        const Freshness freshness = pods.shown().freshness;
        const bool told = pods.everListed() && pods.coverage().labelKey.empty() && pods.coverage().coversName(ns, name);
        if (freshness == Freshness::Forbidden)
            return known; // what a Pod was says nothing of what it is
        known.stale = freshness == Freshness::Stale;
        known.readable = told && (freshness == Freshness::Live || freshness == Freshness::Stale);
    }
    const HolderPods::Seen *seen = c.pods.find({ns, name});
    known.followed = seen && source && source->stream.coverage().coversName(ns, name)
        && (source->stream.coverage().labelKey.empty() || seen->labels.contains(source->stream.coverage().labelKey));
    known.readable = known.readable || seen || c.pods.isAbsent({ns, name});
    if (seen) {
        known.pod = seen->pod;
        known.pod->byUid = track.forLife();
        known.nodeNotReady = c.pods.isNodeLost(*seen);
    }
    return known;
}

// ---- late together ------------------------------------------------------------------------------------------------------------

void ElectionStore::Impl::count(ElectionTrack &track)
{
    const Election &e = track.state();
    const bool late = e.state == State::Late || e.state == State::Expired || e.state == State::Stuck;
    const bool counts = !e.noise && !track.forLife() && knownHolder(e.records.front());
    const bool held = counts && (late || e.state == State::Held || e.state == State::Unverified);
    const LateLocks::Sight sight = LateLocks::sight(held, late, track.ranOutAt(), now.boot);
    if (track.counted == sight)
        return;
    track.counted = sight;
    lateLocks.set({e.key.context, e.key.ns, e.key.name, {}, {}}, track.counted);
}

// Said once an episode, and once when it is over.
void ElectionStore::Impl::judgeLate()
{
    for (const LateLocks::News &news : lateLocks.judge(now.boot))
        changes.events.push_back(manyLateEvent(news, "elections", now));
}

} // namespace switchyard::election
