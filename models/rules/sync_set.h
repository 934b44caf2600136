// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who counts as synchronous, for health and preflight.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// The mode is configured and in use: SCOPE-sync has a leader. Standby clusters have none (DynamicConfig says Off there).
bool syncIsActive(const patroni::Cluster &cluster);
// Nobody but perhaps the leader itself is listed.
bool syncSetIsEmpty(const patroni::Cluster &cluster);
// Names are compared without case since 3.0.3; the leader's version decides.
bool inSyncSet(const patroni::Cluster &cluster, const std::string &member);

} // namespace switchyard::rules
