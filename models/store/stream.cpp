// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/stream.h"

#include <algorithm>

namespace switchyard {

using patroni::Freshness;

namespace {

// Events that come so soon after a break are its backlog.
constexpr Duration backlog = std::chrono::seconds(1);

} // namespace

Stream::Stream(Resource resource, std::string ns)
{
    m_state.resource = resource;
    m_state.ns = std::move(ns);
}

void Stream::contact(Boot at)
{
    m_state.lastContact = std::max(m_state.lastContact.value_or(at), at);
}

void Stream::lost(const Error &error)
{
    const bool refused = error.kind == ErrorKind::Forbidden || error.kind == ErrorKind::Unauthorized;
    if (error.kind != ErrorKind::Gone) { // an expired version wants a new list, no more
        m_state.freshness = refused ? Freshness::Forbidden : Freshness::Stale;
        m_state.error = error;
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

void Stream::probeFailed()
{
    m_probeFailed = true;
    breakOff();
}

bool Stream::blind() const
{
    return m_probeFailed || m_state.freshness == Freshness::Stale || m_state.freshness == Freshness::Forbidden;
}

std::optional<Boot> Stream::listed(Boot at)
{
    const auto since = m_everListed ? m_provenAt : std::nullopt;
    m_everListed = m_state.listed = true;
    m_state.freshness = Freshness::Live;
    m_state.error.reset();
    m_gap = m_wantsList = false;
    m_resumedAt.reset();
    contact(at);
    return since;
}

std::optional<Boot> Stream::event(Boot at, bool bookmark)
{
    contact(at);
    if (m_gap && m_everListed && !m_wantsList) {
        m_gap = false;
        m_gapSince = m_provenAt;
        m_resumedAt = at;
        m_state.listed = true;
        m_state.freshness = Freshness::Live;
        m_state.error.reset();
    }
    const bool late = m_resumedAt && at - *m_resumedAt <= backlog && !bookmark;
    if (!late)
        m_resumedAt.reset();
    return late ? m_gapSince : std::nullopt;
}

void Stream::prove(Boot at)
{
    if (!m_gap && !m_resumedAt)
        m_provenAt = std::max(m_provenAt.value_or(at), at);
}

} // namespace switchyard
