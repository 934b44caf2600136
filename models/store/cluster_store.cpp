// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/cluster_store.h"

#include "models/core/overloaded.h"
#include "models/store/store_impl.h"

#include <algorithm>

namespace switchyard {

using patroni::Cluster;
using patroni::ClusterKey;
using patroni::Freshness;

ClusterStore::ClusterStore()
    : d(std::make_unique<Impl>())
{}

ClusterStore::~ClusterStore() = default;
ClusterStore::ClusterStore(ClusterStore &&) noexcept = default;
ClusterStore &ClusterStore::operator=(ClusterStore &&) noexcept = default;

namespace {

// Did what is said of the context change?
bool moved(const ContextState &before, const ContextState &after, bool probeMoved)
{
    return probeMoved || before.freshness != after.freshness || before.error != after.error
        || !std::equal(before.streams.begin(), before.streams.end(), after.streams.begin(), after.streams.end(),
                       [](const StreamState &a, const StreamState &b) {
                           return a.freshness == b.freshness && a.listed == b.listed && a.named == b.named && a.missing == b.missing;
                       });
}

} // namespace

StoreChanges ClusterStore::apply(const Observation &o)
{
    if (o.resource == Resource::Leases || o.resource == Resource::Nodes)
        return {}; // of no cluster
    const Now at{o.seen, o.wall};
    if (o.aside) {
        const auto c = d->contexts.find(o.context);
        Stream *s = c == d->contexts.end() ? nullptr : c->second->covering(o.resource, o.ns);
        d->begin(at);
        if (s) {
            d->letTimePass(*s, at); // what is seen comes after all that was due before
            d->seenAside(*c->second, *s, o, at);
        }
        return d->finish();
    }
    StoreContext &c = d->context(o.context);
    if (o.resource == Resource::Events) {
        d->begin(at);
        d->podEvents(c, o, at);
        return d->finish();
    }
    Stream &s = c.stream(o.resource, o.ns);
    d->begin(at);
    d->speaking = &s;
    d->spoken = at;
    d->letTimePass(s, at);
    if (!o.selector.empty())
        s.narrow(o.selector);
    const Boot asked = std::min(o.asked.value_or(at.boot), at.boot);
    const bool probeBefore = c.probeError.has_value();
    const bool mereNews = std::holds_alternative<Changed>(o.what) || std::holds_alternative<Bookmarked>(o.what)
        || std::holds_alternative<Contact>(o.what);
    const bool calm = mereNews && !probeBefore && s.isCalm(); // as nearly always
    const auto before = calm ? ContextState{} : c.state();
    const bool heard = !std::holds_alternative<ProbeFailed>(o.what) && !std::holds_alternative<Lost>(o.what);
    if (heard) {
        c.probeError.reset();
        s.heard();
    }
    std::visit(Overloaded{
                   [&](const Listed &list) { d->listed(c, s, list, at, asked); },
                   [&](const Changed &change) { d->changed(c, s, change, at); },
                   [&](const Bookmarked &mark) {
                       s.reached(mark.resourceVersion);
                       const bool broken = s.broken();
                       const auto since = s.event(at.boot);
                       if (broken)
                           d->sayBlind(c, s, since, at);
                       d->proven(s, at, at.boot);
                   },
                   [&](const Confirmed &get) { d->confirmed(c, s, get, at, asked); },
                   [&](const ProbeFailed &get) { d->probeFailed(c, s, get, at); },
                   [&](const Resumed &) { // live again, but no proof of anything: a backlog may follow
                       const bool broken = s.broken();
                       const auto since = s.event(at.boot);
                       if (broken)
                           d->sayBlind(c, s, since, at);
                   },
                   [&](const Contact &) { s.bytes(at.boot); },
                   [&](const Lost &loss) { s.lost(loss.error); },
                   [&](const Undecodable &bad) { d->undecodable(c, s, bad, at); },
               },
               o.what);
    if (!calm && moved(before, c.state(), probeBefore != c.probeError.has_value())) {
        d->changes.contexts.insert(c.name);
        d->touchAll(c);
        d->sayConnection(c, at);
    }
    return d->finish();
}

StoreChanges ClusterStore::advance(Now now)
{
    d->begin(now);
    for (const auto &[name, c] : d->contexts) {
        for (const auto &s : c->streams)
            d->letTimePass(*s, now);
    }
    return d->finish();
}

std::optional<Boot> ClusterStore::nextDeadline() const
{
    std::optional<Boot> next;
    for (const auto &[name, c] : d->contexts) {
        for (const auto &s : c->streams) {
            if (!s->deadlines.empty() && (!next || s->deadlines.begin()->first < *next))
                next = s->deadlines.begin()->first;
        }
    }
    return next;
}

StoreChanges ClusterStore::clockJumped(const std::string &context, Now now)
{
    d->begin(now);
    const auto it = d->contexts.find(context);
    if (it == d->contexts.end())
        return d->finish();
    StoreContext &c = *it->second;
    for (const auto &s : c.streams)
        s->clockJumped();
    for (auto &[key, slot] : d->slots) {
        if (key.context == context)
            slot.track->unverify(now.boot);
    }
    d->changes.contexts.insert(context);
    d->touchAll(c);
    d->sayConnection(c, now);
    return d->finish();
}

StoreChanges ClusterStore::removeContext(const std::string &context)
{
    d->begin(d->now);
    std::vector<ClusterKey> keys;
    for (const auto &[key, slot] : d->slots) {
        if (key.context == context)
            keys.push_back(key);
    }
    for (const ClusterKey &key : keys)
        d->drop(key);
    if (d->contexts.erase(context) > 0)
        d->changes.contexts.insert(context);
    d->lateLocks.forget(context);
    return d->finish();
}

void ClusterStore::setServer(const std::string &context, const std::string &server)
{
    d->lateLocks.setServer(context, server);
}

std::vector<LateLocks::Together> ClusterStore::lateTogether() const
{
    return d->lateLocks.underWay();
}

namespace {

// A live view is as fresh as the last byte of the context, without touching every cluster for every byte.
void freshen(const StoreContext &c, Cluster &cluster)
{
    if (cluster.view.freshness == Freshness::Live)
        cluster.view.lastContact = c.lastContact();
}

} // namespace

const Cluster *ClusterStore::find(const ClusterKey &key) const
{
    const auto *slot = d->slot(key);
    if (!slot)
        return nullptr;
    freshen(*d->contexts.at(key.context), slot->track->cluster());
    return &slot->track->cluster();
}

std::vector<const Cluster *> ClusterStore::clusters() const
{
    std::vector<const Cluster *> result;
    result.reserve(d->slots.size());
    for (const auto &[key, slot] : d->slots) {
        freshen(*d->contexts.at(key.context), slot.track->cluster());
        result.push_back(&slot.track->cluster());
    }
    return result;
}

std::vector<ContextState> ClusterStore::contexts() const
{
    std::vector<ContextState> result;
    for (const auto &[name, c] : d->contexts)
        result.push_back(c->state());
    return result;
}

const std::vector<Event> &ClusterStore::events() const
{
    return d->events;
}

Now ClusterStore::now() const
{
    return d->now;
}

namespace {

constexpr Duration askAgain = std::chrono::seconds(5);

// The watch tells at once when a dead lock is taken; a GET only finds a watch that has died. So what is dead for long is asked for less
// often: a thousand dead locks must not become load of an API server that may be the reason. silent: since its last change.
constexpr Duration askAgainAfter(Duration silent)
{
    return std::clamp<Duration>(silent / 6, askAgain, std::chrono::minutes(1));
}

const patroni::DynamicConfig &configOf(const Cluster &cluster)
{
    static const patroni::DynamicConfig none;
    return cluster.config ? cluster.config->config : none;
}

bool asksForLock(patroni::LockState state)
{
    using patroni::LockState;
    return state == LockState::Held || state == LockState::Unverified || state == LockState::Stale || state == LockState::Expired;
}

// Between two lists nothing can be heard. The next one proves as much as a GET, so that one is only asked for when it is overdue:
// silence is counted from then on, and what runs out meanwhile stays unverified until the list.
bool isListedInTime(const Stream &stream, Now now)
{
    constexpr Duration grace = std::chrono::seconds(5);
    const auto contact = stream.state().lastContact;
    return stream.every() > Duration(0) && contact && now.boot - *contact <= stream.every() + grace;
}

// A record that was not renewed for long: is it still the same?
// told: the stream tells of it.
std::optional<Probe> lockProbe(const ClusterTrack &track, const Stream &stream, bool told, std::optional<Boot> last, Now now)
{
    const Cluster &cluster = track.cluster();
    const patroni::LockView &lock = cluster.lock;
    if (!asksForLock(lock.state))
        return std::nullopt;
    const auto changed = lock.changedNotAfter ? lock.changedNotAfter : lock.firstSeen;
    const patroni::DynamicConfig &config = configOf(cluster);
    if (changed && now.boot - *changed <= rules::askAfter(config))
        return std::nullopt;
    const auto object = cluster.objects.find("leader");
    if (object == cluster.objects.end())
        return std::nullopt;
    const Duration loop = std::chrono::seconds(config.loopWait);
    const bool isDead = changed && lock.state == patroni::LockState::Expired;
    const Duration again = isDead ? std::max(loop, askAgainAfter(now.boot - *changed)) : askAgain;
    if (told && isListedInTime(stream, now))
        return std::nullopt;
    const bool trusted = told && track.lock().isFollowed(stream.gap(), stream.silence());
    if (const auto proven = stream.toldUntil(); trusted && proven && (!last || *proven > *last) && !track.awaitsProof())
        last = proven;
    if (last && now.boot - *last < again)
        return std::nullopt;
    const patroni::ClusterKey &key = cluster.names.key;
    return Probe{key.context, cluster.names.resource(), key.ns, cluster.names.leaderName, object->second.resourceVersion};
}

// Nothing came for two loops: does the server still answer?
bool isSilent(const Stream &stream, const Cluster &cluster, Now now)
{
    const Duration loops = std::chrono::seconds(2 * configOf(cluster).loopWait);
    const auto contact = stream.state().lastContact, probed = stream.probedAt();
    return stream.state().freshness == Freshness::Live && !isListedInTime(stream, now) && (!contact || now.boot - *contact > loops)
        && (!probed || now.boot - *probed >= askAgain);
}

// Any object will do.
std::optional<Probe> contactProbe(const StoreContext &c, const Cluster &cluster, Resource resource)
{
    const patroni::ClusterNames &names = cluster.names;
    const auto table = c.tables.find(names.key.ns);
    if (table == c.tables.end())
        return std::nullopt;
    std::vector<std::string> candidates{names.leaderName, names.configName};
    if (resource == Resource::Pods)
        candidates.assign(names.memberNames.begin(), names.memberNames.end());
    for (const std::string &name : candidates) {
        if (const KubeObject *object = table->second.find({resource, name}))
            return Probe{names.key.context, resource, names.key.ns, name, object->resourceVersion};
    }
    return std::nullopt;
}

// Gone, or merely without the label that a selector asks for?
std::vector<Probe> doubtfulObjects(const std::map<std::string, std::unique_ptr<StoreContext>> &contexts)
{
    std::vector<Probe> wanted;
    for (const auto &[context, c] : contexts) {
        for (const auto &[ns, table] : c->tables) {
            for (const auto &[name, moment] : table.doubted()) {
                const Stream *stream = c->covering(name.first, ns);
                if (stream && stream->state().freshness == Freshness::Live)
                    wanted.push_back({context, name.first, ns, name.second, table.find(name)->resourceVersion});
            }
        }
    }
    return wanted;
}

} // namespace

std::vector<Probe> ClusterStore::wantedProbes(Now now) const
{
    std::vector<Probe> wanted = doubtfulObjects(d->contexts);
    std::set<const Stream *> asked;
    for (const auto &[key, slot] : d->slots) {
        if (!slot.stream || slot.stream->state().freshness != Freshness::Live || d->isBlind(slot))
            continue;
        if (auto probe = lockProbe(*slot.track, *slot.stream, d->isTold(slot), slot.lastProbe, now)) {
            wanted.push_back(std::move(*probe));
            asked.insert(slot.stream);
        }
    }
    for (const auto &[key, slot] : d->slots) {
        const StoreContext &c = *d->contexts.at(key.context);
        const Cluster &cluster = slot.track->cluster();
        for (const Resource resource : {cluster.names.resource(), Resource::Pods}) {
            const Stream *stream = c.covering(resource, key.ns);
            if (!stream || asked.contains(stream) || !isSilent(*stream, cluster, now) || !StoreContext::isInSight(*stream, *slot.track))
                continue;
            if (auto probe = contactProbe(c, cluster, resource)) {
                wanted.push_back(std::move(*probe));
                asked.insert(stream);
            }
        }
    }
    return wanted;
}

} // namespace switchyard
