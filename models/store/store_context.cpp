// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/store_context.h"

#include <algorithm>

namespace switchyard {

using patroni::Freshness;

namespace {

// Unknown because refused is worse than stale, stale worse than not there yet.
int rank(Freshness f)
{
    switch (f) {
    case Freshness::Live: return 0;
    case Freshness::Connecting: return 1;
    case Freshness::Stale: return 2;
    case Freshness::Forbidden: return 3;
    }
    return 3;
}

} // namespace

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
    for (const auto &s : streams) {
        state.streams.push_back(s->state());
        if (s->state().resource == Resource::Leases || rank(s->state().freshness) <= rank(state.freshness))
            continue;
        state.freshness = s->state().freshness;
        state.error = s->state().error;
        state.staleSince = state.freshness == Freshness::Stale ? s->state().lastContact : std::nullopt;
    }
    if (probeError && rank(state.freshness) < rank(Freshness::Stale)) {
        state.freshness = Freshness::Stale;
        state.error = probeError;
        state.staleSince = state.lastContact;
    }
    return state;
}

patroni::ViewState StoreContext::viewOf(const patroni::ClusterNames &names) const
{
    patroni::ViewState view;
    view.freshness = Freshness::Live;
    view.lastContact = lastContact();
    for (const Resource resource : {names.resource(), Resource::Pods}) {
        const Stream *s = covering(resource, names.key.ns);
        const Freshness f = s ? s->state().freshness : Freshness::Connecting;
        if (rank(f) <= rank(view.freshness))
            continue;
        view.freshness = f;
        view.lastContact = s ? s->state().lastContact : std::nullopt;
        view.staleSince = f == Freshness::Stale ? view.lastContact : std::nullopt;
        view.reason = s && s->state().error ? describe(*s->state().error) : std::string();
    }
    if (probeError && rank(view.freshness) < rank(Freshness::Stale)) {
        view.freshness = Freshness::Stale;
        view.staleSince = view.lastContact;
        view.reason = describe(*probeError);
    }
    return view;
}

} // namespace switchyard
