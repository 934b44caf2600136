// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recordings of real clusters, and ways to play them that must not matter.
#include "models/store/recording.h"

#include <random>

namespace switchyard::test {

std::string readGzip(const std::string &path); // empty on error
std::vector<std::string> recordingFolders();   // below tests/data/recordings, sorted: "3.0.2-endpoints/stale"
std::string recordingPath(const std::string &folder, const std::string &file);

using Observations = std::vector<Observation>;

// All of one resource's lines are one stream.
std::vector<Observations> streamsOf(const Observations &all);
Observations interleaved(const Observations &all, unsigned seed);         // any order that keeps each stream's own
Observations wholeStreams(const Observations &all, unsigned permutation); // one stream after the other
Observations jittered(const Observations &all, unsigned seed);            // times of streams moved against each other

// Feeds the store in exactly this order.
ClusterStore played(const Observations &observations);

// What must be the same however the streams were mixed: one line a fact.
std::vector<std::string> requestFacts(const patroni::Cluster &cluster);
std::vector<std::string> transitionFacts(const patroni::Cluster &cluster);
std::multiset<std::string> eventFacts(const ClusterStore &store);

} // namespace switchyard::test
