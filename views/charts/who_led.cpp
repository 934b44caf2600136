// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/who_led.h"

#include "models/items/history_model.h"

#include <algorithm>

namespace switchyard::views {

using namespace std::chrono_literals;

namespace {

// Until when the last span is known to go on: now, or the moment from which the lock was known to be gone or our view is old.
Instant knownUntil(const patroni::Cluster &cluster, Now now)
{
    if (cluster.view.freshness != patroni::Freshness::Live && cluster.view.lastContact)
        return now.toWall(*cluster.view.lastContact);
    const auto &lock = cluster.lock;
    if (lock.state == patroni::LockState::Expired && lock.expiresAt)
        return std::min(now.wall, now.toWall(*lock.expiresAt));
    return now.wall;
}

std::vector<LedSpan> historySpans(const patroni::Cluster &cluster, Now now)
{
    std::vector<LedSpan> spans;
    const Instant end = knownUntil(cluster, now);
    for (const auto &s : items::timelineSpans(cluster)) {
        const auto to = s.current ? std::optional(end) : s.to;
        if (!to)
            continue; // no time at all: nothing that could be drawn
        LedSpan span{s.leader, s.from.value_or(*to), *to, s.timeline, !s.from, s.current && cluster.leaderName.has_value()};
        if (s.current && !s.from && s.leader)
            span.from = cluster.leaderSince ? now.toWall(*cluster.leaderSince) : *to;
        if (span.from <= span.to)
            spans.push_back(std::move(span));
    }
    return spans;
}

// A span that covers a lock move seen live without a new timeline is cut there.
void cutAt(std::vector<LedSpan> &spans, const patroni::Transition &t)
{
    if (t.timeline || !t.gainedAt || !t.to)
        return;
    const auto hit = std::find_if(spans.begin(), spans.end(), [&](const LedSpan &s) { return s.from < *t.gainedAt && *t.gainedAt < s.to; });
    if (hit == spans.end())
        return;
    LedSpan after = *hit;
    after.member = t.to;
    after.from = *t.gainedAt;
    after.openStart = false;
    hit->to = t.lostAt.value_or(*t.gainedAt);
    hit->current = false;
    if (t.from)
        hit->member = t.from;
    spans.insert(std::next(hit), std::move(after));
}

// The moment at which the old leader was seen to lose the lock is nearer to the truth than the end of its timeline.
void shorten(std::vector<LedSpan> &spans, const LedGap &gap)
{
    for (auto &span : spans) {
        if (span.from < gap.from && span.to > gap.from && span.to <= gap.to + 60s)
            span.to = gap.from;
        if (span.from >= gap.from && span.from < gap.to && span.to > gap.to)
            span.from = gap.to;
    }
}

std::vector<LedGap> gapsOf(const patroni::Cluster &cluster, Now now)
{
    std::vector<LedGap> gaps;
    for (const auto &t : cluster.transitions)
        if (t.lostAt && t.gainedAt && *t.lostAt < *t.gainedAt)
            gaps.push_back({*t.lostAt, *t.gainedAt, false});
    const bool gone = cluster.lock.state == patroni::LockState::Expired || cluster.lock.state == patroni::LockState::Released;
    if (!gone || cluster.view.freshness != patroni::Freshness::Live)
        return gaps;
    std::optional<Instant> since;
    if (const auto *request = cluster.pendingRequest(); request && request->releasedAt)
        since = now.toWall(*request->releasedAt);
    else if (cluster.lock.state == patroni::LockState::Expired && cluster.lock.expiresAt)
        since = now.toWall(*cluster.lock.expiresAt);
    else if (cluster.lock.changedNotAfter)
        since = now.toWall(*cluster.lock.changedNotAfter);
    if (since && *since < now.wall)
        gaps.push_back({*since, now.wall, true});
    return gaps;
}

std::vector<std::string> lanesOf(const patroni::Cluster &cluster, const std::vector<LedSpan> &spans)
{
    std::vector<std::string> lanes;
    for (const auto &m : cluster.members)
        lanes.push_back(m.record.name);
    std::sort(lanes.begin(), lanes.end()); // the picture must not reorder when the leader changes
    for (const auto &s : spans)
        if (s.member && std::find(lanes.begin(), lanes.end(), *s.member) == lanes.end())
            lanes.push_back(*s.member);
    return lanes;
}

} // namespace

WhoLed whoLed(const patroni::Cluster &cluster, Now now)
{
    WhoLed result;
    result.spans = historySpans(cluster, now);
    for (const auto &t : cluster.transitions)
        cutAt(result.spans, t);
    result.gaps = gapsOf(cluster, now);
    for (const auto &gap : result.gaps)
        shorten(result.spans, gap);
    result.lanes = lanesOf(cluster, result.spans);
    for (auto &s : result.spans) {
        s.current = s.current && s.member == cluster.leaderName;
        result.from = result.from ? std::min(*result.from, s.from) : s.from;
        result.to = result.to ? std::max(*result.to, s.to) : s.to;
    }
    if (result.to && cluster.view.freshness == patroni::Freshness::Live)
        result.to = std::max(*result.to, now.wall);
    return result;
}

} // namespace switchyard::views
