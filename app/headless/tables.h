// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows that the command line prints and the window exports: pure functions of what is known. Names of columns and their order are
// stable; every word in a cell is a code. An unknown value is std::monostate; "" says that there is known to be none.
#include "app/headless/selector.h"
#include "models/core/table.h"
#include "models/election/election_store.h"
#include "models/events/event.h"
#include "models/store/record_key.h"

#include <span>
#include <vector>

namespace switchyard::headless {

enum class Command { List, Members, History, Events, Requests, Transitions, Elections, Preflight, Dossier, Import };
std::string_view code(Command c); // list members history events requests transitions elections preflight dossier import
std::optional<Command> commandFromCode(std::string_view text);

using namespace tables; // Column, Cell, Row, Table

// since, until: on history, events, requests and transitions; a row whose time is unknown is not in any window.
struct Filters
{
    std::vector<ClusterSelector> clusters; // empty: all
    std::optional<Instant> since, until;
    bool allLeases = false; // also Leases that are no election: heartbeats of nodes, identities of API servers
    std::string mode{};     // what stands in the column "mode" of every row; empty: each cluster's own
    bool operator==(const Filters &) const = default;
};

std::vector<Column> columns(Command command);
// Not of Preflight, which asks for more: see preflight_table.h; Dossier and Import print none. Elections: those beside the clusters' own.
Table rows(Command command, const std::vector<const patroni::Cluster *> &clusters, std::span<const Event> events, Now now,
           const Filters &filters = {}, std::span<const election::Election *const> elections = {});

// The same, with the record that each row is of. Changes of holders, which stand among the transitions, share one.
struct KeyedTable
{
    Table table;
    std::vector<RecordKey> keys; // as many as there are rows
    void add(RecordKey key, Row row);
};
KeyedTable keyedRows(Command command, const std::vector<const patroni::Cluster *> &clusters, std::span<const Event> events, Now now,
                     const Filters &filters = {}, std::span<const election::Election *const> elections = {});

// The rows of the wanted records, in their order. Of equal keys, the first wanted is the first there is. What is not there is counted.
struct Picked
{
    Table table;
    std::size_t missing = 0;
};
Picked pick(KeyedTable all, std::span<const RecordKey> wanted);

// The moment for which what is said of a cluster holds: now while it is live, else the last contact; unknown when there was none.
std::optional<Instant> asOf(const patroni::Cluster &cluster, Now now);

} // namespace switchyard::headless
