// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Second way into a list that does not parse as a whole (a number no type can hold, a broken escape): cut it into its items by
// brackets and strings alone, so that only the bad item is lost.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard {

struct SplitList
{
    std::string rest;                    // the list with an empty "items"
    std::vector<std::string_view> items; // parts of the given text
};

// nullopt: brackets do not balance (a list cut off is never taken for a shorter list), or no top-level "items" array.
std::optional<SplitList> splitList(std::string_view json);

// Text of an object's member, the last one of that name; empty: there is none.
std::string_view memberText(std::string_view object, std::string_view key);

} // namespace switchyard
