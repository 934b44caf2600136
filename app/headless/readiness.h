// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Have the sources of a live command answered? Pure.
#include "models/election/election_store.h"
#include "models/store/cluster_store.h"

namespace switchyard::headless {

struct ExpectedStream
{
    std::string context;
    Resource resource{};
    std::string ns; // "" = all
    bool operator==(const ExpectedStream &) const = default;
};

struct Readiness
{
    std::vector<std::string> unreadable;            // what the server refused, one line each
    std::vector<std::string> silent;                // has not answered up to now, one line each
    bool hopeful = false;                           // one of the silent ones may answer yet: nothing was heard, or it was only busy
    bool settled() const { return silent.empty(); } // each stream is listed, or refused for good
};

Readiness readiness(const std::vector<ExpectedStream> &expected, const std::vector<ContextState> &states);

// The same states, and those of the streams of Leases, which no cluster lives on.
std::vector<ContextState> withLeases(std::vector<ContextState> states, const std::vector<election::Source> &sources);

// No election among these waits for its first change, but those that tell no duration.
bool allVerified(const std::vector<const election::Election *> &elections);

// No lock among these clusters waits for its first change; what --wait waits for.
bool allLocksVerified(const std::vector<const patroni::Cluster *> &clusters);

} // namespace switchyard::headless
