// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From observations to news of objects.
#include "models/store/store_impl.h"

#include "models/events/event_id.h"

#include <algorithm>

namespace switchyard {

using patroni::ClusterKey;

void ClusterStore::Impl::note(StoreContext &c, const std::string &ns, const ContextTable::Name &name,
                              const std::function<TableChange(ContextTable &)> &change, Batch &batch)
{
    ContextTable &table = c.tables[ns];
    News item{ns, name, {}, table.partsOf(name)};
    const TableChange changed = change(table);
    if (!changed.taken)
        return;
    item.moment = changed.moment;
    // Of two modes the one whose leader record moves is the live one.
    const bool modeMayMove = changed.recordMoved && table.bothModes() && item.before.empty();
    if (changed.reshaped || modeMayMove)
        batch.reshaped.insert(ns);
    batch.news.push_back(std::move(item));
}

namespace {

// What the stream did not tell of may have changed at any time since it was last seen.
void sinceLastSight(Moment &moment, const ContextTable &table, const KubeObject &object, const Coverage &told)
{
    if (told.whole() && table.doubted().empty())
        return;
    const ContextTable::Name name{object.resource, object.name};
    const KubeObject *held = table.find(name);
    if (held && (!told.covers(*held) || table.doubted().contains(name)))
        moment.since = table.seen(name).at();
}

} // namespace

// Objects that the list should hold and does not. What lies outside of its reach stays as it is known, if it is of any interest.
void ClusterStore::Impl::missing(StoreContext &c, const Stream &s, const ListNews &news, const ListWord &word, Batch &batch)
{
    const Listed &list = *news.list;
    const Resource resource = s.state().resource;
    std::set<std::pair<std::string, std::string>> seen;
    for (const KubeObject &object : list.items)
        seen.emplace(object.ns, object.name);
    for (auto &[ns, table] : c.tables) {
        if (!s.covers(resource, ns))
            continue;
        for (const std::string &text : table.names(resource)) {
            const ContextTable::Name name{resource, text};
            if (seen.contains({ns, text}))
                continue;
            Moment moment = news.moment;
            sinceLastSight(moment, table, *table.find(name), news.before);
            const bool covered = list.coverage.covers(*table.find(name));
            const bool ours = !table.partsOf(name).empty();
            if (moment.version.empty())
                moment.version = table.find(name)->resourceVersion;
            if (covered && ours && !list.coverage.labelKey.empty())
                table.doubt(name, moment, word);
            else if (covered)
                note(
                    c, ns, name, [&](ContextTable &t) { return t.removeMissing(name, moment, word); }, batch);
            else if (!list.coverage.labelKey.empty() && !ours)
                table.forget(name);
        }
    }
}

ListWord ClusterStore::Impl::wordOf(StoreContext &c, const Stream &s, const ListNews &news) const
{
    const Listed &list = *news.list;
    if (!list.resourceVersion.empty())
        return {list.resourceVersion, !news.aside && s.wentBack(list.resourceVersion)};
    const bool back = !news.aside && std::any_of(list.items.begin(), list.items.end(), [&](const KubeObject &object) {
        return c.tables[object.ns].showsReturn(object, news.asked);
    });
    return {{}, back, news.asked};
}

// Takes over what a list says; the objects themselves count in the same way beside the stream.
bool ClusterStore::Impl::takeList(StoreContext &c, Stream &s, const ListNews &news)
{
    const Listed &list = *news.list;
    const ListWord word = wordOf(c, s, news);
    if (word.back) {
        changes.restored.insert(c.name);
        s.startOver();
        for (auto &[ns, table] : c.tables) {
            if (s.covers(s.state().resource, ns))
                table.startOver(s.state().resource);
        }
    }
    Batch batch;
    for (const KubeObject &object : list.items) {
        Moment own = news.moment;
        own.version = object.resourceVersion;
        const ContextTable &table = c.tables[object.ns];
        sinceLastSight(own, table, object, news.before);
        // New to us, where nobody had looked.
        own.first = own.first || (!news.aside && !news.before.covers(object) && !table.find({object.resource, object.name}));
        note(
            c, object.ns, {object.resource, object.name}, [&](ContextTable &t) { return t.putListed(object, own, word); }, batch);
    }
    if (news.aside || s.listWasWhole())
        missing(c, s, news, word, batch);
    deliver(c, std::move(batch.news), batch.reshaped, false);
    return !word.back;
}

void ClusterStore::Impl::listed(StoreContext &c, Stream &s, const Listed &list, const Now &at, Boot asked)
{
    ListNews news{&list, {at, list.resourceVersion, std::nullopt, std::nullopt, !s.everListed()}, s.coverage(), false, asked};
    const bool broken = s.broken();
    news.moment.since = s.listed(at.boot, list, asked);
    if (broken)
        sayBlind(c, s, news.moment.since, at);
    const bool forth = takeList(c, s, news);
    if (list.resourceVersion.empty()) {
        for (const KubeObject &object : list.items)
            s.reached(object.resourceVersion);
    } else {
        s.reached(list.resourceVersion);
    }
    for (auto &[key, slot] : slots) {
        if (slot.stream != &s)
            continue;
        if (!forth)
            slot.track->unverify(at.boot); // of an earlier time: no word of the present
        else if (isTold(slot))
            slot.track->found(asked);
    }
    proven(s, at, asked);
    touchStream(s);
    if (s.state().resource == Resource::Pods) {
        forgetUnreadPods(c, s);
        touchAll(c);
    }
}

// Of a cluster that is read, Pods that are not: what they were says nothing of what they are.
void ClusterStore::Impl::forgetUnreadPods(StoreContext &c, const Stream &s)
{
    if (s.coverage().names.empty())
        return;
    std::set<std::string> reshaped;
    for (auto &[ns, table] : c.tables) {
        if (!s.covers(Resource::Pods, ns))
            continue;
        for (const std::string &pod : table.names(Resource::Pods)) {
            const ContextTable::Name name{Resource::Pods, pod};
            if (s.coverage().coversName(ns, pod))
                continue;
            for (const ClusterPart &part : table.partsOf(name)) {
                Slot *mine = slot(part.key);
                if (!mine || !StoreContext::isInSight(s, *mine->track))
                    continue;
                table.forget(name);
                mine->track->setSink(&changes.events);
                mine->track->setPod(pod, nullptr);
                reshaped.insert(ns);
            }
        }
    }
    deliver(c, {}, reshaped, false);
}

void ClusterStore::Impl::takeChange(StoreContext &c, const Stream &s, const Changed &change, Moment moment)
{
    const KubeObject &object = change.object;
    sinceLastSight(moment, c.tables[object.ns], object, s.coverage());
    const ContextTable::Name name{object.resource, object.name};
    Batch batch;
    if (change.type == EventType::Deleted)
        note(
            c, object.ns, name, [&](ContextTable &t) { return t.remove(name, moment); }, batch);
    else if (change.type == EventType::Added || change.type == EventType::Modified)
        note(
            c, object.ns, name, [&](ContextTable &t) { return t.put(object, moment); }, batch);
    deliver(c, std::move(batch.news), batch.reshaped, true);
}

void ClusterStore::Impl::changed(StoreContext &c, Stream &s, const Changed &change, const Now &at)
{
    s.reached(change.object.resourceVersion);
    const bool broken = s.broken();
    const auto since = s.event(at.boot);
    if (broken)
        sayBlind(c, s, since, at);
    takeChange(c, s, change, Moment{at, change.object.resourceVersion, since, std::nullopt, false});
    proven(s, at, at.boot);
}

// Objects count, whoever saw them; of the stream itself this tells nothing.
void ClusterStore::Impl::seenAside(StoreContext &c, Stream &s, const Observation &o, const Now &at)
{
    if (const auto *list = std::get_if<Listed>(&o.what))
        takeList(c, s,
                 {list,
                  {at, list->resourceVersion, s.provenAt(), std::nullopt, !s.everListed()},
                  s.coverage(),
                  true,
                  std::min(o.asked.value_or(at.boot), at.boot)});
    else if (const auto *change = std::get_if<Changed>(&o.what))
        takeChange(c, s, *change, Moment{at, change->object.resourceVersion, s.aside(), std::nullopt, false});
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
        if (std::any_of(parts.begin(), parts.end(), [](const ClusterPart &p) { return p.part == Part::Leader; }))
            return static_cast<int>(Part::Leader); // also where another cluster has an object of that name
        return parts.empty() || !parts.front().part ? 9 : static_cast<int>(*parts.front().part);
    };
    std::multimap<int, const News *> ordered; // equal places stay in the order of the list
    for (const News &item : news)
        ordered.emplace(news.size() > 1 ? place(item) : 0, &item);
    for (const auto &[at, item] : ordered)
        tell(c, *item, fresh);
}

