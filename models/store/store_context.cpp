// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/store_context.h"

#include <algorithm>

namespace switchyard {

using patroni::Freshness;

std::string ContextState::summary() const
{
    return error ? describe(*error) : std::string();
}

Stream &StoreContext::stream(Resource resource, const std::string &ns)
{
    for (const auto &s : streams) {
        if (s->state().resource == resource && s->state().ns == ns)
            return *s;
    }
    return *streams.emplace_back(std::make_unique<Stream>(resource, ns));
}

Stream *StoreContext::covering(Resource resource, const std::string &ns) const
{
    for (const auto &s : streams) {
        if (s->covers(resource, ns))
            return s.get();
    }
    return nullptr;
}

std::optional<Boot> StoreContext::lastContact() const
{
    std::optional<Boot> last;
    for (const auto &s : streams) {
        if (s->state().lastContact && (!last || *s->state().lastContact > *last))
            last = s->state().lastContact;
    }
    return last;
}

ContextState StoreContext::state() const
{
    ContextState state;
    state.context = name;
    state.lastContact = lastContact();
    state.freshness = streams.empty() ? Freshness::Connecting : Freshness::Live;
    state.streams.reserve(streams.size());
    for (const auto &s : streams) {
        const StreamState &own = state.streams.emplace_back(s->shown());
        if (rank(own.freshness) <= rank(state.freshness))
            continue;
        state.freshness = own.freshness;
        state.error = own.error;
        state.staleSince = state.freshness == Freshness::Stale ? own.lastContact : std::nullopt;
    }
    if (probeError && rank(state.freshness) < rank(Freshness::Stale)) {
        state.freshness = Freshness::Stale;
        state.error = probeError;
        state.staleSince = state.lastContact;
    }
    return state;
}

bool StoreContext::isInSight(const Stream &stream, const ClusterTrack &track)
{
    const Coverage &told = stream.coverage();
    if (told.names.empty())
        return true;
    const patroni::ClusterNames &names = track.cluster().names;
    if (stream.state().resource != Resource::Pods)
        return told.coversName(names.key.ns, names.leaderName);
    const std::set<std::string> &members = track.everMembers();
    const auto holder = track.lock().holder();
    return (holder && told.coversName(names.key.ns, *holder))
        || std::any_of(members.begin(), members.end(), [&](const std::string &member) { return told.coversName(names.key.ns, member); });
}

bool StoreContext::tellsOfLock(const Stream &stream, const patroni::ClusterNames &names) const
{
    const Coverage &told = stream.coverage();
    const auto table = tables.find(names.key.ns);
    if (told.whole() && (table == tables.end() || table->second.doubted().empty()))
        return true;
    const ContextTable::Name object{names.resource(), names.leaderName};
    const KubeObject *leader = table == tables.end() ? nullptr : table->second.find(object);
    if (leader && table->second.doubted().contains(object))
        return false;
    return leader ? told.covers(*leader) : told.labelKey.empty() && told.coversName(names.key.ns, names.leaderName);
}

namespace {

// A cluster of which nothing is read: forbidden, whatever else of the stream is live.
StreamState outOfSight(const Stream &stream)
{
    StreamState state = stream.shown();
    state.freshness = Freshness::Forbidden;
    state.lastContact = stream.outsideProvenAt();
    Error error;
    error.kind = ErrorKind::Forbidden;
    error.verb = "list";
    error.resource = code(state.resource);
    error.ns = state.ns;
    error.message = "only the objects of named clusters are read";
    state.error = error;
    return state;
}

} // namespace

patroni::ViewState StoreContext::viewOf(const ClusterTrack &track) const
{
    const patroni::ClusterNames &names = track.cluster().names;
    patroni::ViewState view;
    view.freshness = Freshness::Live;
    view.lastContact = lastContact();
    for (const Resource resource : {names.resource(), Resource::Pods}) {
        const Stream *s = covering(resource, names.key.ns);
        const StreamState own = !s ? StreamState{} : isInSight(*s, track) ? s->shown() : outOfSight(*s);
        if (own.missing)
            view.missing.push_back(*own.missing);
        if (rank(own.freshness) <= rank(view.freshness))
            continue;
        view.freshness = own.freshness;
        view.lastContact = own.lastContact;
        view.staleSince = own.freshness == Freshness::Stale ? own.lastContact : std::nullopt;
        view.reason = own.error ? describe(*own.error) : std::string();
    }
    if (probeError && rank(view.freshness) < rank(Freshness::Stale)) {
        view.freshness = Freshness::Stale;
        view.staleSince = view.lastContact;
        view.reason = describe(*probeError);
    }
    return view;
}

} // namespace switchyard
