// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/past.h"

#include "app/archive/each_row.h"

#include <algorithm>

namespace switchyard::archive {

using namespace std::chrono_literals;

namespace {

// A renewal that is kept stands for its minute; a lock that is late is still waited for.
constexpr Duration silence = 3min;

Event blindSpot(const patroni::ClusterKey &key, Instant from, Instant to)
{
    Event event;
    event.type = EventCode::BlindSpot;
    event.id = "not-watched/" + formatUtc(from);
    event.cluster = key;
    event.wall = to;
    event.notBefore = from;
    event.detail = {{"from", formatUtc(from)}, {"to", formatUtc(to)}};
    return event;
}

} // namespace

bool isSameIncarnation(const ClusterId &a, const ClusterId &b)
{
    return a.incarnation.empty() || b.incarnation.empty() || a.incarnation == b.incarnation;
}

RenewMinute minuteOf(const RenewRecord &record)
{
    return {record.minute, record.count, record.mean, record.longest};
}

bool addMinute(std::vector<RenewMinute> &to, const RenewMinute &minute)
{
    const auto at = std::partition_point(to.begin(), to.end(), [&](const RenewMinute &m) { return m.from < minute.from; });
    const bool known = at != to.end() && at->from == minute.from;
    if (!known)
        to.insert(at, minute);
    else if (minute.count >= at->count)
        *at = minute;
    return !known;
}

std::vector<std::pair<Instant, Instant>> unwatched(const Watched &watched)
{
    std::vector<Instant> signs = watched.signs;
    std::erase_if(signs, [&](Instant sign) { return sign >= watched.until; });
    if (signs.empty())
        return {};
    std::sort(signs.begin(), signs.end());
    signs.push_back(watched.until);
    std::vector<std::pair<Instant, Instant>> gaps;
    for (std::size_t i = 1; i < signs.size(); ++i) {
        if (signs[i] - signs[i - 1] > silence)
            gaps.emplace_back(signs[i - 1], signs[i]);
    }
    return gaps;
}

namespace {

Result<void> addTimelines(ArchiveReader &reader, std::int64_t row, const ClusterId &cluster, Past &to)
{
    Query query;
    query.newestFirst = false;
    query.clusters = {row};
    auto read = eachRow<TimelineRecord>(reader, &ArchiveReader::timelines, query, [&](TimelineRecord &record) {
        if (record.cluster.incarnation == cluster.incarnation)
            to.timelines.push_back(std::move(record.entry));
    });
    std::stable_sort(to.timelines.begin(), to.timelines.end(), [](const auto &a, const auto &b) { return a.timeline < b.timeline; });
    return read;
}

} // namespace

Result<Past> readPast(ArchiveReader &reader, const ClusterId &cluster, const patroni::ClusterKey &key, Instant since, Instant until)
{
    Past past;
    Watched watched{{}, until};
    const auto own = reader.rowOf(cluster);
    if (!own)
        return tl::unexpected(own.error());
    if (!*own)
        return past;
    Query query;
    query.newestFirst = false;
    query.clusters = {**own};
    query.since = since;
    query.until = until;
    const auto events = eachRow<EventRecord>(reader, &ArchiveReader::events, query, [&](EventRecord &row) {
        if (!isSameIncarnation(row.cluster, cluster) || row.event.wall >= until)
            return;
        row.event.cluster = key;
        watched.signs.push_back(row.event.wall);
        past.events.push_back(std::move(row.event));
    });
    if (!events)
        return tl::unexpected(events.error());
    query.until.reset();
    const auto renewals = eachRow<RenewRecord>(reader, &ArchiveReader::renewals, query, [&](const RenewRecord &row) {
        if (!isSameIncarnation(row.cluster, cluster))
            return;
        if (row.minute + 1min <= until) // in this run's first minute it is this run that looked
            watched.signs.insert(watched.signs.end(), {row.minute, row.minute + 1min});
        past.renewals.push_back(minuteOf(row));
    });
    if (!renewals)
        return tl::unexpected(renewals.error());
    if (const auto timelines = addTimelines(reader, **own, cluster, past); !timelines)
        return tl::unexpected(timelines.error());
    for (const auto &[from, to] : unwatched(watched))
        past.events.push_back(blindSpot(key, from, to));
    std::stable_sort(past.events.begin(), past.events.end(), [](const Event &a, const Event &b) { return a.wall < b.wall; });
    if (!watched.signs.empty())
        past.lookedSince = *std::min_element(watched.signs.begin(), watched.signs.end());
    return past;
}

} // namespace switchyard::archive
