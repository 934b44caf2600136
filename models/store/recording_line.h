// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The members of one JSON object as raw text, found by brackets and strings alone: a recording's line holds a whole API answer,
// which has its own decoder.
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace switchyard {

// nullopt: not a JSON object from end to end. Keys are taken as written, without unescaping.
std::optional<std::map<std::string, std::string_view, std::less<>>> membersOf(std::string_view json);

} // namespace switchyard
