// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table of typed cells: what the command line prints, the window exports and the clipboard gets. An unknown value is std::monostate;
// "" says that there is known to be none.
#include "models/core/time.h"

#include <variant>
#include <vector>

namespace switchyard::tables {

enum class CellType { Text, Integer, Unsigned, Real, Boolean, Time };
struct Column
{
    std::string name;
    CellType type = CellType::Text;
    bool operator==(const Column &) const = default;
};
using Cell = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string, bool, Instant>;
using Row = std::vector<Cell>;

struct Table
{
    std::vector<Column> columns;
    std::vector<Row> rows;
    bool operator==(const Table &) const = default;
};

} // namespace switchyard::tables
