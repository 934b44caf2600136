// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows from a source into a file, a batch at a time: memory does not grow with their number (except for the aligned text table, whose
// widths depend on every row). The file is written whole or not at all.
//
// In xlsx: text is always a text cell, so that nothing is calculated, and what reads as a formula has the format "text", so that it stays
// text when the cell is edited; times are dates in UTC; LSNs and integers beyond 2^53 are text,
// because a spreadsheet keeps 15 digits; what does not fit on one sheet goes on on further ones; text that is longer than a cell holds is
// cut and says so.
#include "models/core/error.h"
#include "models/core/table_formats.h"

#include <QString>

#include <functional>

namespace switchyard::exports {

struct Order
{
    QString file;
    tables::Format format = tables::Format::Csv;
    std::vector<tables::Column> columns;
    QString title{};                         // of a sheet
    std::uint32_t rowsOnASheet = 1'048'575u; // below the heading
};

// The next rows; none: that was all. Called where the file is written.
using RowSource = std::function<Result<std::vector<tables::Row>>()>;
RowSource rowsOf(std::vector<tables::Row> rows);

struct Summary
{
    std::uint64_t rows = 0;
    std::uint64_t cutTexts = 0; // xlsx: texts that were longer than a cell holds
    int sheets = 0;             // xlsx
    bool cancelled = false;     // nothing was written
    bool operator==(const Summary &) const = default;
};

// Asked after each batch with the rows written so far; false: stop and leave nothing.
using Progress = std::function<bool(std::uint64_t rows)>;

Result<Summary> exportRows(const Order &order, const RowSource &source, const Progress &goOn = {});

} // namespace switchyard::exports
