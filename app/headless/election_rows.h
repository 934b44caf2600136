// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of elections: one for each, and one for each change of a holder that was seen. Pure.
#include "app/headless/tables.h"

namespace switchyard::headless {

bool isChosen(const election::Key &key, const std::vector<ClusterSelector> &selectors); // NS/NAME
bool isChosen(const Event &event, const std::vector<ClusterSelector> &selectors);       // of a cluster, or of an election
bool namesElections(Command command);                                                   // --cluster chooses elections, too

// Those of `elections` that the filters let through and the locks of the clusters, by key.
void addElectionRows(KeyedTable &to, std::span<const election::Election *const> elections,
                     const std::vector<const patroni::Cluster *> &clusters, Now now, const Filters &filters);
// As rows of Transitions: `mode` is the election's kind, `scope` its name. Of elections that are gone, or in an archive, the events tell.
std::vector<Row> holderRows(std::span<const election::Election *const> elections, std::span<const Event> events, Now now,
                            const Filters &filters);

} // namespace switchyard::headless
