// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Do the lock, the Pods' role labels and the Endpoints' address name the same member?
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// Members whose role label says that they lead.
std::vector<std::string> leaderLabels(const patroni::Cluster &cluster);
// What disagrees with the holder of the lock: "holder" (no such Pod), "label", "address". Empty without a holder.
std::vector<std::string> leaderDisagreements(const patroni::Cluster &cluster);

} // namespace switchyard::rules
