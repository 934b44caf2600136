// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/tables.h"

#include "app/headless/election_rows.h"
#include "models/events/transition_text.h"
#include "models/patroni/freshness.h"

#include <algorithm>
#include <numeric>

namespace switchyard::headless {

namespace {

using patroni::Cluster;
using patroni::LockState;

Cell text(const std::optional<std::string> &value)
{
    return value ? Cell(*value) : Cell();
}

Cell textOrUnknown(const std::string &value)
{
    return value.empty() ? Cell() : Cell(value);
}

template<class Code>
Cell word(Code c)
{
    return std::string(code(c));
}

template<class T>
Cell value(const std::optional<T> &v)
{
    return v ? Cell(*v) : Cell();
}

Cell number(std::int64_t n)
{
    return n;
}

Cell wall(const std::optional<Boot> &at, Now now)
{
    return at ? Cell(now.toWall(*at)) : Cell();
}

// The wall clock as it was then, else as it would be by today's reading of both clocks.
Cell wall(const std::optional<Instant> &then, const std::optional<Boot> &at, Now now)
{
    return then ? Cell(*then) : wall(at, now);
}

// What has happened was known afterwards, whichever of the streams is silent. Another clock's time may be ahead of ours.
using Times = std::initializer_list<std::optional<Instant>>;
std::optional<Instant> asOfAll(const Cluster &cluster, Now now, Times told)
{
    std::optional<Instant> moment = asOf(cluster, now);
    for (const auto &at : told) {
        if (moment && at)
            moment = std::max(*moment, std::min(*at, now.wall));
    }
    return moment;
}

// told: the times of what a row tells.
Row head(const Cluster &cluster, Now now, Times told = {})
{
    const patroni::ClusterKey &key = cluster.names.key;
    return {key.context,
            key.ns,
            key.scope,
            key.group ? number(*key.group) : Cell(),
            word(cluster.names.mode),
            value(asOfAll(cluster, now, told))};
}

Row joined(Row row, std::initializer_list<Cell> cells)
{
    row.insert(row.end(), cells.begin(), cells.end());
    return row;
}

template<class Range, class Text>
std::string commaJoined(const Range &range, Text textOf)
{
    std::string all;
    for (const auto &item : range)
        all += (all.empty() ? "" : ",") + std::string(textOf(item));
    return all;
}

// ---- list --------------------------------------------------------------------------------------------------------------------

// Seconds since the record was last seen to change; unknown before a first change, and while our own connection is the silent one.
Cell lockAge(const Cluster &cluster, Now now)
{
    const patroni::LockView &lock = cluster.lock;
    const bool known = lock.state == LockState::Held || lock.state == LockState::Expired || lock.state == LockState::Released;
    if (!known || !lock.changedNotAfter)
        return {};
    return std::max(0.0, toSeconds(now.boot - *lock.changedNotAfter));
}

Cell syncWord(const Cluster &cluster)
{
    if (!cluster.config || !cluster.config->config.present)
        return {};
    switch (cluster.config->config.syncMode) {
    case patroni::SyncMode::Off: return std::string("off");
    case patroni::SyncMode::On: return std::string("on");
    case patroni::SyncMode::Quorum: return std::string("quorum");
    }
    return {};
}

// "" : nothing is pending. Unknown while the view is not live: a request may have come meanwhile.
Cell requestWord(const Cluster &cluster)
{
    if (const patroni::RequestReport *pending = cluster.pendingRequest())
        return word(pending->outcome);
    if (cluster.failover && cluster.failover->pending())
        return word(patroni::Outcome::Pending);
    return cluster.view.freshness == patroni::Freshness::Live ? Cell(std::string()) : Cell();
}

Row listRow(const Cluster &cluster, Now now)
{
    const bool noRecord = cluster.lock.state == LockState::Absent;
    const bool noHolder = noRecord || cluster.lock.state == LockState::Released;
    // Without a live view no Pod seen is not the same as no Pod there.
    const bool membersKnown = !cluster.members.empty() || cluster.view.freshness == patroni::Freshness::Live;
    const bool configured = cluster.config && cluster.config->config.present;
    return joined(head(cluster, now),
                  {word(cluster.health.health),
                   commaJoined(cluster.health.reasons, [](const patroni::Reason &reason) { return code(reason.code); }),
                   text(cluster.leaderName), word(cluster.lock.state), noRecord ? Cell() : number(cluster.lock.ttl), lockAge(cluster, now),
                   noHolder ? Cell() : value(cluster.lock.acquireTime), value(cluster.timeline),
                   membersKnown ? number(static_cast<std::int64_t>(cluster.members.size())) : Cell(),
                   membersKnown ? number(cluster.membersUp()) : Cell(),
                   patroni::freshnessOf(cluster) == patroni::Freshness::Stale ? Cell() : value(cluster.worstLag()), syncWord(cluster),
                   configured ? Cell(cluster.config->config.paused) : Cell(), requestWord(cluster), text(cluster.systemId)});
}

// ---- the other rows of a cluster ---------------------------------------------------------------------------------------------

// Who led when it was last seen may not lead now: as "leader" in a list.
Cell roleWord(const Cluster &cluster, const patroni::Member &member)
{
    const bool leads = member.role == patroni::Role::Leader || member.role == patroni::Role::StandbyLeader;
    const bool known = member.role != patroni::Role::Unknown && (!leads || cluster.leaderName == member.record.name);
    return known ? word(member.role) : Cell();
}

Row memberRow(const Cluster &cluster, const patroni::Member &member, Now now)
{
    const patroni::MemberRecord &record = member.record;
    const bool stale = patroni::freshnessOf(cluster) == patroni::Freshness::Stale;
    const auto lag = [&](const std::optional<std::uint64_t> &bytes) { return stale ? Cell() : value(bytes); };
    const auto tag = [](const auto &pair) { return pair.first + '=' + pair.second; };
    const auto changed = member.statusChangedAt ? std::optional(now.toWall(*member.statusChangedAt)) : std::nullopt;
    return joined(head(cluster, now, {changed}),
                  {record.name, roleWord(cluster, member), text(member.shownState), value(record.timeline), value(member.lsn),
                   lag(member.lag), lag(member.receiveLag), lag(member.replayLag),
                   record.reported ? Cell(commaJoined(record.tags, tag)) : Cell(), record.reported ? Cell(record.pendingRestart) : Cell(),
                   text(record.version), value(changed), word(patroni::freshnessOf(cluster))});
}

Row historyRow(const Cluster &cluster, const patroni::HistoryEntry &entry, Now now)
{
    return joined(head(cluster, now),
                  {entry.timeline, entry.lsn, formatLsn(entry.lsn), entry.reason, value(entry.endedAt), text(entry.newLeader)});
}

// A schedule's own time is exact; what was seen carries how our two clocks were read.
Cell dueTime(const patroni::RequestReport &report, Now now)
{
    if (report.request.scheduledAt)
        return *report.request.scheduledAt;
    return report.dueAt == report.seenAt && report.seenWall ? Cell(*report.seenWall) : wall(report.dueAt, now);
}

Row requestRow(const Cluster &cluster, const patroni::RequestReport &report, Now now)
{
    const patroni::FailoverRequest &request = report.request;
    return joined(head(cluster, now, {report.seenWall, report.releasedWall, report.heldBack ? std::nullopt : report.decidedWall}),
                  {wall(report.seenWall, report.seenAt, now), word(report.kind), text(request.leader), text(request.member),
                   value(request.scheduledAt), text(request.scheduledAtRaw), word(report.outcome),
                   report.reason && !report.heldBack ? word(*report.reason) : Cell(), report.certain, patroni::isFinal(report.outcome),
                   word(report.step), dueTime(report, now), wall(report.releasedWall, report.releasedAt, now),
                   report.heldBack ? Cell() : wall(report.decidedWall, report.decidedAt, now), text(report.newLeader),
                   value(report.newTimeline)});
}

Row transitionRow(const Cluster &cluster, const patroni::Transition &t, Now now)
{
    const auto since = [&](const std::optional<Instant> &at) { return at && t.gainedAt ? Cell(toSeconds(*at - *t.gainedAt)) : Cell(); };
    return joined(head(cluster, now, {t.lostAt, t.gainedAt, t.notAfter}),
                  {word(t.kind),
                   text(t.from),
                   text(t.to),
                   value(t.timeline),
                   value(t.lsn),
                   value(t.lostAt),
                   value(t.gainedAt),
                   t.gap ? Cell(toSeconds(*t.gap)) : Cell(),
                   value(t.notBefore),
                   value(t.notAfter),
                   sourcesText(t),
                   t.id,
                   value(t.timelineBefore),
                   t.gapUncertainty ? Cell(toSeconds(*t.gapUncertainty)) : Cell(),
                   since(t.writableAt),
                   since(t.streamingAt),
                   commaJoined(t.leftBehind, [](const std::string &s) { return s; }),
                   textOrUnknown(t.request),
                   textOrUnknown(erasedText(t)),
                   evidenceText(t)});
}

// ---- windows of time ---------------------------------------------------------------------------------------------------------

bool within(const std::optional<Instant> &first, const std::optional<Instant> &last, const Filters &filters)
{
    if (!filters.since && !filters.until)
        return true;
    if (!first || !last)
        return false;
    return (!filters.since || *last >= *filters.since) && (!filters.until || *first <= *filters.until);
}

bool within(const std::optional<Instant> &at, const Filters &filters)
{
    return within(at, at, filters);
}

// A transition that was not watched happened somewhere in an interval: it is shown when the interval touches the window.
bool within(const patroni::Transition &t, const Filters &filters)
{
    const auto at = t.gainedAt ? t.gainedAt : t.lostAt;
    if (at)
        return within(at, filters);
    return within(t.notBefore, t.notAfter, filters);
}

void addRows(KeyedTable &table, Command command, const Cluster &cluster, Now now, const Filters &filters)
{
    const patroni::ClusterKey &key = cluster.names.key;
    switch (command) {
    case Command::List: table.add(recordKey(key), listRow(cluster, now)); break;
    case Command::Members:
        for (const patroni::Member &member : cluster.members)
            table.add(recordKey(key, member), memberRow(cluster, member, now));
        break;
    case Command::History:
        if (!cluster.config)
            break;
        for (const patroni::HistoryEntry &entry : cluster.config->history.entries) {
            if (within(entry.endedAt, filters))
                table.add(recordKey(key, entry), historyRow(cluster, entry, now));
        }
        break;
    case Command::Requests:
        for (const patroni::RequestReport &report : cluster.requests) {
            const auto seen = report.seenWall || !report.seenAt ? report.seenWall : std::optional(now.toWall(*report.seenAt));
            if (within(seen, filters))
                table.add(recordKey(key, report), requestRow(cluster, report, now));
        }
        break;
    case Command::Transitions:
        for (std::size_t i = 0; i < cluster.transitions.size(); ++i) {
            if (within(cluster.transitions[i], filters))
                table.add(transitionKey(cluster, i), transitionRow(cluster, cluster.transitions[i], now));
        }
        break;
    case Command::Events:
    case Command::Elections:
    case Command::Preflight:
    case Command::Dossier:
    case Command::Import: break;
    }
}

// ---- events ------------------------------------------------------------------------------------------------------------------

Row eventRow(const Event &event, const Cluster *cluster, Now now)
{
    const patroni::ClusterKey &key = event.cluster;
    const auto election = event.detail.find("election"); // its kind, where it tells of one
    Row row{textOrUnknown(key.context),
            textOrUnknown(key.ns),
            textOrUnknown(key.scope),
            key.group ? number(*key.group) : Cell(),
            cluster                              ? word(cluster->names.mode)
                : election != event.detail.end() ? Cell(election->second)
                                                 : Cell(),
            cluster ? value(asOfAll(*cluster, now, {event.wall})) : Cell(now.wall)};
    return joined(std::move(row),
                  {event.wall, word(event.type), textOrUnknown(event.object), textOrUnknown(event.resourceVersion), detailText(event)});
}

bool happenedWithin(const Event &event, const Filters &filters)
{
    return within(event.notBefore ? event.notBefore : std::optional(event.wall), event.wall, filters);
}

} // namespace

std::optional<Instant> asOf(const Cluster &cluster, Now now)
{
    if (cluster.view.freshness == patroni::Freshness::Live)
        return now.wall;
    const auto last = cluster.view.staleSince ? cluster.view.staleSince : cluster.view.lastContact;
    return last ? std::optional(now.toWall(*last)) : std::nullopt;
}

void KeyedTable::add(RecordKey key, Row row)
{
    keys.push_back(std::move(key));
    table.rows.push_back(std::move(row));
}

static KeyedTable ownRows(Command command, const std::vector<const Cluster *> &clusters, std::span<const Event> events, Now now,
                          const Filters &filters, std::span<const election::Election *const> elections)
{
    KeyedTable all{{columns(command), {}}, {}};
    if (command == Command::Elections) {
        addElectionRows(all, elections, clusters, now, filters);
        return all;
    }
    if (command == Command::Events) {
        for (const Event &event : events) {
            if (!isChosen(event, filters.clusters) || !happenedWithin(event, filters))
                continue;
            const auto of = std::find_if(clusters.begin(), clusters.end(), [&](const Cluster *c) { return c->names.key == event.cluster; });
            all.add(recordKey(event), eventRow(event, of == clusters.end() ? nullptr : *of, now));
        }
        return all;
    }
    for (const Cluster *cluster : clusters) {
        if (matchesAny(filters.clusters, cluster->names.key))
            addRows(all, command, *cluster, now, filters);
    }
    if (command == Command::Transitions) {
        for (Row &row : holderRows(elections, events, now, filters))
            all.add({{}, "holder"}, std::move(row)); // no table shows them
    }
    return all;
}

KeyedTable keyedRows(Command command, const std::vector<const Cluster *> &clusters, std::span<const Event> events, Now now,
                     const Filters &filters, std::span<const election::Election *const> elections)
{
    constexpr std::size_t modeColumn = 4;
    KeyedTable all = ownRows(command, clusters, events, now, filters, elections);
    if (!filters.mode.empty()) {
        for (Row &row : all.table.rows)
            row[modeColumn] = filters.mode;
    }
    return all;
}

Table rows(Command command, const std::vector<const Cluster *> &clusters, std::span<const Event> events, Now now, const Filters &filters,
           std::span<const election::Election *const> elections)
{
    return keyedRows(command, clusters, events, now, filters, elections).table;
}

Picked pick(KeyedTable all, std::span<const RecordKey> wanted)
{
    std::vector<std::size_t> byKey(all.keys.size()); // rows in the order of their keys; equal ones as they come
    std::iota(byKey.begin(), byKey.end(), std::size_t(0));
    std::stable_sort(byKey.begin(), byKey.end(), [&](std::size_t a, std::size_t b) { return all.keys[a] < all.keys[b]; });
    std::vector<std::size_t> given(all.keys.size()); // at the first of equal keys: how many of them are used
    Picked picked{{std::move(all.table.columns), {}}, 0};
    picked.table.rows.reserve(wanted.size());
    for (const RecordKey &key : wanted) {
        const auto first = std::lower_bound(byKey.begin(), byKey.end(), key,
                                            [&](std::size_t row, const RecordKey &k) { return all.keys[row] < k; });
        const auto at = static_cast<std::size_t>(first - byKey.begin());
        const std::size_t next = at < byKey.size() ? at + given[at] : at;
        if (next < byKey.size() && all.keys[byKey[next]] == key) {
            ++given[at];
            picked.table.rows.push_back(std::move(all.table.rows[byKey[next]]));
        } else {
            ++picked.missing;
        }
    }
    return picked;
}

} // namespace switchyard::headless
