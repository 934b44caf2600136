// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/renew_stats.h"

#include <algorithm>
#include <cmath>

namespace switchyard::views {

namespace {

// An expiry is seen when the next one takes the lock, or while it goes on.
QList<Instant> expiries(const patroni::Cluster &cluster, Now now)
{
    QList<Instant> all;
    for (const patroni::Transition &t : cluster.transitions) {
        const auto seen = t.gainedAt ? t.gainedAt : t.notAfter;
        const bool expired = std::any_of(t.evidence.begin(), t.evidence.end(),
                                         [](const patroni::Evidence &e) { return e.code == patroni::EvidenceCode::Expired; });
        if (t.fromLive && expired && seen)
            all.append(*seen);
    }
    if (cluster.lock.state == patroni::LockState::Expired && cluster.lock.expiresAt)
        all.append(now.toWall(*cluster.lock.expiresAt));
    return all;
}

} // namespace

RenewData renewData(const patroni::Cluster &cluster, Now now)
{
    RenewData data;
    for (const auto &sample : cluster.renewals)
        data.points.append({now.toWall(sample.at), toSeconds(sample.interval)});
    if (cluster.config && cluster.config->config.present)
        data.inTime = static_cast<double>(cluster.config->config.loopWait + cluster.config->config.retryTimeout);
    data.ttl = static_cast<double>(cluster.lock.ttl);
    const bool counting = cluster.view.freshness == patroni::Freshness::Live
        && (cluster.lock.state == patroni::LockState::Held || cluster.lock.state == patroni::LockState::Expired);
    if (counting && cluster.lock.changedNotAfter)
        data.open = toSeconds(now.boot - *cluster.lock.changedNotAfter);
    data.ranOut = expiries(cluster, now);
    data.now = now.wall;
    return data;
}

QList<QList<RenewPoint>> unbroken(const QList<RenewPoint> &points)
{
    QList<QList<RenewPoint>> runs;
    for (const RenewPoint &p : points) {
        const bool follows = !runs.isEmpty() && toSeconds(p.at - runs.last().last().at) < p.seconds + 1;
        if (!follows)
            runs.append(QList<RenewPoint>{});
        runs.last().append(p);
    }
    return runs;
}

RenewStats renewStats(const RenewData &data, const TimeRange &range)
{
    std::vector<double> seconds;
    RenewStats stats;
    stats.ranOut = std::count_if(data.ranOut.begin(), data.ranOut.end(), [&](Instant t) { return t >= range.from && t <= range.to; });
    for (const RenewPoint &p : data.points) {
        if (p.at < range.from || p.at > range.to)
            continue;
        seconds.push_back(p.seconds);
        stats.late += data.inTime && p.seconds > *data.inTime ? 1 : 0;
    }
    stats.count = static_cast<qsizetype>(seconds.size());
    if (seconds.empty())
        return stats;
    std::sort(seconds.begin(), seconds.end());
    const auto rank = [&](double share) { // the smallest that so many do not exceed
        const double position = std::ceil(share * static_cast<double>(seconds.size()));
        return seconds[static_cast<std::size_t>(std::max(1.0, position)) - 1];
    };
    stats.median = rank(0.5);
    stats.p95 = rank(0.95);
    stats.longest = seconds.back();
    return stats;
}

QList<RenewMinute> minutesBeside(const QList<RenewPoint> &points, const QList<RenewMinute> &kept)
{
    QList<RenewMinute> beside;
    beside.reserve(kept.size());
    auto point = points.begin();
    for (const RenewMinute &minute : kept) {
        while (point != points.end() && point->at < minute.from)
            ++point;
        if (point == points.end() || point->at >= minute.to())
            beside.append(minute);
    }
    return beside.size() == kept.size() ? kept : beside; // the same list: who keeps what was made of it, sees that
}

QList<RenewMinute> minutesIn(const QList<RenewMinute> &minutes, const TimeRange &range)
{
    const auto first = std::partition_point(minutes.begin(), minutes.end(), [&](const RenewMinute &m) { return m.to() <= range.from; });
    const auto end = std::partition_point(first, minutes.end(), [&](const RenewMinute &m) { return m.from <= range.to; });
    return minutes.mid(first - minutes.begin(), end - first);
}

MinuteStats minuteStats(const RenewData &data, const TimeRange &range)
{
    MinuteStats stats;
    double sum = 0;
    for (const RenewMinute &minute : minutesIn(data.minutes, range)) {
        const double longest = toSeconds(minute.longest);
        ++stats.minutes;
        stats.count += minute.count;
        stats.late += data.inTime && longest > *data.inTime ? 1 : 0;
        stats.longest = std::max(stats.longest.value_or(0), longest);
        sum += toSeconds(minute.mean) * static_cast<double>(minute.count);
    }
    if (stats.count > 0)
        stats.mean = sum / static_cast<double>(stats.count);
    return stats;
}

QList<MinuteBar> minuteBars(const QList<RenewMinute> &minutes, const TimeRange &range, int columns)
{
    const double width = toSeconds(range.length()) / std::max(1, columns);
    const auto columnOf = [&](const RenewMinute &minute) { return std::floor(toSeconds(minute.from - range.from) / width); };
    QList<MinuteBar> bars;
    std::int64_t count = 0; // of the last bar
    double column = 0;
    for (const RenewMinute &minute : minutesIn(minutes, range)) {
        const double mean = toSeconds(minute.mean), longest = toSeconds(minute.longest);
        if (bars.isEmpty() || columnOf(minute) != column) {
            bars.append({minute.from, minute.to(), mean, longest});
            column = columnOf(minute);
            count = minute.count;
            continue;
        }
        MinuteBar &bar = bars.last();
        const double all = static_cast<double>(count + minute.count);
        bar.mean = all > 0 ? (bar.mean * static_cast<double>(count) + mean * static_cast<double>(minute.count)) / all : bar.mean;
        bar.longest = std::max(bar.longest, longest);
        bar.to = minute.to();
        count += minute.count;
    }
    return bars;
}

} // namespace switchyard::views
