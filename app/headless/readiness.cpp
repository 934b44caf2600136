// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/readiness.h"

#include <algorithm>

namespace switchyard::headless {

namespace {

const StreamState *streamOf(const ExpectedStream &wanted, const std::vector<ContextState> &states)
{
    for (const ContextState &state : states) {
        if (state.context != wanted.context)
            continue;
        for (const StreamState &stream : state.streams) {
            if (stream.resource == wanted.resource && stream.ns == wanted.ns)
                return &stream;
        }
    }
    return nullptr;
}

// Asking again will not help without somebody changing rights or settings.
bool isFinal(const Error &error)
{
    switch (error.kind) {
    case ErrorKind::Forbidden:
    case ErrorKind::Unauthorized:
    case ErrorKind::NotFound:
    case ErrorKind::NotSupported:
    case ErrorKind::BadInput: return true;
    default: return false;
    }
}

bool isBusy(const Error &error)
{
    return error.kind == ErrorKind::Throttled || error.kind == ErrorKind::Server;
}

std::string nameOf(const ExpectedStream &stream)
{
    return stream.context + ": " + std::string(code(stream.resource)) + (stream.ns.empty() ? " of all namespaces" : " of " + stream.ns);
}

} // namespace

Readiness readiness(const std::vector<ExpectedStream> &expected, const std::vector<ContextState> &states)
{
    Readiness result;
    for (const ExpectedStream &wanted : expected) {
        const StreamState *stream = streamOf(wanted, states);
        if (stream && stream->listed && stream->freshness != patroni::Freshness::Stale)
            continue;
        if (stream && stream->error && isFinal(*stream->error))
            result.unreadable.push_back(wanted.context + ": " + describe(*stream->error));
        else {
            result.hopeful = result.hopeful || !stream || !stream->error || isBusy(*stream->error);
            result.silent.push_back(nameOf(wanted) + ": " + (stream && stream->error ? describe(*stream->error) : "no answer"));
        }
    }
    return result;
}

std::vector<ContextState> withLeases(std::vector<ContextState> states, const std::vector<election::Source> &sources)
{
    for (const election::Source &source : sources) {
        if (source.resource != Resource::Leases)
            continue;
        auto state = std::find_if(states.begin(), states.end(), [&](const ContextState &s) { return s.context == source.context; });
        if (state == states.end()) {
            state = states.emplace(states.end());
            state->context = source.context;
        }
        StreamState &stream = state->streams.emplace_back();
        stream.resource = source.resource;
        stream.ns = source.ns;
        stream.freshness = source.freshness;
        stream.listed = source.freshness == patroni::Freshness::Live;
        stream.error = source.error;
    }
    return states;
}

bool allVerified(const std::vector<const election::Election *> &elections)
{
    return std::none_of(elections.begin(), elections.end(),
                        [](const election::Election *e) { return e->state == election::State::Unverified && e->duration; });
}

bool allLocksVerified(const std::vector<const patroni::Cluster *> &clusters)
{
    return std::none_of(clusters.begin(), clusters.end(),
                        [](const patroni::Cluster *cluster) { return cluster->lock.state == patroni::LockState::Unverified; });
}

} // namespace switchyard::headless
