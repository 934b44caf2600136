// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an export asks for: rows of a table as it shows them, or every field of something as the command line prints it.
#include "models/core/table.h"
#include "models/store/record_key.h"

#include <QString>

namespace switchyard::views {

struct ExportRequest
{
    enum class What { Clusters, Members, History, Events, Transitions, Requests, Audit, Elections } what{};
    std::vector<patroni::ClusterKey> clusters; // empty: all
    std::optional<tables::Table> table{};      // the rows themselves, as shown; then nothing above is asked for
    QString title{};                           // of a sheet
    QString format{};                          // csv tsv json ndjson md xlsx table
    QString file{};
    std::optional<std::vector<RecordKey>> records{}; // of `what`, exactly these in this order, whatever their clusters
};

} // namespace switchyard::views
