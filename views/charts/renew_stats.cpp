// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/renew_stats.h"

#include <algorithm>
#include <cmath>

namespace switchyard::views {

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

} // namespace switchyard::views
