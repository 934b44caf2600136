// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One watch of a context as the store sees it: is it good, how far is it known to be current, which clusters wait on its clock.
//
//   connecting ─list─► live ─lost─► stale/forbidden ─list or event─► live
// After a break (lost, expired version, failed probe) whatever comes next happened somewhere since the stream was last current, and
// a backlog that comes at once proves nothing of the present.
#include "models/events/moment.h"
#include "models/store/cluster_store.h"

#include <utility>

namespace switchyard {

class ClusterTrack;

class Stream
{
public:
    Stream(Resource resource, std::string ns);

    const StreamState &state() const { return m_state; }
    bool everListed() const { return m_everListed; }
    bool covers(Resource resource, const std::string &ns) const
    {
        return m_state.resource == resource && (m_state.ns.empty() || m_state.ns == ns);
    }
    // Until then all objects are known to be as we have them.
    std::optional<Boot> provenAt() const { return m_provenAt; }

    void contact(Boot at);
    void lost(const Error &error);
    void breakOff();              // a gap without a loss: the version expired, a probe failed
    void clockJumped();           // stale until listed again
    void unreadable(bool ofList); // one item or line could not be read
    // Asked once a list: may what is missing from it be taken for deleted?
    bool listWasWhole() { return !std::exchange(m_itemsUnreadable, false); }
    void probeFailed();
    void heard() { m_probeFailed = false; } // any byte or good probe
    // Our own eyes are shut: locks are stale, time does not pass for them.
    bool blind() const;
    // Returns the gap that a list or event ends: since when we did not look.
    std::optional<Boot> listed(Boot at);
    std::optional<Boot> event(Boot at, bool bookmark);
    // Called once the changes of an observation are in: everything else is still as it was.
    void prove(Boot at);

    std::set<std::pair<Boot, ClusterTrack *>> deadlines;
    std::set<ClusterTrack *> unproven; // locks past their ttl that the next proof decides

private:
    StreamState m_state;
    bool m_everListed = false, m_gap = false, m_probeFailed = false, m_wantsList = false, m_itemsUnreadable = false;
    std::optional<Boot> m_provenAt;
    std::optional<Boot> m_gapSince, m_resumedAt;
};

} // namespace switchyard
