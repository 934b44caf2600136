// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was derived of a cluster against what its members logged meanwhile.
#include "models/store/cluster_store.h"
#include "patroni_log.h"

namespace switchyard::test {

struct Derived
{
    const patroni::Cluster &cluster;
    const std::vector<Event> &events; // of all clusters
    Now now{};
    std::optional<Instant> since; // what came before does not count
};

// In words, empty: they agree. steps: what was done from outside, as tests/lab/scenario writes it.
// gapsCompared: counts those that both sides know.
std::vector<std::string> disagreements(const Derived &derived, const std::vector<LogLine> &log, const std::string &steps,
                                       std::size_t *gapsCompared = nullptr);

} // namespace switchyard::test
