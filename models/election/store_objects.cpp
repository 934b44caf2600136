// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Objects that come, change and go: of each the newest version counts, whoever told of it.
#include "models/election/election_store_impl.h"
#include "models/election/lock_record.h"

#include <algorithm>

namespace switchyard::election {

namespace {

bool isBefore(const std::string &a, const std::string &b)
{
    const auto order = compareVersions(a, b);
    return order && *order < 0;
}

bool isNoNewer(const std::string &a, const std::string &b)
{
    const auto order = compareVersions(a, b);
    return order && *order <= 0;
}

std::vector<Family> familiesOf(Resource resource)
{
    if (resource == Resource::ConfigMaps)
        return {Family::ClientGo, Family::LeaderForLife};
    return {Family::ClientGo};
}

bool covers(const Coverage &told, const Key &key, const ElectionTrack::Part &part)
{
    return told.coversName(key.ns, key.name) && (told.labelKey.empty() || part.labels.contains(told.labelKey));
}

} // namespace

void ElectionStore::Impl::take(StoreContext &c, WatchedSource &s, const KubeObject &object, Moment moment, const Teller &by)
{
    Key key{c.name, object.ns, object.name, Family::ClientGo};
    if (object.resource == Resource::Leases) { // nearly always
        see(c, s, object, key, std::move(moment), by);
        return;
    }
    Key life = key;
    life.family = Family::LeaderForLife;
    const auto known = object.resource == Resource::ConfigMaps ? tracks.find(life) : tracks.end();
    const bool wasForLife = known != tracks.end() && known->second->parts().front().uid == object.uid;
    const StoreContext::Object place{object.resource, object.ns, object.name};
    const auto ended = object.dataUnknown ? c.ends.find(place) : c.ends.end();
    const bool hadData = ended != c.ends.end() && ended->second.uidWithData == object.uid; // and has it still, for all that is known
    LockSort sort = sortOf(object, wasForLife);
    if (hadData && sort == LockSort::ForLife)
        sort = LockSort::None;
    const bool wasSeenWhole = known == tracks.end() || !known->second->parts().front().dataUnknown;
    for (const Family family : familiesOf(object.resource)) {
        key.family = family;
        const bool is = sort == (family == Family::ClientGo ? LockSort::Record : LockSort::ForLife);
        if (is)
            see(c, s, object, key, moment, by);
        else
            lose(c, object.resource, key, moment, family == Family::ClientGo || wasSeenWhole); // else it never was one
    }
    if (sort != LockSort::None)
        return;
    StoreContext::End &own = end(c, place, moment);
    if (object.hasData)
        own.uidWithData = object.uid;
}

void ElectionStore::Impl::see(StoreContext &c, WatchedSource &s, const KubeObject &object, const Key &key, Moment moment, const Teller &by)
{
    const ListWord *list = by.list;
    const bool back = list && list->back;
    auto it = tracks.find(key);
    ElectionTrack::Part *part = it == tracks.end() ? nullptr : it->second->part(object.resource);
    if (part) {
        const bool same = part->uid == object.uid && part->version == object.resourceVersion;
        if (same) {
            part->doubted = false;
            if (part->dataUnknown && !object.dataUnknown) { // a GET of the whole object says so
                part->dataUnknown = false;
                touched.insert(it->second.get());
            }
            if (list && !back) {
                part->trail.found(list->asked);
                touched.insert(it->second.get());
            }
            return;
        }
        if (!back && isBefore(object.resourceVersion, part->version))
            return;
        moment.first = back && isBefore(object.resourceVersion, part->version); // of an earlier time: a state, not news
        const bool told = s.stream.coverage().whole() || covers(list ? list->before : s.stream.coverage(), key, *part);
        if (!told || part->doubted)
            moment.since = part->sightAt;
    } else {
        const auto ended = c.ends.find({object.resource, object.ns, object.name});
        if (ended != c.ends.end() && !back && isNoNewer(object.resourceVersion, ended->second.version))
            return;
        // New to us, where nobody had looked.
        moment.first = moment.first || by.aside || (list && !list->before.covers(object));
    }
    if (it == tracks.end()) {
        it = tracks.emplace(key, std::make_unique<ElectionTrack>(key, tolerance, ++numbers)).first;
        if (const auto former = memories.find(key); former != memories.end()) {
            it->second->remember(std::move(former->second));
            memories.erase(former);
        }
        if (key.family == Family::LeaderForLife)
            c.forLife.insert(it->second.get());
        changes.removed.erase(key);
    }
    ElectionTrack &track = *it->second;
    if (part && !moment.since && !moment.first && !list) {
        moment.since = part->trail.doubtfulSince(s.stream.gap());
        moment.underWaySince = part->trail.underWaySince(s.stream.silence(), moment.at(), track.askAfter());
    }
    track.setSink(&changes.events);
    track.see(object, moment, &s);
    touched.insert(&track);
    if (!part)
        hearPast(c, track);
}

StoreContext::End &ElectionStore::Impl::end(StoreContext &c, const StoreContext::Object &object, const Moment &moment)
{
    constexpr Duration longEnough = std::chrono::minutes(5);
    StoreContext::End &own = c.ends[object];
    if (own.version.empty() || isBefore(own.version, moment.version)) {
        own.version = moment.version;
        own.at = moment.at();
    }
    if (c.ends.size() <= c.endsKept)
        return own;
    std::erase_if(c.ends, [&](const auto &entry) { return entry.first != object && moment.at() - entry.second.at > longEnough; });
    c.endsKept = std::max<std::size_t>(2000, 2 * c.ends.size());
    return own;
}

void ElectionStore::Impl::lose(StoreContext &c, Resource resource, const Key &key, const Moment &moment, bool told)
{
    const auto it = tracks.find(key);
    ElectionTrack::Part *part = it == tracks.end() ? nullptr : it->second->part(resource);
    if (!part || isBefore(moment.version, part->version))
        return; // the object has come back since
    ElectionTrack &track = *it->second;
    track.setSink(&changes.events);
    if (track.lose(resource, moment, told))
        drop(c, track);
    else
        touched.insert(&track);
}

void ElectionStore::Impl::drop(StoreContext &c, ElectionTrack &track)
{
    constexpr std::size_t mostMemories = 2000;
    const Key key = track.key();
    unschedule(track);
    unindex(c, track);
    c.forLife.erase(&track);
    if (!track.forLife()) // which never counts, and may have the name of one that does
        lateLocks.set({key.context, key.ns, key.name, {}, {}}, {});
    touched.erase(&track);
    if (memories.size() >= mostMemories) {
        const auto oldest = std::min_element(memories.begin(), memories.end(),
                                             [](const auto &a, const auto &b) { return a.second.at < b.second.at; });
        memories.erase(oldest);
    }
    auto memory = track.memory();
    memory.at = now.boot;
    memories[key] = std::move(memory);
    tracks.erase(key);
    changes.elections.erase(key);
    changes.removed.insert(key);
}

// What a list should hold and does not. What lies outside of its reach stays as it is known.
void ElectionStore::Impl::missing(StoreContext &c, const WatchedSource &s, const ListWord &word)
{
    const Listed &list = *word.list;
    const Resource resource = s.stream.state().resource;
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const KubeObject &object : list.items)
        seen.emplace(object.ns, object.name);
    std::vector<std::pair<Key, Moment>> gone;
    for (auto it = tracks.lower_bound(Key{c.name, {}, {}, Family::ClientGo}); it != tracks.end() && it->first.context == c.name; ++it) {
        const Key &key = it->first;
        ElectionTrack::Part *part = it->second->part(resource);
        if (!part || !s.stream.covers(resource, key.ns) || seen.contains({key.ns, key.name}) || !covers(list.coverage, key, *part))
            continue;
        const bool isNewer = list.resourceVersion.empty() ? part->sightAt > word.asked
                                                          : !word.back && isBefore(list.resourceVersion, part->version);
        if (isNewer)
            continue;
        Moment moment = word.moment;
        if (moment.version.empty())
            moment.version = part->version;
        if (!covers(word.before, key, *part))
            moment.since = part->sightAt;
        if (list.coverage.labelKey.empty()) {
            gone.emplace_back(key, moment);
        } else { // gone, or merely without the label
            part->doubted = true;
            touched.insert(it->second.get());
        }
    }
    for (const auto &[key, moment] : gone) {
        end(c, {resource, key.ns, key.name}, moment);
        lose(c, resource, key, moment, true);
    }
}

} // namespace switchyard::election
