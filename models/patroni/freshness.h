// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/patroni/cluster.h"

namespace switchyard::patroni {

// How far what is shown of a cluster may be believed: of a live view, too, the lock may be out of sight.
inline Freshness freshnessOf(const Cluster &cluster)
{
    const bool live = cluster.view.freshness == Freshness::Live;
    return live && cluster.lock.state == LockState::Stale ? Freshness::Stale : cluster.view.freshness;
}

} // namespace switchyard::patroni
