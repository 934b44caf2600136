// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/absurd_schedule.h"

namespace switchyard::rules {

std::string_view code(AbsurdSchedule absurd)
{
    return absurd == AbsurdSchedule::FarAhead ? "far-ahead" : "long-past";
}

std::optional<AbsurdSchedule> absurdSchedule(const patroni::Cluster &cluster, Instant wall)
{
    const auto &request = cluster.failover;
    // One that names nobody is ignored, and one without an offset is thrown away in the next loop.
    if (!request || !request->pending() || request->schedule != patroni::FailoverRequest::Schedule::Valid || !request->scheduledAt)
        return std::nullopt;
    const Duration ahead = *request->scheduledAt - wall;
    if (ahead > farAhead)
        return AbsurdSchedule::FarAhead;
    return -ahead > longPast ? std::optional(AbsurdSchedule::LongPast) : std::nullopt;
}

} // namespace switchyard::rules
