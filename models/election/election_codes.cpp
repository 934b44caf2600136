// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/election/election.h"

#include <array>

namespace switchyard::election {

std::string_view code(Kind k)
{
    switch (k) {
    case Kind::Leases: return "leases";
    case Kind::Endpoints: return "endpoints";
    case Kind::ConfigMaps: return "configmaps";
    case Kind::EndpointsLeases: return "endpointsleases";
    case Kind::ConfigMapsLeases: return "configmapsleases";
    case Kind::LeaderForLife: return "leader-for-life";
    case Kind::Patroni: return "patroni";
    }
    return "unknown";
}

std::optional<Kind> kindFromCode(std::string_view text)
{
    for (const Kind k : {Kind::Leases, Kind::Endpoints, Kind::ConfigMaps, Kind::EndpointsLeases, Kind::ConfigMapsLeases,
                         Kind::LeaderForLife, Kind::Patroni}) {
        if (code(k) == text)
            return k;
    }
    return {};
}

std::string_view code(State s)
{
    static constexpr std::array<std::string_view, stateCount> names{"held",        "late",           "expired",   "stuck",   "released",
                                                                    "unverified",  "stale",          "orphaned",  "evicted", "preempted",
                                                                    "terminating", "node-not-ready", "recreated", "invalid"};
    const auto index = static_cast<std::size_t>(s);
    return index < names.size() ? names.at(index) : "unknown";
}

bool leads(State s)
{
    return s == State::Held || s == State::Late || s == State::Terminating || s == State::NodeNotReady;
}

bool troubled(State s)
{
    return s != State::Held && s != State::Released && s != State::Unverified && s != State::Stale;
}

std::string_view code(ChangeKind k)
{
    switch (k) {
    case ChangeKind::FirstSeen: return "first-seen";
    case ChangeKind::TakenOver: return "taken-over";
    case ChangeKind::Released: return "released";
    case ChangeKind::Expired: return "expired";
    case ChangeKind::Retaken: return "retaken";
    case ChangeKind::Gone: return "gone";
    }
    return "unknown";
}

} // namespace switchyard::election
