// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/election_rows.h"

#include "models/events/event_detail.h"

#include <algorithm>
#include <set>

namespace switchyard::headless {

namespace {

using election::ChangeKind;
using election::Election;
using election::HolderChange;
using election::State;

Cell text(const std::optional<std::string> &value)
{
    return value ? Cell(*value) : Cell();
}

template<class T>
Cell value(const std::optional<T> &v)
{
    return v ? Cell(*v) : Cell();
}

template<class Code>
Cell word(Code c)
{
    return std::string(code(c));
}

// What of our view is the silent part is as old as the last contact.
Cell asOf(const Election &e, Now now)
{
    if (e.freshness == patroni::Freshness::Live)
        return now.wall;
    return e.lastContact ? Cell(now.toWall(*e.lastContact)) : Cell();
}

Row head(const Election &e, const patroni::Cluster *cluster, Now now)
{
    const auto group = cluster && cluster->names.key.group ? Cell(std::int64_t{*cluster->names.key.group}) : Cell();
    return {
        e.key.context, e.key.ns, cluster ? cluster->names.key.scope : e.key.name, group, cluster ? word(cluster->names.mode) : word(e.kind),
        asOf(e, now)};
}

// Seconds since the record was last seen to change: by our clock, never by the times that stand in it.
Cell recordAge(const Election &e, Now now)
{
    const bool known = e.state == State::Held || e.state == State::Late || e.state == State::Expired || e.state == State::Stuck
        || e.state == State::Released;
    if (!known || e.kind == election::Kind::LeaderForLife || !e.changedNotAfter)
        return {};
    return std::max(0.0, toSeconds(now.boot - *e.changedNotAfter));
}

void put(std::map<std::string, std::string> &to, const char *key, const std::optional<std::string> &value)
{
    if (value && !value->empty())
        to[key] = *value;
}

void putPod(std::map<std::string, std::string> &to, const Election &e)
{
    if (!e.pod)
        return;
    put(to, "pod_phase", e.pod->phase);
    put(to, "pod_reason", e.pod->reason);
    put(to, "node", e.pod->nodeName);
    if (e.pod->ready)
        to["pod_ready"] = *e.pod->ready ? "true" : "false";
    if (e.pod->deleting)
        to["pod_deleting"] = "true";
}

// What stands beside the columns, as key=value.
std::string details(const Election &e)
{
    Event as;
    auto &to = as.detail;
    putPod(to, e);
    for (const election::Record &record : e.records) {
        put(to, "strategy", record.strategy);
        put(to, "preferred_holder", record.preferredHolder);
        if (e.disagrees)
            to["holder_of_" + std::string(code(record.resource))] = record.holder.value_or("");
    }
    if (e.disagrees)
        to["disagrees"] = "true";
    if (e.noise)
        to["heartbeat"] = "true";
    if (e.kind == election::Kind::LeaderForLife && e.createdAt)
        to["since"] = formatUtc(*e.createdAt);
    for (const OwnerReference &owner : e.owners)
        to["owner"] += (to["owner"].empty() ? "" : ",") + owner.kind + '/' + owner.name;
    for (const patroni::Defect &defect : e.defects)
        to["defect"] += (to["defect"].empty() ? "" : "; ") + defect.field + ": " + defect.detail;
    return detailText(as);
}

Row electionRow(const Election &e, const patroni::Cluster *cluster, Now now)
{
    Row row = head(e, cluster, now);
    const std::initializer_list<Cell> own{
        word(e.kind),        e.key.name,         text(e.holder),       word(e.state),     value(e.duration),
        value(e.acquiredAt), value(e.renewedAt), value(e.transitions), recordAge(e, now), e.pod ? Cell(e.pod->name) : Cell(),
        details(e)};
    row.insert(row.end(), own);
    return row;
}

bool within(const std::optional<Instant> &first, Instant last, const Filters &filters)
{
    return (!filters.since || last >= *filters.since) && (!filters.until || first.value_or(last) <= *filters.until);
}

struct Change // as a row of transitions
{
    std::string context, ns, name, kind, how;
    std::optional<std::string> from, to;
    bool gained = false;
    Instant wall{};
    std::optional<Instant> notBefore{};
    std::optional<Duration> gap{};
    std::string evidence{};
    Cell asOf{};
    std::string sources{"live"};
};

Row rowOf(const Change &c)
{
    return {c.context,
            c.ns,
            c.name,
            Cell(),
            c.kind,
            c.asOf,
            c.how,
            text(c.from),
            text(c.to),
            Cell(),
            Cell(),
            c.gained || c.notBefore ? Cell() : Cell(c.wall), // else it is only known by when it was lost
            c.gained ? Cell(c.wall) : Cell(),
            c.gap ? Cell(toSeconds(*c.gap)) : Cell(),
            value(c.notBefore),
            c.notBefore ? Cell(c.wall) : Cell(),
            c.sources,
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            Cell(),
            c.evidence};
}

bool isGain(ChangeKind kind)
{
    return kind == ChangeKind::TakenOver || kind == ChangeKind::Retaken;
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string all;
    for (const std::string &part : parts)
        all += (all.empty() ? "" : "; ") + part;
    return all;
}

Change changeOf(const Election &e, const HolderChange &c, Now now)
{
    Change change;
    change.context = e.key.context;
    change.ns = e.key.ns;
    change.name = e.key.name;
    change.kind = code(e.kind);
    change.how = code(c.kind);
    change.from = c.from;
    change.to = c.to;
    change.gained = isGain(c.kind);
    change.wall = c.wall;
    change.notBefore = c.notBefore;
    change.gap = c.gap;
    change.evidence = joined(c.evidence);
    change.asOf = asOf(e, now);
    return change;
}

Change changeOf(const Event &event, Now now, bool kept)
{
    Change change;
    change.context = event.cluster.context;
    change.ns = event.cluster.ns;
    change.name = event.object;
    change.kind = detailOf(event, "election").value_or("");
    change.how = detailOf(event, "how").value_or("");
    change.gained = event.type == EventCode::ElectionLeader;
    change.from = detailOf(event, change.gained ? "from" : "holder");
    change.to = detailOf(event, "to");
    change.wall = event.wall;
    change.notBefore = event.notBefore;
    change.sources = kept ? "archive" : "live";
    change.asOf = now.wall;
    return change;
}

// That there was somebody when we first looked is no change.
void addChange(std::vector<Row> &rows, const Change &change, const Filters &filters)
{
    if (change.how != code(ChangeKind::FirstSeen) && within(change.notBefore, change.wall, filters)
        && isChosen({change.context, change.ns, change.name}, filters.clusters))
        rows.push_back(rowOf(change));
}

} // namespace

bool isChosen(const election::Key &key, const std::vector<ClusterSelector> &selectors)
{
    return matchesAny(selectors, {key.context, key.ns, key.name, {}, key.name});
}

void addElectionRows(KeyedTable &to, std::span<const Election *const> elections, const std::vector<const patroni::Cluster *> &clusters,
                     Now now, const Filters &filters)
{
    std::vector<std::pair<election::Key, Row>> all;
    for (const Election *e : elections) {
        if ((!e->noise || filters.allLeases) && isChosen(e->key, filters.clusters))
            all.emplace_back(e->key, electionRow(*e, nullptr, now));
    }
    for (const patroni::Cluster *cluster : clusters) {
        if (!matchesAny(filters.clusters, cluster->names.key))
            continue;
        const Election e = election::fromCluster(*cluster);
        all.emplace_back(e.key, electionRow(e, cluster, now));
    }
    std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (auto &[key, row] : all)
        to.add(recordKey(key), std::move(row));
}

bool isChosen(const Event &event, const std::vector<ClusterSelector> &selectors)
{
    const patroni::ClusterKey &of = event.cluster;
    return matchesAny(selectors, of)
        || (detailOf(event, "election") && isChosen(election::Key{of.context, of.ns, event.object}, selectors));
}

bool namesElections(Command command)
{
    return command == Command::Elections || command == Command::Transitions || command == Command::Events;
}

std::vector<Row> holderRows(std::span<const Election *const> elections, std::span<const Event> events, Now now, const Filters &filters)
{
    std::vector<Row> rows;
    std::set<std::tuple<std::string, std::string, std::string>> known;
    for (const Election *e : elections) {
        known.emplace(e->key.context, e->key.ns, e->key.name);
        for (const HolderChange &change : e->changes)
            addChange(rows, changeOf(*e, change, now), filters);
    }
    for (const Event &event : events) {
        if (event.type != EventCode::ElectionLeader && event.type != EventCode::ElectionStopped)
            continue;
        if (!known.contains({event.cluster.context, event.cluster.ns, event.object}))
            addChange(rows, changeOf(event, now, !filters.mode.empty()), filters);
    }
    return rows;
}

} // namespace switchyard::headless