// What may have happened before a leader record's change, and when the change itself did.
void ClusterStore::Impl::tellOfDoubts(Slot &slot, Moment &moment) const
{
    if (!slot.stream)
        return;
    if (isFollowed(slot) && slot.stream->toldUntil())
        slot.track->confirm(*slot.stream->toldUntil());
    if (moment.since)
        return;
    moment.since = slot.track->lock().doubtfulSince(slot.stream->gap());
    moment.underWaySince = slot.track->underWaySince(slot.stream->silence(), moment.at());
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
            if (part == Part::Leader)
                tellOfDoubts(*s, moment);
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

void ClusterStore::Impl::confirmed(StoreContext &c, Stream &s, const Confirmed &get, const Now &at, Boot asked)
{
    s.contact(at.boot);
    s.probed(at.boot);
    const ContextTable::Name name{s.state().resource, get.name};
    for (auto &[ns, table] : c.tables) {
        if (!s.covers(name.first, ns) || (!get.ns.empty() && get.ns != ns))
            continue;
        if (!get.resourceVersion)
            gone(c, s, ns, name, at, asked);
        else if (isAsKnown(table.find(name), get.resourceVersion))
            table.trust(name);
        for (const ClusterPart &part : table.partsOf(name)) {
            Slot *mine = slot(part.key);
            if (!mine || part.part != Part::Leader)
                continue;
            mine->lastProbe = at.boot;
            const KubeObject *object = table.find(name);
            if (isAsKnown(object, get.resourceVersion)) {
                mine->track->setSink(&changes.events);
                mine->track->advance(at);
                mine->track->found(asked);
                touched.insert(part.key);
            } else if (!isOlder(object, get.resourceVersion)) {
                mine->track->missed(at.boot); // our watch will tell, or is dead; not there: DELETED will come
            }
        }
    }
}

// A list with a selector did not hold it, and it does not exist.
void ClusterStore::Impl::gone(StoreContext &c, const Stream &s, const std::string &ns, const ContextTable::Name &name, const Now &at,
                              Boot asked)
{
    ContextTable &table = c.tables[ns];
    const auto doubt = table.doubted().find(name);
    if (doubt == table.doubted().end() || doubt->second.at() > asked || table.seen(name).at() > asked)
        return;
    Moment moment = doubt->second;
    moment.seen = at;
    moment.version = table.find(name)->resourceVersion;
    sinceLastSight(moment, table, *table.find(name), s.coverage());
    Batch batch;
    note(
        c, ns, name, [&](ContextTable &t) { return t.remove(name, moment); }, batch);
    deliver(c, std::move(batch.news), batch.reshaped, false);
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
