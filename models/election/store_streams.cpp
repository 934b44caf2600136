// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What watches, lists and GETs say, and what they prove.
#include "models/election/election_store_impl.h"
#include "models/election/lock_record.h"
#include "models/events/pod_evidence.h"

#include <algorithm>

namespace switchyard::election {

namespace {

bool readsLocks(Resource resource)
{
    return resource == Resource::Leases || resource == Resource::Endpoints || resource == Resource::ConfigMaps;
}

} // namespace

void ElectionStore::Impl::listed(StoreContext &c, WatchedSource &s, const Observation &o, const Listed &list, const Now &at)
{
    ListWord word;
    word.list = &list;
    word.before = s.stream.coverage();
    word.aside = o.aside;
    word.asked = std::min(o.asked.value_or(at.boot), at.boot);
    word.moment = {at, list.resourceVersion, std::nullopt, std::nullopt, !s.stream.everListed()};
    word.back = !o.aside && !list.resourceVersion.empty() && s.stream.wentBack(list.resourceVersion);
    const bool whole = o.aside || s.stream.listWasWhole();
    word.moment.since = o.aside ? s.stream.aside() : s.stream.listed(at.boot, list, word.asked);
    const Resource resource = s.stream.state().resource;
    if (resource == Resource::Nodes && !o.aside)
        c.pods.forgetNodes();
    for (const KubeObject &object : list.items) {
        Moment own = word.moment;
        own.version = object.resourceVersion;
        if (resource == Resource::Pods)
            pod(c, object, EventType::Modified, own, word.back);
        else if (resource == Resource::Nodes)
            node(c, object, EventType::Modified);
        else
            take(c, s, object, own, {&word, o.aside});
    }
    if (whole && resource == Resource::Pods)
        missingPods(c, s, word);
    else if (whole && readsLocks(resource))
        missing(c, s, word);
    if (o.aside)
        return;
    if (word.back)
        s.stream.startOver();
    s.stream.reached(list.resourceVersion);
    if (list.resourceVersion.empty()) {
        for (const KubeObject &object : list.items)
            s.stream.reached(object.resourceVersion);
    }
    if (resource == Resource::Pods) {
        for (const auto &[name, track] : c.byPod)
            touched.insert(track);
    }
    proven(c, s, at, word.asked);
}

void ElectionStore::Impl::changed(StoreContext &c, WatchedSource &s, const Observation &o, const Changed &change, const Now &at)
{
    const KubeObject &object = change.object;
    Moment moment{at, object.resourceVersion, std::nullopt, std::nullopt, false};
    if (o.aside) {
        moment.since = s.stream.aside();
        moment.first = !s.stream.everListed();
    } else {
        s.stream.reached(object.resourceVersion);
        moment.since = s.stream.event(at.boot);
    }
    const Resource resource = object.resource;
    if (resource == Resource::Pods) {
        pod(c, object, change.type, moment, false);
    } else if (resource == Resource::Nodes) {
        node(c, object, change.type);
    } else if (change.type == EventType::Deleted) {
        end(c, {resource, object.ns, object.name}, moment);
        lose(c, resource, {c.name, object.ns, object.name, Family::ClientGo}, moment, true);
        if (resource == Resource::ConfigMaps)
            lose(c, resource, {c.name, object.ns, object.name, Family::LeaderForLife}, moment, true);
    } else {
        take(c, s, object, moment, {nullptr, o.aside});
    }
    if (!o.aside)
        proven(c, s, at, at.boot);
}

// Everything of the watch is still as it was: decides the locks that wait for that.
void ElectionStore::Impl::proven(StoreContext & /*c*/, WatchedSource &s, const Now & /*at*/, Boot until)
{
    if (!s.stream.prove(until))
        return;
    for (ElectionTrack *track : s.unproven)
        touched.insert(track);
}

void ElectionStore::Impl::touchSource(const StoreContext &c, const WatchedSource &s)
{
    const Resource resource = s.stream.state().resource;
    for (auto it = tracks.lower_bound(Key{c.name, {}, {}, Family::ClientGo}); it != tracks.end() && it->first.context == c.name; ++it) {
        if (resource == Resource::Pods || it->second->part(resource))
            touched.insert(it->second.get());
    }
}

// Of a recording that does not tell it: where there is an object of that name.
std::string ElectionStore::Impl::onlyNamespace(const StoreContext &c, Resource resource, const std::string &name) const
{
    if (resource == Resource::Pods) {
        for (const auto &[ns, pod] : c.pods.names()) {
            if (pod == name)
                return ns;
        }
        return {};
    }
    for (auto it = tracks.lower_bound(Key{c.name, {}, {}, Family::ClientGo}); it != tracks.end() && it->first.context == c.name; ++it) {
        if (it->first.name == name && it->second->part(resource))
            return it->first.ns;
    }
    return {};
}

void ElectionStore::Impl::confirmed(StoreContext &c, WatchedSource &s, const Observation &o, const Confirmed &get, const Now &at)
{
    s.stream.contact(at.boot);
    s.stream.probed(at.boot);
    const Resource resource = s.stream.state().resource;
    const std::string ns = !get.ns.empty() ? get.ns : !o.ns.empty() ? o.ns : onlyNamespace(c, resource, get.name);
    const Boot asked = std::min(o.asked.value_or(at.boot), at.boot);
    if (resource == Resource::Pods && !get.resourceVersion)
        c.pods.absent({ns, get.name}, asked);
    if (resource == Resource::Pods) {
        touchPod(c, {ns, get.name});
        const auto [first, last] = c.byPod.equal_range({ns, get.name});
        for (auto it = first; it != last; ++it)
            it->second->askedAt = at.boot;
        return;
    }
    for (const Family family : {Family::ClientGo, Family::LeaderForLife}) {
        const Key key{c.name, ns, get.name, family};
        const auto it = tracks.find(key);
        ElectionTrack::Part *part = it == tracks.end() ? nullptr : it->second->part(resource);
        if (!part)
            continue;
        part->askedAt = at.boot;
        touched.insert(it->second.get());
        if (get.resourceVersion == part->version) {
            part->doubted = false;
            part->trail.found(asked);
            continue;
        }
        const auto order = get.resourceVersion ? compareVersions(*get.resourceVersion, part->version) : std::nullopt;
        if (order && *order < 0)
            continue; // an answer that our watch overtook
        const Coverage &told = s.stream.coverage();
        const bool unseen = part->doubted || (!told.labelKey.empty() && !part->labels.contains(told.labelKey))
            || !told.coversName(ns, get.name);
        if (!get.resourceVersion && unseen && part->sightAt <= asked) {
            const Moment moment{at, part->version, part->sightAt, std::nullopt, false};
            end(c, {resource, ns, get.name}, moment);
            lose(c, resource, key, moment, true);
        } else
            part->trail.missed(at.boot, it->second->askAfter()); // our watch will tell, or is dead
    }
}

void ElectionStore::Impl::probeFailed(StoreContext &c, WatchedSource &s, const Observation &o, const ProbeFailed &get, const Now &at)
{
    const Key life{c.name, get.ns.empty() ? o.ns : get.ns, get.name, Family::LeaderForLife};
    if (const auto it = tracks.find(life); get.error.kind == ErrorKind::Forbidden && it != tracks.end()) {
        if (ElectionTrack::Part *part = it->second->part(s.stream.state().resource))
            part->refusedAt = at.boot;
    }
    const bool answered = get.error.kind == ErrorKind::Forbidden || get.error.kind == ErrorKind::Unauthorized
        || get.error.kind == ErrorKind::NotFound || get.error.kind == ErrorKind::Throttled;
    s.stream.probed(at.boot);
    if (answered) {
        s.stream.heard();
        s.stream.contact(at.boot);
    } else {
        s.stream.probeFailed(get.error);
    }
}

// ---- Pods, Nodes and Events ---------------------------------------------------------------------------------------------------

void ElectionStore::Impl::touchPod(StoreContext &c, const StoreContext::Name &name)
{
    const auto [first, last] = c.byPod.equal_range(name);
    for (auto it = first; it != last; ++it)
        touched.insert(it->second);
}

void ElectionStore::Impl::pod(StoreContext &c, const KubeObject &object, EventType type, const Moment &moment, bool anew)
{
    const StoreContext::Name name{object.ns, object.name};
    const auto [first, last] = c.byPod.equal_range(name);
    if (type != EventType::Deleted && first != last) {
        const HolderPods::Seen *known = c.pods.find(name);
        const bool same = known && known->pod.uid == object.uid && object.pod;
        for (const PodNews &news : same ? podDifference(object.name, known->facts, *object.pod) : std::vector<PodNews>{}) {
            const auto reason = news.detail.find("reason");
            for (auto it = first; it != last && reason != news.detail.end(); ++it)
                it->second->evidence("Pod " + object.name + ": " + reason->second, object.name, moment.at());
        }
    }
    const bool moved = type == EventType::Deleted ? c.pods.remove(name, object.resourceVersion, moment.at())
                                                  : c.pods.put(object, moment.at(), anew);
    if (moved)
        touchPod(c, name);
}

void ElectionStore::Impl::missingPods(StoreContext &c, const WatchedSource &s, const ListWord &word)
{
    const Listed &list = *word.list;
    std::set<StoreContext::Name> seen;
    for (const KubeObject &object : list.items)
        seen.emplace(object.ns, object.name);
    for (const StoreContext::Name &name : c.pods.names()) {
        if (!s.stream.covers(Resource::Pods, name.first) || seen.contains(name) || !list.coverage.coversName(name.first, name.second))
            continue;
        const HolderPods::Seen &known = *c.pods.find(name);
        const auto order = compareVersions(list.resourceVersion, known.version);
        const bool isNewer = list.resourceVersion.empty() ? known.at > word.asked : !word.back && order && *order < 0;
        if (isNewer)
            continue;
        c.pods.remove(name, list.resourceVersion.empty() ? known.version : list.resourceVersion, word.moment.at());
        touchPod(c, name);
    }
}

void ElectionStore::Impl::touchNodes(StoreContext &c)
{
    touched.insert(c.forLife.begin(), c.forLife.end());
}

void ElectionStore::Impl::node(StoreContext &c, const KubeObject &object, EventType type)
{
    const auto ready = type == EventType::Deleted ? std::optional(false) : object.nodeReady;
    const auto known = c.pods.nodes().find(object.name);
    if (known != c.pods.nodes().end() && known->second == ready)
        return; // a heartbeat
    c.pods.setNode(object.name, ready);
    touchNodes(c);
}

void ElectionStore::Impl::electorEvents(StoreContext &c, WatchedSource &s, const Observation &o, const Now &at)
{
    const bool first = !s.stream.everListed();
    if (const auto *list = std::get_if<Listed>(&o.what)) {
        s.stream.listed(at.boot, *list, at.boot);
        for (const KubeObject &object : list->items)
            electorEvent(c, object, {at, object.resourceVersion, std::nullopt, std::nullopt, first});
    } else if (const auto *change = std::get_if<Changed>(&o.what)) {
        s.stream.event(at.boot);
        if (change->type != EventType::Deleted)
            electorEvent(c, change->object, {at, change->object.resourceVersion, std::nullopt, std::nullopt, false});
    } else if (const auto *lost = std::get_if<Lost>(&o.what)) {
        s.stream.lost(lost->error);
        changes.sources = true;
    } else {
        s.stream.contact(at.boot);
    }
}

void ElectionStore::Impl::electorEvent(StoreContext &c, const KubeObject &object, const Moment &moment)
{
    constexpr std::size_t kept = 1000;
    if (!object.event)
        return;
    const EventFacts &facts = *object.event;
    if (facts.involvedKind == "Pod" && (facts.reason == "NodeNotReady" || facts.reason == "NodeLost")) {
        c.pods.nodeLost(object);
        touchPod(c, {object.ns, facts.involvedName});
    }
    const bool ofPod = facts.involvedKind == "Pod" && facts.reason != "LeaderElection" && !moment.first;
    if (const auto news = ofPod ? podNews(object) : std::nullopt) {
        const auto [first, last] = c.byPod.equal_range({object.ns, facts.involvedName});
        for (auto it = first; it != last; ++it)
            it->second->evidence("Event " + news->evidence.detail, facts.involvedName, moment.at());
    }
    if (facts.reason != "LeaderElection")
        return;
    const bool told = std::any_of(c.electorEvents.begin(), c.electorEvents.end(), [&](const auto &known) {
        return known.first.uid == object.uid && known.first.name == object.name && known.first.resourceVersion == object.resourceVersion;
    });
    if (told)
        return;
    c.electorEvents.emplace_back(object, moment);
    if (c.electorEvents.size() > kept)
        c.electorEvents.pop_front();
    std::set<ElectionTrack *, OlderTrack> about;
    if (const auto own = tracks.find({c.name, object.ns, facts.involvedName, Family::ClientGo});
        facts.involvedKind != "Pod" && own != tracks.end())
        about.insert(own->second.get());
    if (facts.involvedKind == "Pod") {
        const auto [first, last] = c.byPod.equal_range({object.ns, facts.involvedName});
        for (auto it = first; it != last; ++it)
            about.insert(it->second);
    }
    for (ElectionTrack *track : about) {
        track->setSink(&changes.events);
        track->elect(object, moment);
        touched.insert(track);
    }
}

// What was said of a lock before it was known.
void ElectionStore::Impl::hearPast(StoreContext &c, ElectionTrack &track)
{
    for (const auto &[object, moment] : c.electorEvents) {
        if (object.ns != track.key().ns || object.event->involvedKind == "Pod" || object.event->involvedName != track.key().name)
            continue;
        Moment then = moment;
        then.first = true;
        track.elect(object, then);
    }
}

} // namespace switchyard::election
