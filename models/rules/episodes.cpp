// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/episodes.h"

#include "models/rules/lock_clock.h"

#include <algorithm>

namespace switchyard::rules {

using std::chrono::seconds;

std::optional<Duration> nearMiss(Duration interval, std::int64_t ttl, const patroni::DynamicConfig &config)
{
    if (interval <= lateAfter(config) || ttl < 0 || ttl > 1'000'000'000)
        return std::nullopt;
    const Duration left = std::max(Duration{}, seconds(ttl) - interval);
    return left < seconds(config.loopWait) ? std::optional(left) : std::nullopt;
}

bool manyLate(int late, int of)
{
    return late >= 3 && 2 * late >= of;
}

bool manyLateIsOver(int late, int of, int ofThen)
{
    return 2 * of >= ofThen && (4 * late < of || late == 0);
}

bool isAbandoned(Duration sinceItRanOut)
{
    return sinceItRanOut > abandonedAfter;
}

Duration silentAfter(const patroni::DynamicConfig &config)
{
    return seconds(3 * config.loopWait);
}

bool hasMoreToSay(const patroni::MemberRecord &member, const std::optional<Lsn> &optime)
{
    if (!optime || !member.reported || member.deleting || (member.pod.phase && *member.pod.phase != "Running"))
        return false;
    if (member.state != "running" && member.state != "streaming")
        return false;
    const auto position = std::max({member.xlogLocation, member.receiveLsn, member.replayLsn});
    return position && *position < *optime;
}

Duration disagreesAfter(const patroni::DynamicConfig &config)
{
    return seconds(2 * config.loopWait);
}

} // namespace switchyard::rules
