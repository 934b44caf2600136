// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/patroni/cluster.h"

#include <algorithm>

namespace switchyard::patroni {

// nullptr: no member of that name is seen.
inline const Member *findMember(const Cluster &cluster, const std::string &name)
{
    const auto found = std::find_if(cluster.members.begin(), cluster.members.end(),
                                    [&](const Member &member) { return member.record.name == name; });
    return found == cluster.members.end() ? nullptr : &*found;
}

} // namespace switchyard::patroni
