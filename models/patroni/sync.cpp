// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/decode_support.h"

namespace switchyard::patroni {

namespace {

// Names between commas, without blanks around them and without empty ones.
std::vector<std::string> splitNames(std::string_view text)
{
    std::vector<std::string> names;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        const auto first = part.find_first_not_of(" \t\r\n");
        if (first != std::string_view::npos)
            names.emplace_back(part.substr(first, part.find_last_not_of(" \t\r\n") - first + 1));
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return names;
}

} // namespace

SyncState decodeSync(const KubeObject &object, std::vector<Defect> &list)
{
    SyncState state;
    const auto leader = filledAnnotation(object, "leader");
    if (!leader)
        return state; // synchronous mode is not active: the rest means nothing
    if (const auto text = filledAnnotation(object, "quorum")) {
        state.quorum = parseInteger(*text);
        if (!state.quorum) {
            Defects(list, object.name).add("quorum", "not an integer");
            state.unreadable = true;
            return state;
        }
    }
    state.leader = leader;
    state.standbys = splitNames(filledAnnotation(object, "sync_standby").value_or(""));
    return state;
}

} // namespace switchyard::patroni
