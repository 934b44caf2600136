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
#include "app/headless/tables.h"

namespace switchyard::headless {

enum class Format { Table, Json, Ndjson, Csv, Tsv, Md };
std::string_view code(Format f); // table json ndjson csv tsv md
std::optional<Format> formatFromCode(std::string_view text);

std::string format(const Table &table, Format f);

// For output that grows row by row: only ndjson, csv and tsv can. The header (empty for ndjson), then each row, with line ends.
bool canStream(Format f);
std::string streamHeader(const std::vector<Column> &columns, Format f);
std::string streamRow(const std::vector<Column> &columns, const Row &row, Format f);

// One cell as text, nullopt when unknown: numbers in full, times in UTC with microseconds and Z, booleans true and false.
std::optional<std::string> cellText(const Cell &cell);

} // namespace switchyard::headless
