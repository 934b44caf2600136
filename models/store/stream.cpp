// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/stream.h"

#include <algorithm>

namespace switchyard {

using patroni::Freshness;

namespace {

// A backlog ends when nothing came for so long, or, on a busy stream, after so long.
constexpr Duration quiet = std::chrono::seconds(2), longestBacklog = std::chrono::seconds(10);

// So far may a stream be behind without a silence that tells of it.
constexpr Duration unnoticed = std::chrono::seconds(3);

} // namespace

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

Stream::Stream(Resource resource, std::string ns)
{
    m_state.resource = resource;
    m_state.ns = std::move(ns);
}

void Stream::contact(Boot at)
{
    m_state.lastContact = std::max(m_state.lastContact.value_or(at), at);
}

void Stream::bytes(Boot at)
{
    contact(at);
    if (m_heardAt && at - *m_heardAt > unnoticed)
        m_silence = Gap{*m_heardAt, at};
    m_heardAt = std::max(m_heardAt.value_or(at), at);
}

void Stream::lost(const Error &error)
{
    const bool refused = error.kind == ErrorKind::Forbidden || error.kind == ErrorKind::Unauthorized;
    if (error.kind != ErrorKind::Gone) { // an expired version wants a new list, no more
        m_state.freshness = refused ? Freshness::Forbidden : Freshness::Stale;
        m_state.error = error;
        if (error.kind == ErrorKind::Forbidden)
            m_state.missing = patroni::MissingRight{m_state.resource, m_state.ns, error.verb};
    }
    breakOff();
}

void Stream::breakOff()
{
    m_gap = true;
    m_state.listed = false;
}

// An event that could not be read may have been any change; an item of a list is still there.
void Stream::unreadable(bool ofList)
{
    if (ofList)
        m_itemsUnreadable = true;
    else
        breakOff();
}

void Stream::clockJumped()
{
    breakOff();
    m_wantsList = true;
    if (m_state.freshness != Freshness::Live)
        return;
    m_state.freshness = Freshness::Stale;
    Error error;
    error.kind = ErrorKind::Unreachable;
    error.resource = code(m_state.resource);
    error.ns = m_state.ns;
    error.message = "the clocks jumped (the machine slept?)";
    m_state.error = error;
}

void Stream::probeFailed(const Error &error)
{
    m_probeError = error;
    breakOff();
}

StreamState Stream::shown() const
{
    StreamState state = m_state;
    if (m_probeError && state.freshness == Freshness::Live) {
        state.freshness = Freshness::Stale;
        state.error = m_probeError;
    }
    return state;
}

bool Stream::blind() const
{
    return m_probeError || m_state.freshness == Freshness::Stale || m_state.freshness == Freshness::Forbidden;
}

std::optional<Boot> Stream::listed(Boot at, const Listed &list, Boot asked)
{
    const auto since = m_everListed ? m_provenAt : std::nullopt;
    m_everListed = m_state.listed = true;
    m_state.freshness = Freshness::Live;
    m_state.error.reset();
    m_gap = m_wantsList = m_backlog = false;
    m_passed.reset();
    m_silence.reset();
    m_heardAt = asked; // what follows it may be as old as the list
    m_every = list.every;
    // Read by name: the list itself is still refused.
    m_state.named = !list.coverage.names.empty();
    if (m_state.named && m_coverage.names.empty())
        m_outsideProvenAt = m_provenAt;
    m_coverage = list.coverage;
    m_state.missing.reset();
    if (m_state.named)
        m_state.missing = patroni::MissingRight{m_state.resource, m_state.ns, "list"};
    contact(at);
    return since;
}

std::optional<Boot> Stream::event(Boot at)
{
    bytes(at);
    if (m_gap && m_everListed && !m_wantsList) {
        m_gap = false;
        m_backlog = true;
        m_passed = Gap{m_provenAt.value_or(at), at};
        m_state.listed = true;
        m_state.freshness = Freshness::Live;
        m_state.error.reset();
        if (!m_state.named)
            m_state.missing.reset();
    } else if (m_backlog && (at - *m_lastEvent > quiet || at - m_passed->resumed > longestBacklog)) {
        m_backlog = false;
    }
    m_lastEvent = at;
    if (!m_gap)
        m_toldUntil = at - unnoticed;
    return m_backlog ? std::optional(m_passed->since) : std::nullopt;
}

void Stream::reached(const std::string &version)
{
    const auto order = compareVersions(version, m_reached);
    if (m_reached.empty() || (order && *order > 0))
        m_reached = version;
}

bool Stream::wentBack(const std::string &version) const
{
    const auto order = compareVersions(version, m_reached);
    return order && *order < 0;
}

bool Stream::prove(Boot at)
{
    if (m_gap || m_backlog)
        return false;
    m_provenAt = std::max(m_provenAt.value_or(at), at);
    return true;
}

} // namespace switchyard
