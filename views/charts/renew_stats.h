// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Renewals of the lock as values for their chart, and what they come to over a range of time. Beside those seen one by one, what an
// archive kept of others: how many a minute, their mean and the longest. Of such, nothing is known of half or 95 % of them.
#include "models/core/renew_minute.h"
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
    QList<RenewMinute> minutes{}; // archived, oldest first; none in which a point lies
    std::optional<double> inTime; // loop_wait + retry_timeout; nullopt: unknown
    double ttl = 30;              // 0: unknown
    bool lease = false;           // of another election than Patroni's: the words for both differ
    std::optional<double> open;   // seconds since the last renewal, still counting; nullopt: not known, or nobody holds the lock
    Instant now{};
    QList<Instant> ranOut{}; // when the lock had run out, not renewed: no interval tells of that
};
RenewData renewData(const patroni::Cluster &cluster, Now now);
// Points in a row without a break between them. After a break (another holder, a gap in our view) no line may suggest renewals in between.
QList<QList<RenewPoint>> unbroken(const QList<RenewPoint> &points);

struct RenewStats
{
    qsizetype count = 0;
    qsizetype late = 0;
    qsizetype ranOut = 0;                       // how often the lock ran out; not among those that are counted
    std::optional<double> median, p95, longest; // nullopt: no renewal
    bool operator==(const RenewStats &) const = default;
};
RenewStats renewStats(const RenewData &data, const TimeRange &range); // of those seen one by one

// What is kept, without the minutes of which single ones are known.
QList<RenewMinute> minutesBeside(const QList<RenewPoint> &points, const QList<RenewMinute> &kept);
// Those of which some part lies in the range.
QList<RenewMinute> minutesIn(const QList<RenewMinute> &minutes, const TimeRange &range);

struct MinuteStats
{
    qsizetype minutes = 0; // with a record; what was in the others is not known
    qint64 count = 0;
    qsizetype late = 0;                  // minutes whose longest was
    std::optional<double> mean, longest; // seconds; nullopt: no renewal
    bool operator==(const MinuteStats &) const = default;
};
MinuteStats minuteStats(const RenewData &data, const TimeRange &range);

// Minutes that share a pixel column are drawn as one.
struct MinuteBar
{
    Instant from{}, to{};
    double mean = 0, longest = 0; // seconds
    bool operator==(const MinuteBar &) const = default;
};
QList<MinuteBar> minuteBars(const QList<RenewMinute> &minutes, const TimeRange &range, int columns);

} // namespace switchyard::views
