// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who led when: the stored timeline history merged with what was seen of the lock.
//
// The history alone knows no lock moves without a new timeline and no causes; our eyes alone know nothing from before we looked.
// One entry of either joins one of the other when the same member took the lock shortly before the new timeline began (both times
// by that member's own clock).
#include "models/patroni/cluster.h"

namespace switchyard {

// One taking of the lock that was seen.
struct SeenTransition
{
    patroni::Transition transition;
    std::optional<Instant> takeTime; // by the new leader's clock: acquireTime, or renewTime of the renewal that re-took it
    // When the lock was lost: released; or, when it expired, last seen to be renewed. nullopt: not seen.
    std::optional<Boot> lostAt;
};

class TransitionLog
{
public:
    void add(SeenTransition seen);
    std::vector<patroni::Transition> merged(const std::vector<patroni::HistoryEntry> &history) const;

private:
    std::vector<SeenTransition> m_seen; // oldest first, bounded
};

} // namespace switchyard
