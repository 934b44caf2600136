// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table as bytes. Pure.
//   table   aligned text for people; unknown is "-"; control characters are shown as \x1b, so a cell cannot command a terminal
//   json    one array of flat objects; unknown is null
//   ndjson  one object a line
//   csv     RFC 4180: CRLF, quoted where needed, doubled quotes; unknown is an empty cell
//   tsv     tab, line feed, carriage return and backslash as \t \n \r \\; unknown is an empty cell
//   md      a Markdown table; unknown is "-"
//   xlsx    a workbook; only app/export writes it
// In csv and tsv, text that a spreadsheet would take for a formula begins with '; numbers stay as they are.
#include "models/core/table.h"

#include <string_view>

namespace switchyard::tables {

enum class Format { Table, Json, Ndjson, Csv, Tsv, Md, Xlsx };
std::string_view code(Format f); // table json ndjson csv tsv md xlsx
std::optional<Format> formatFromCode(std::string_view text);

std::string format(const Table &table, Format f); // empty for xlsx

// Output row by row: what comes before the rows, each row (index: how many came before it), what comes after so many. Not table and xlsx.
std::string tableHead(const std::vector<Column> &columns, Format f);
std::string tableLine(const std::vector<Column> &columns, const Row &row, Format f, std::size_t index);
std::string tableFoot(Format f, std::size_t rows);

// For output without an end: only ndjson, csv and tsv can. The header (empty for ndjson), then each row, with line ends.
bool canStream(Format f);
std::string streamHeader(const std::vector<Column> &columns, Format f);
std::string streamRow(const std::vector<Column> &columns, const Row &row, Format f);

// One cell as text, nullopt when unknown: numbers in full, times in UTC with microseconds and Z, booleans true and false.
std::optional<std::string> cellText(const Cell &cell);

} // namespace switchyard::tables
