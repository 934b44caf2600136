// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/absurd_schedule.h"

namespace switchyard::rules {

std::string_view code(AbsurdSchedule absurd)
{
    return absurd == AbsurdSchedule::FarAhead ? "far-ahead" : "long-past";
}

namespace {

// One that names nobody is ignored, and one without an offset is thrown away in the next loop.
std::optional<Duration> timeLeft(const patroni::Cluster &cluster, Instant wall)
{
    const auto &request = cluster.failover;
    if (!request || !request->pending() || request->schedule != patroni::FailoverRequest::Schedule::Valid || !request->scheduledAt)
        return std::nullopt;
    return *request->scheduledAt - wall;
}

} // namespace

std::optional<AbsurdSchedule> absurdSchedule(const patroni::Cluster &cluster, Instant wall)
{
    const auto ahead = timeLeft(cluster, wall);
    if (!ahead)
        return std::nullopt;
    if (*ahead > farAhead)
        return AbsurdSchedule::FarAhead;
    return -*ahead > longPast ? std::optional(AbsurdSchedule::LongPast) : std::nullopt;
}

std::optional<Duration> absurdityChanges(const patroni::Cluster &cluster, Instant wall)
{
    const auto ahead = timeLeft(cluster, wall);
    if (!ahead || -*ahead > longPast)
        return std::nullopt;
    const Duration tick(1);
    return *ahead > farAhead ? *ahead - farAhead : *ahead + longPast + tick;
}

} // namespace switchyard::rules
