// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pieces of the formats: strings made safe for each of them, and the two layouts for people.
#include "app/headless/tables.h"

namespace switchyard::headless {

// In quotes and escaped; bytes that are not UTF-8 become U+FFFD.
std::string jsonString(std::string_view text);
std::string csvField(std::string_view text);
std::string tsvField(std::string_view text);
// Control characters (C0, DEL, C1) as \xNN.
std::string printable(std::string_view text);

std::string alignedTable(const Table &table);
std::string markdownTable(const Table &table);

} // namespace switchyard::headless
