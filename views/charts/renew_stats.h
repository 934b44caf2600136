// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Renewals of the lock as values for their chart, and what they come to over a range of time.
#include "models/patroni/cluster.h"
#include "views/charts/time_range.h"

namespace switchyard::views {

struct RenewPoint
{
    Instant at{};
    double seconds = 0;
    bool operator==(const RenewPoint &) const = default;
};

struct RenewData
{
    QList<RenewPoint> points;     // oldest first
    std::optional<double> inTime; // loop_wait + retry_timeout; nullopt: unknown
    double ttl = 30;              // 0: unknown
    bool lease = false;           // of another election than Patroni's: the words for both differ
    std::optional<double> open;   // seconds since the last renewal, still counting; nullopt: not known, or nobody holds the lock
    Instant now{};
};
RenewData renewData(const patroni::Cluster &cluster, Now now);
// Points in a row without a break between them. After a break (another holder, a gap in our view) no line may suggest renewals in between.
QList<QList<RenewPoint>> unbroken(const QList<RenewPoint> &points);

struct RenewStats
{
    qsizetype count = 0;
    qsizetype late = 0;
    std::optional<double> median, p95, longest; // nullopt: no renewal
    bool operator==(const RenewStats &) const = default;
};
RenewStats renewStats(const RenewData &data, const TimeRange &range);

} // namespace switchyard::views
