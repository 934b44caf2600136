// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What tells one record from the others of its kind, by which a row that is shown is found again among all that are known.
#include "models/election/election.h"
#include "models/events/event.h"

namespace switchyard {

struct RecordKey
{
    patroni::ClusterKey cluster; // of an election, or of what befell a whole context: only the context and namespace
    std::string id;              // among the records of that kind; empty: the cluster itself
    auto operator<=>(const RecordKey &) const = default;
    bool operator==(const RecordKey &) const = default;
};

RecordKey recordKey(const patroni::ClusterKey &cluster);
RecordKey recordKey(const patroni::ClusterKey &of, const patroni::Member &member);
RecordKey recordKey(const patroni::ClusterKey &of, const patroni::HistoryEntry &entry);
RecordKey recordKey(const patroni::ClusterKey &of, const patroni::RequestReport &report);
RecordKey recordKey(const Event &event);
RecordKey recordKey(const election::Key &election);
// A transition by its id, or by its place in the log where it has none.
std::string transitionId(const patroni::Cluster &cluster, std::size_t index);
RecordKey transitionKey(const patroni::Cluster &cluster, std::size_t index);

} // namespace switchyard
