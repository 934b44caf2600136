// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/election/election_store_impl.h"

#include "models/core/overloaded.h"

#include <algorithm>

namespace switchyard::election {

using patroni::Freshness;

ElectionStore::ElectionStore(Duration tolerance)
    : d(std::make_unique<Impl>())
{
    d->tolerance = tolerance;
}

ElectionStore::~ElectionStore() = default;
ElectionStore::ElectionStore(ElectionStore &&) noexcept = default;
ElectionStore &ElectionStore::operator=(ElectionStore &&) noexcept = default;

Changes ElectionStore::apply(const Observation &o)
{
    const Now at{o.seen, o.wall};
    d->begin(at);
    StoreContext &c = d->context(o.context);
    d->letTimePass(c.name, at);
    WatchedSource *s = o.aside ? c.covering(o.resource, o.ns) : &c.source(o.resource, o.ns);
    if (s)
        d->observe(c, *s, o, at);
    return d->finish();
}

void ElectionStore::Impl::observe(StoreContext &c, WatchedSource &s, const Observation &o, const Now &at)
{
    if (o.resource == Resource::Events) {
        electorEvents(c, s, o, at);
        return;
    }
    if (!o.selector.empty() && !o.aside)
        s.stream.narrow(o.selector);
    const bool mereNews = std::holds_alternative<Changed>(o.what) || std::holds_alternative<Bookmarked>(o.what)
        || std::holds_alternative<Contact>(o.what);
    const bool calm = o.aside || (mereNews && s.stream.isCalm()); // as nearly always
    const StreamState before = calm ? StreamState{} : s.stream.shown();
    if (!o.aside && !std::holds_alternative<ProbeFailed>(o.what) && !std::holds_alternative<Lost>(o.what))
        s.stream.heard();
    std::visit(Overloaded{
                   [&](const Listed &list) { listed(c, s, o, list, at); },
                   [&](const Changed &change) { changed(c, s, o, change, at); },
                   [&](const Bookmarked &mark) {
                       s.stream.reached(mark.resourceVersion);
                       s.stream.event(at.boot);
                       proven(c, s, at, at.boot);
                   },
                   [&](const Confirmed &get) { confirmed(c, s, o, get, at); },
                   [&](const ProbeFailed &get) { probeFailed(c, s, o, get, at); },
                   [&](const Resumed &) { s.stream.event(at.boot); }, // a backlog may follow: no proof of anything
                   [&](const Contact &) { s.stream.bytes(at.boot); },
                   [&](const Lost &loss) { s.stream.lost(loss.error); },
                   [&](const Undecodable &bad) { s.stream.unreadable(bad.error.field.starts_with("items[")); },
               },
               o.what);
    if (calm)
        return;
    const StreamState after = s.stream.shown();
    if (before.freshness == after.freshness && before.error == after.error && before.listed == after.listed)
        return;
    changes.sources = true;
    touchSource(c, s);
}

Changes ElectionStore::advance(Now now)
{
    d->begin(now);
    for (const auto &[name, c] : d->contexts)
        d->letTimePass(name, now);
    return d->finish();
}

std::optional<Boot> ElectionStore::nextDeadline() const
{
    return d->deadlines.empty() ? std::nullopt : std::optional(std::get<Boot>(*d->deadlines.begin()));
}

Changes ElectionStore::clockJumped(const std::string &context, Now now)
{
    d->begin(now);
    const auto it = d->contexts.find(context);
    if (it == d->contexts.end())
        return d->finish();
    for (const auto &s : it->second->sources)
        s->stream.clockJumped();
    for (auto &[key, track] : d->tracks) {
        if (key.context != context)
            continue;
        track->unverify(now.boot);
        d->touched.insert(track.get());
    }
    d->changes.sources = true;
    return d->finish();
}

Changes ElectionStore::removeContext(const std::string &context)
{
    d->begin(d->now);
    const auto it = d->contexts.find(context);
    if (it == d->contexts.end())
        return d->finish();
    std::vector<ElectionTrack *> own;
    for (auto &[key, track] : d->tracks) {
        if (key.context == context)
            own.push_back(track.get());
    }
    for (ElectionTrack *track : own)
        d->drop(*it->second, *track);
    std::erase_if(d->memories, [&](const auto &memory) { return memory.first.context == context; });
    d->contexts.erase(it);
    d->lateLocks.forget(context);
    d->changes.sources = true;
    return d->finish();
}

void ElectionStore::setServer(const std::string &context, const std::string &server)
{
    d->lateLocks.setServer(context, server);
}

std::vector<LateLocks::Together> ElectionStore::lateTogether() const
{
    return d->lateLocks.underWay();
}

const Election *ElectionStore::find(const Key &key) const
{
    const auto it = d->tracks.find(key);
    return it == d->tracks.end() ? nullptr : &it->second->election();
}

std::vector<const Election *> ElectionStore::elections() const
{
    std::vector<const Election *> result;
    result.reserve(d->tracks.size());
    for (const auto &[key, track] : d->tracks)
        result.push_back(&track->election());
    return result;
}

std::vector<Source> ElectionStore::sources() const
{
    std::vector<Source> result;
    for (const auto &[name, c] : d->contexts) {
        for (const auto &s : c->sources) {
            const StreamState state = s->stream.shown();
            result.push_back({name, state.ns, state.resource, state.freshness, state.error});
        }
    }
    return result;
}

const std::vector<Event> &ElectionStore::events() const
{
    return d->events;
}

namespace {

constexpr Duration askAgain = std::chrono::seconds(5), lookAgain = std::chrono::seconds(15), refusedAgain = std::chrono::minutes(5);

bool mayAsk(const std::optional<Boot> &asked, Duration pause, Now now)
{
    return !asked || now.boot - *asked >= pause;
}

// Between two lists nothing can be heard, and the next one proves as much as a GET.
bool isListedInTime(const Stream &stream, Now now)
{
    constexpr Duration grace = std::chrono::seconds(5);
    const auto contact = stream.state().lastContact;
    return stream.every() > Duration(0) && contact && now.boot - *contact <= stream.every() + grace;
}

using Wanted = std::multimap<Boot, Probe>; // by the beginning of the doubt

void askForRecords(const ElectionTrack &track, Now now, Wanted &wanted)
{
    const auto since = track.doubtSince(now.boot);
    if (!since)
        return;
    const Key &key = track.key();
    for (const ElectionTrack::Part &part : track.parts()) {
        const Stream &stream = part.source->stream;
        const bool asks = part.doubted || (&part == track.parts().data() && !isListedInTime(stream, now));
        if (asks && stream.shown().freshness == Freshness::Live && mayAsk(part.askedAt, askAgain, now))
            wanted.emplace(*since, Probe{key.context, part.resource, key.ns, key.name, part.version, false});
    }
}

// Has it data? Then it is no lock. Its metadata do not tell; only the whole object does.
void askForData(const ElectionTrack &track, Now now, Wanted &wanted)
{
    const ElectionTrack::Part &part = track.parts().front();
    const bool may = mayAsk(part.askedAt, askAgain, now) && mayAsk(part.refusedAt, refusedAgain, now);
    if (!part.dataUnknown || !may || part.source->stream.shown().freshness != Freshness::Live)
        return;
    const Key &key = track.key();
    wanted.emplace(part.sightAt, Probe{key.context, part.resource, key.ns, key.name, part.version, true});
}

// Is the holder's Pod there? Where Pods are watched without it, only a GET can tell.
void askForPod(const ElectionTrack &track, const StoreContext &c, Now now, Wanted &wanted)
{
    const Key &key = track.key();
    const std::string name = track.podName();
    const WatchedSource *pods = c.covering(Resource::Pods, key.ns);
    if (name.empty() || !pods || pods->stream.shown().freshness != Freshness::Live)
        return;
    const HolderKnowledge &known = track.pods();
    const bool unknown = !known.pod && !known.readable, unfollowed = known.pod && !known.followed;
    if ((unknown && mayAsk(track.askedAt, askAgain, now)) || (unfollowed && mayAsk(track.askedAt, lookAgain, now)))
        wanted.emplace(now.boot, Probe{key.context, Resource::Pods, key.ns, name, {}, false});
}

} // namespace

std::vector<Probe> ElectionStore::wantedProbes(Now now) const
{
    constexpr std::size_t most = 20, mostPods = 50; // of locks that do not depend on their Pods
    Wanted wanted;
    for (const auto &[key, track] : d->tracks)
        askForRecords(*track, now, wanted);
    for (const auto &[name, c] : d->contexts) {
        for (const ElectionTrack *track : c->forLife) {
            askForData(*track, now, wanted);
            askForPod(*track, *c, now, wanted);
        }
        std::size_t others = 0;
        for (const auto &[pod, track] : c->byPod) {
            if (track->forLife() || track->state().noise)
                continue;
            if (++others > mostPods)
                break;
            askForPod(*track, *c, now, wanted);
        }
    }
    std::vector<Probe> result;
    for (auto &[since, probe] : wanted) {
        if (result.size() == most)
            break;
        result.push_back(std::move(probe));
    }
    return result;
}

} // namespace switchyard::election
