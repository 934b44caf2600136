// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A pending request whose time can be read and is still nobody's intent: years ahead, or long past and not thrown away. It takes no cluster
// down, but it is not inert either (patroni/ha.py manual_failover_process_no_leader, 2.0 - 4.1): as long as it is there an unplanned failover
// prefers its candidate and does not look at the lag limit, and there is one place for a request only.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

enum class AbsurdSchedule {
    FarAhead, // far-ahead: more than a year
    LongPast, // long-past: more than a day; a leader throws away what is overdue by int(1.5 * loop_wait), so none has looked at it
};
std::string_view code(AbsurdSchedule absurd);
constexpr Duration farAhead = std::chrono::hours(24 * 366), longPast = std::chrono::hours(24);

// By our clock, and far beyond what clocks differ. nullopt: nothing is pending, or at a time that may be meant.
std::optional<AbsurdSchedule> absurdSchedule(const patroni::Cluster &cluster, Instant wall);
// In how long that changes by time alone; nullopt: not any more.
std::optional<Duration> absurdityChanges(const patroni::Cluster &cluster, Instant wall);

} // namespace switchyard::rules
