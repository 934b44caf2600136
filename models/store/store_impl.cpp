// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/store_impl.h"

#include "models/events/event_id.h"
#include "models/store/context_past.h"

#include <algorithm>

namespace switchyard {

using patroni::ClusterKey;
using patroni::ClusterNames;
using patroni::Freshness;

StoreContext &ClusterStore::Impl::context(const std::string &name)
{
    auto &c = contexts[name];
    if (!c)
        c = std::make_unique<StoreContext>(name);
    return *c;
}

ClusterStore::Impl::Slot *ClusterStore::Impl::slot(const ClusterKey &key)
{
    const auto it = slots.find(key);
    return it == slots.end() ? nullptr : &it->second;
}

void ClusterStore::Impl::begin(const Now &at)
{
    changes = {};
    touched.clear();
    if (at.boot > now.boot || now == Now{})
        now = at;
}

StoreChanges ClusterStore::Impl::finish()
{
    for (const ClusterKey &key : std::exchange(touched, {}))
        refresh(key);
    judgeLate();
    speaking = nullptr;
    std::stable_sort(changes.events.begin(), changes.events.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
    record(changes.events);
    return std::exchange(changes, {});
}

void ClusterStore::Impl::record(std::vector<Event> news)
{
    constexpr std::size_t kept = 20'000;
    events.insert(events.end(), std::make_move_iterator(news.begin()), std::make_move_iterator(news.end()));
    if (events.size() > kept)
        events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(events.size() - kept * 9 / 10));
}

// ---- time ---------------------------------------------------------------------------------------------------------------------

void ClusterStore::Impl::letTimePass(Stream &s, const Now &at)
{
    while (!s.deadlines.empty() && s.deadlines.begin()->first <= at.boot) {
        const ClusterKey key = s.deadlines.begin()->second->cluster().names.key;
        Slot &due = slots.at(key);
        due.track->setSink(&changes.events);
        due.track->advance(at);
        schedule(due);
        touched.insert(key);
    }
}

// Everything of the stream is still as it was: decides the locks that wait for that.
void ClusterStore::Impl::proven(Stream &s, const Now &at, Boot until)
{
    if (!s.prove(until))
        return;
    for (auto it = s.unproven.begin(); it != s.unproven.end();) {
        ClusterTrack *track = *it;
        if (!isFollowed(slots.at(track->cluster().names.key))) { // waits for more than this
            ++it;
            continue;
        }
        it = s.unproven.erase(it);
        track->setSink(&changes.events);
        track->advance(at);
        touched.insert(track->cluster().names.key);
    }
}

bool ClusterStore::Impl::isFollowed(const Slot &slot) const
{
    return slot.stream && slot.track->lock().isFollowed(slot.stream->gap(), slot.stream->silence()) && isTold(slot);
}

bool ClusterStore::Impl::isTold(const Slot &slot) const
{
    const ClusterNames &names = slot.track->cluster().names;
    return slot.stream && contexts.at(names.key.context)->tellsOfLock(*slot.stream, names);
}

bool ClusterStore::Impl::isBlind(const Slot &slot)
{
    return slot.stream && (slot.stream->blind() || !StoreContext::isInSight(*slot.stream, *slot.track));
}

void ClusterStore::Impl::schedule(Slot &slot)
{
    if (!slot.stream)
        return;
    if (slot.scheduled)
        slot.stream->deadlines.erase({*slot.scheduled, slot.track.get()});
    slot.scheduled = slot.track->deadline();
    if (slot.scheduled)
        slot.stream->deadlines.emplace(*slot.scheduled, slot.track.get());
}

void ClusterStore::Impl::refresh(const ClusterKey &key)
{
    Slot *s = slot(key);
    if (!s)
        return;
    StoreContext &c = context(key.context);
    const auto view = c.viewOf(*s->track);
    s->track->setSink(&changes.events);
    if (isFollowed(*s) && s->stream->toldUntil())
        s->track->confirm(*s->stream->toldUntil());
    s->track->setView(view, isBlind(*s), c.probeError.has_value());
    if (s->stream && s->stream == speaking)
        s->track->advance(spoken);
    if (s->track->refresh())
        changes.urgent.insert(key);
    changes.clusters.insert(key);
    lateLocks.set(key, s->track->lateSight());
    schedule(*s);
    if (!s->stream)
        return;
    if (s->track->awaitsProof())
        s->stream->unproven.insert(s->track.get());
    else
        s->stream->unproven.erase(s->track.get());
}

void ClusterStore::Impl::touchAll(const StoreContext &c)
{
    for (const auto &[key, slot] : slots) {
        if (key.context == c.name)
            touched.insert(key);
    }
}

void ClusterStore::Impl::touchStream(const Stream &s)
{
    for (const auto &[key, slot] : slots) {
        if (slot.stream == &s)
            touched.insert(key);
    }
}

// ---- clusters -----------------------------------------------------------------------------------------------------------------

void ClusterStore::Impl::drop(const ClusterKey &key)
{
    Slot *s = slot(key);
    if (!s)
        return;
    if (s->stream) {
        if (s->scheduled)
            s->stream->deadlines.erase({*s->scheduled, s->track.get()});
        s->stream->unproven.erase(s->track.get());
    }
    lateLocks.set(key, {});
    dropped[key] = {now.boot, s->track->memory()};
    slots.erase(key);
    touched.erase(key);
    changes.clusters.erase(key);
    changes.urgent.erase(key);
    changes.removed.insert(key);
}

std::set<ClusterKey> ClusterStore::Impl::rediscover(StoreContext &c, const std::string &ns)
{
    ContextTable &table = c.tables[ns];
    const auto found = table.discover(c.name, ns);
    table.index(found);
    std::set<ClusterKey> present, fresh;
    for (const ClusterNames &names : found) {
        present.insert(names.key);
        Slot *known = slot(names.key);
        const ClusterNames *before = known ? &known->track->cluster().names : nullptr;
        if (before && *before == names)
            continue;
        const bool moved = before
            && (before->mode != names.mode || before->leaderName != names.leaderName || before->configName != names.configName);
        if (moved)
            drop(names.key);
        if (!known || moved) {
            Slot &created = slots[names.key];
            created.track = std::make_unique<ClusterTrack>(names);
            created.stream = c.covering(names.resource(), ns);
            ClusterTrack *track = created.track.get();
            track->setPast(std::make_unique<ContextPast>(c, *track));
            if (const auto former = dropped.find(names.key); former != dropped.end())
                track->remember(former->second.memory);
            fresh.insert(names.key);
            changes.removed.erase(names.key);
        } else {
            known->track->setNames(names);
            feedPodEvents(c, *known->track); // of members that are new
        }
        touched.insert(names.key);
    }
    std::vector<ClusterKey> gone;
    for (const auto &[key, s] : slots) {
        if (key.context == c.name && key.ns == ns && !present.contains(key))
            gone.push_back(key);
    }
    for (const ClusterKey &key : gone)
        drop(key);
    return fresh;
}

// A new cluster learns all that is known of its objects; only the change that made it visible is news.
void ClusterStore::Impl::feed(StoreContext &c, Slot &s, const News *trigger)
{
    const ClusterNames &names = s.track->cluster().names;
    const ContextTable &table = c.tables[names.key.ns];
    s.track->setSink(&changes.events);
    const Resource kind = names.resource(), other = kind == Resource::Endpoints ? Resource::ConfigMaps : Resource::Endpoints;
    const std::pair<Part, ContextTable::Name> parts[] = {{Part::Config, {kind, names.configName}},
                                                         {Part::Leader, {kind, names.leaderName}},
                                                         {Part::Sync, {kind, names.syncName}},
                                                         {Part::Failover, {kind, names.failoverName}}};
    for (const auto &[part, name] : parts) {
        const KubeObject *object = table.find(name);
        if (!object)
            continue;
        const bool live = trigger && trigger->name == name;
        Moment moment = table.seen(name);
        if (!live)
            moment.first = true;
        s.track->objectChanged(part, object, moment);
    }
    // Comes by another stream, which may be ahead: nothing that it went through is missed.
    const auto early = c.tables[names.key.ns].takeEarly({other, names.failoverName});
    for (const ContextTable::Sight &sight : early)
        s.track->objectChanged(Part::Stray, sight.object ? &*sight.object : nullptr, sight.moment);
    std::vector<MemberFact> facts;
    for (const std::string &member : s.track->everMembers()) {
        if (const MemberHistory *history = table.history(member))
            facts.insert(facts.end(), history->facts().begin(), history->facts().end());
        else if (const PodState *pod = table.pod(member))
            facts.push_back(pod->fact);
    }
    std::stable_sort(facts.begin(), facts.end(), [](const MemberFact &a, const MemberFact &b) {
        const auto order = compareVersions(a.moment.version, b.moment.version);
        return order ? *order < 0 : a.moment.at() < b.moment.at();
    });
    const auto before = dropped.find(names.key);
    for (MemberFact &fact : facts) {
        if (before != dropped.end() && fact.moment.at() <= before->second.at)
            fact.moment.first = true;
        s.track->podNews(fact);
    }
    for (const std::string &member : s.track->everMembers())
        s.track->setPod(member, table.pod(member));
    feedPodEvents(c, *s.track);
}

// ---- connection ---------------------------------------------------------------------------------------------------------------

void ClusterStore::Impl::sayConnection(StoreContext &c, const Now &at)
{
    const ContextState state = c.state();
    const bool bad = state.freshness == Freshness::Stale || state.freshness == Freshness::Forbidden;
    if (bad == c.down || (!bad && state.freshness != Freshness::Live))
        return;
    c.down = bad;
    Event event;
    event.type = bad ? EventCode::ConnectionLost : EventCode::ConnectionRestored;
    event.cluster.context = c.name;
    event.at = at.boot;
    event.wall = at.wall;
    event.id = hashParts({c.name, code(event.type), std::to_string(at.wall.time_since_epoch().count())});
    if (bad && state.error)
        event.detail["error"] = describe(*state.error);
    changes.events.push_back(std::move(event));
}

} // namespace switchyard
