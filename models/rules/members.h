// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Roles and lags as patronictl shows them (patroni/utils.py cluster_as_json, 2.x - 4.1), except that a missing optime gives
// "unknown" instead of 0.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// Reads names, leader, config, sync, lock, leaderName and timeline of `cluster`. Leader first, then by name. The caller fills in
// statusChangedAt and statusSeenAt.
std::vector<patroni::Member> memberViews(std::vector<patroni::MemberRecord> records, const patroni::Cluster &cluster);

} // namespace switchyard::rules
