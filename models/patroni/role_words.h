// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace switchyard::patroni {

// What Patroni (2.0 - 4.1) writes as role, and the words its users configure for the role label instead.
inline bool isRoleWord(std::string_view word)
{
    static constexpr std::array<std::string_view, 13> words = {
        "master",        "primary", "replica",  "standby_leader", "standby-leader", "demoted",      "promoted",
        "uninitialized", "leader",  "follower", "standby",        "secondary",      "sync_standby",
    };
    return std::find(words.begin(), words.end(), word) != words.end();
}

// How much a label key looks like a role label: 2 its last part is "role", 1 it ends in it, 0 not at all.
inline int roleKeyRank(std::string_view key)
{
    const auto slash = key.rfind('/');
    const auto tail = slash == std::string_view::npos ? key : key.substr(slash + 1);
    if (tail == "role")
        return 2;
    return tail.ends_with("-role") || tail.ends_with("_role") || tail.ends_with(".role") ? 1 : 0;
}

} // namespace switchyard::patroni
