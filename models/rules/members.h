// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Roles and lags as patronictl shows them (patroni/utils.py cluster_as_json, 2.x - 4.1), except that a missing optime gives
// "unknown" instead of 0.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// previous: members as last computed, to keep statusChangedAt / statusSeenAt; seen: when the present records were observed.
std::vector<patroni::Member> memberViews(const std::vector<patroni::MemberRecord> &records, const patroni::Cluster &cluster);

} // namespace switchyard::rules
