// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/object.h"

#include <algorithm>

namespace switchyard {

std::string_view code(Resource r)
{
    switch (r) {
    case Resource::Endpoints: return "endpoints";
    case Resource::ConfigMaps: return "configmaps";
    case Resource::Pods: return "pods";
    case Resource::Leases: return "leases";
    case Resource::Events: return "events";
    case Resource::Nodes: return "nodes";
    }
    return "unknown";
}

std::optional<Resource> resourceFromCode(std::string_view text)
{
    for (const Resource r :
         {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods, Resource::Leases, Resource::Events, Resource::Nodes}) {
        if (code(r) == text)
            return r;
    }
    return {};
}

std::optional<std::strong_ordering> compareVersions(std::string_view a, std::string_view b)
{
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    };
    if (!isNumber(a) || !isNumber(b))
        return {};
    // Any number of digits: the longer one without leading zeros is the larger one.
    a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
    b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
    if (a.size() != b.size())
        return a.size() <=> b.size();
    return a.compare(b) <=> 0;
}

} // namespace switchyard
