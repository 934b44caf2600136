// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Did the stored history only grow? Patroni rebuilds it from PostgreSQL's newest history file: a restore, a pg_rewind to a fork or a
// cluster that is made anew changes or shortens it, and lists that grew too long are cut by hand. patroni/ha.py update_cluster_history
// (2.0 - 4.1).
#include "models/patroni/records.h"

#include <string_view>

namespace switchyard {

struct HistoryChange
{
    enum class Kind {
        None,        // the same, longer, or with more said of an entry
        Trimmed,     // the oldest entries are gone
        Rewritten,   // others are gone or changed
        Reset,       // all are gone
        Incarnation, // the cluster was initialized anew: nothing of before is of this one
    } kind = Kind::None;
    std::vector<std::size_t> lost; // indexes of entries of before that are no longer told of, or without member or time
    bool operator==(const HistoryChange &) const = default;
};
std::string_view code(HistoryChange::Kind kind); // "" trimmed rewritten reset incarnation

// systemIds: of before and now, where known.
HistoryChange historyChange(const std::vector<patroni::HistoryEntry> &before, const std::vector<patroni::HistoryEntry> &now,
                            const std::optional<std::string> &systemBefore, const std::optional<std::string> &systemNow);

} // namespace switchyard
