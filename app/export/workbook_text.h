// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a cell of a workbook can hold. Pure.
#include "models/core/table.h"

#include <string_view>

namespace switchyard::exports {

struct CellText
{
    std::string text;
    bool cut = false; // it was longer than a cell holds, and says so at its end
};
// Valid for XML and read back as it is: control characters as \xNN, bytes that are not UTF-8 as U+FFFD, "_x0041_" not taken for a character.
CellText workbookText(std::string_view text);

// A number that a spreadsheet keeps exactly (up to 2^53).
bool keptExactly(std::int64_t number);
bool keptExactly(std::uint64_t number);
// Days since 1899-12-30, as spreadsheets count; nullopt: before 1900-03-01 or after 9999.
std::optional<double> workbookDate(Instant t);
// A valid name of a sheet, the n-th of its title (from 1).
std::string sheetName(std::string_view title, int n);

} // namespace switchyard::exports
