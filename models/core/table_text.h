// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pieces of the formats: strings made safe for each of them, and the two layouts for people.
#include "models/core/table.h"

#include <string_view>

namespace switchyard::tables {

// In quotes and escaped; bytes that are not UTF-8 become U+FFFD.
std::string jsonString(std::string_view text);
std::string csvField(std::string_view text);
std::string tsvField(std::string_view text);
// Would a spreadsheet take the text for a formula? After = + - @ (also in full width), a tab or a line end, unless it is a plain number.
bool isFormula(std::string_view text);
// Then with ' before it.
std::string withoutFormula(std::string_view text);
// Within a line of Markdown: nothing of the text is taken for markup, control characters are shown as \xNN.
std::string markdownText(std::string_view text);
// Control characters (C0, DEL, C1) as \xNN.
std::string printable(std::string_view text);

std::string alignedTable(const Table &table);
std::string markdownHead(const std::vector<Column> &columns);
std::string markdownRow(const std::vector<Column> &columns, const Row &row);

} // namespace switchyard::tables
