// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From observations to news of objects.
#include "models/store/store_impl.h"

#include "models/events/event_id.h"

#include <algorithm>

namespace switchyard {

using patroni::ClusterKey;

void ClusterStore::Impl::put(StoreContext &c, const KubeObject &object, const Moment &moment, std::vector<News> &news,
                             std::set<std::string> &reshaped)
{
    ContextTable &table = c.tables[object.ns];
    const ContextTable::Name name{object.resource, object.name};
    News item{object.ns, name, moment, table.partsOf(name)};
    const TableChange change = table.put(object, moment);
    if (!change.taken)
        return;
    // Of two modes the one whose leader record moves is the live one.
    const bool modeMayMove = change.recordMoved && table.bothModes() && item.before.empty();
    if (change.reshaped || modeMayMove)
        reshaped.insert(object.ns);
    news.push_back(std::move(item));
}

void ClusterStore::Impl::remove(StoreContext &c, const std::string &ns, const ContextTable::Name &name, const Moment &moment,
                                std::vector<News> &news, std::set<std::string> &reshaped)
{
    ContextTable &table = c.tables[ns];
    News item{ns, name, moment, table.partsOf(name)};
    if (!table.remove(name, moment).taken)
        return;
    reshaped.insert(ns);
    news.push_back(std::move(item));
}

void ClusterStore::Impl::listed(StoreContext &c, Stream &s, const Listed &list, const Now &at)
{
    Moment moment{at, list.resourceVersion, std::nullopt, !s.everListed()};
    moment.since = s.listed(at.boot);
    std::vector<News> news;
    std::set<std::string> reshaped;
    std::set<std::pair<std::string, std::string>> seen;
    const Resource resource = s.state().resource;
    for (const KubeObject &object : list.items) {
        Moment own = moment;
        own.version = object.resourceVersion;
        seen.emplace(object.ns, object.name);
        put(c, object, own, news, reshaped);
    }
    const bool whole = s.listWasWhole();
    for (auto &[ns, table] : c.tables) {
        if (!whole || !s.covers(resource, ns))
            continue;
        for (const std::string &name : table.names(resource)) {
            if (!seen.contains({ns, name}))
                remove(c, ns, {resource, name}, moment, news, reshaped);
        }
    }
    deliver(c, std::move(news), reshaped, false);
    for (auto &[key, slot] : slots) {
        if (slot.stream == &s)
            slot.track->found(at.boot);
    }
    proven(s, at);
    touchStream(s);
    if (resource == Resource::Pods)
        touchAll(c);
}

void ClusterStore::Impl::changed(StoreContext &c, Stream &s, const Changed &change, const Now &at)
{
    Moment moment{at, change.object.resourceVersion, s.event(at.boot), false};
    std::vector<News> news;
    std::set<std::string> reshaped;
    if (change.type == EventType::Deleted)
        remove(c, change.object.ns, {change.object.resource, change.object.name}, moment, news, reshaped);
    else if (change.type == EventType::Added || change.type == EventType::Modified)
        put(c, change.object, moment, news, reshaped);
    deliver(c, std::move(news), reshaped, true);
    proven(s, at);
}

void ClusterStore::Impl::deliver(StoreContext &c, std::vector<News> news, const std::set<std::string> &reshaped, bool live)
{
    std::set<ClusterKey> fresh;
    for (const std::string &ns : reshaped)
        fresh.merge(rediscover(c, ns));
    for (const ClusterKey &key : fresh)
        feed(c, *slot(key), live && news.size() == 1 ? &news.front() : nullptr);
    // Leadership before requests: of a list that ends a gap the order of changes is unknown.
    const auto place = [&](const News &item) {
        const auto parts = item.before.empty() ? c.tables[item.ns].partsOf(item.name) : item.before;
        return parts.empty() || !parts.front().part ? 9 : static_cast<int>(*parts.front().part);
    };
    if (news.size() > 1)
        std::stable_sort(news.begin(), news.end(), [&](const News &a, const News &b) { return place(a) < place(b); });
    for (const News &item : news)
        tell(c, item, fresh);
}

void ClusterStore::Impl::tell(StoreContext &c, const News &item, const std::set<ClusterKey> &fresh)
{
    const ContextTable &table = c.tables[item.ns];
    std::map<ClusterKey, std::optional<Part>> to;
    for (const auto &parts : {item.before, table.partsOf(item.name)}) {
        for (const ClusterPart &part : parts)
            to.emplace(part.key, part.part);
    }
    for (const auto &[key, part] : to) {
        Slot *s = slot(key);
        if (!s || fresh.contains(key))
            continue;
        s->track->setSink(&changes.events);
        touched.insert(key);
        if (part) {
            Moment moment = item.moment;
            if (part == Part::Leader && s->stream && !moment.since)
                moment.since = s->track->lock().doubtfulSince(s->stream->gap());
            s->track->objectChanged(*part, table.find(item.name), moment);
            continue;
        }
        const bool member = s->track->cluster().names.memberNames.contains(item.name.second);
        const PodState *pod = member ? table.pod(item.name.second) : nullptr;
        if (pod) {
            s->track->podNews(pod->fact);
        } else {
            MemberFact fact;
            fact.name = item.name.second;
            fact.moment = item.moment;
            fact.gone = true;
            if (const MemberHistory *history = table.history(item.name.second); history && !history->facts().empty())
                fact.uid = history->facts().back().uid;
            s->track->podNews(fact);
        }
        s->track->setPod(item.name.second, pod);
    }
}

namespace {

bool isAsKnown(const KubeObject *object, const std::optional<std::string> &version)
{
    return object ? version == object->resourceVersion : !version;
}

// An answer that our watch overtook.
bool isOlder(const KubeObject *object, const std::optional<std::string> &version)
{
    const auto order = object && version ? compareVersions(*version, object->resourceVersion) : std::nullopt;
    return order && *order < 0;
}

} // namespace

void ClusterStore::Impl::confirmed(StoreContext &c, Stream &s, const Confirmed &get, const Now &at)
{
    s.contact(at.boot);
    s.probed(at.boot);
    const ContextTable::Name name{s.state().resource, get.name};
    for (auto &[ns, table] : c.tables) {
        if (!s.covers(name.first, ns) || (!get.ns.empty() && get.ns != ns))
            continue;
        for (const ClusterPart &part : table.partsOf(name)) {
            Slot *mine = slot(part.key);
            if (!mine || part.part != Part::Leader)
                continue;
            mine->lastProbe = at.boot;
            const KubeObject *object = table.find(name);
            if (isAsKnown(object, get.resourceVersion)) {
                mine->track->setSink(&changes.events);
                mine->track->advance(at);
                mine->track->found(at.boot);
                touched.insert(part.key);
            } else if (!isOlder(object, get.resourceVersion)) {
                mine->track->missed(at.boot); // our watch will tell, or is dead; not there: DELETED will come
            }
        }
    }
}

void ClusterStore::Impl::probeFailed(StoreContext &c, Stream &s, const ProbeFailed &get, const Now &at)
{
    const bool answered = get.error.kind == ErrorKind::Forbidden || get.error.kind == ErrorKind::Unauthorized
        || get.error.kind == ErrorKind::NotFound || get.error.kind == ErrorKind::Throttled;
    s.probed(at.boot);
    for (auto &[key, slot] : slots) {
        if (slot.stream == &s && slot.track->cluster().names.leaderName == get.name && (get.ns.empty() || get.ns == key.ns))
            slot.lastProbe = at.boot;
    }
    if (answered) {
        c.probeError.reset();
        s.heard();
        s.contact(at.boot);
        return;
    }
    c.probeError = get.error;
    s.probeFailed(get.error);
}

void ClusterStore::Impl::undecodable(StoreContext &c, Stream &s, const Undecodable &bad, const Now &at)
{
    s.unreadable(bad.error.field.starts_with("items["));
    Event event;
    event.type = EventCode::Undecodable;
    event.cluster.context = c.name;
    event.cluster.ns = bad.error.ns;
    event.at = at.boot;
    event.wall = at.wall;
    event.object = bad.error.name;
    event.id = hashParts({c.name, code(event.type), bad.error.name, bad.error.where, std::to_string(at.wall.time_since_epoch().count())});
    event.detail["error"] = describe(bad.error);
    if (!bad.error.field.empty())
        event.detail["field"] = bad.error.field;
    changes.events.push_back(std::move(event));
}

} // namespace switchyard
