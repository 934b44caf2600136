// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/election_past.h"

#include "app/archive/each_row.h"
#include "app/archive/past.h"
#include "models/core/lsn.h"
#include "models/election/election_store.h"
#include "models/events/event_detail.h"

#include <algorithm>
#include <cmath>

namespace switchyard::archive {

using election::ChangeKind;
using election::Family;
using election::HolderChange;

namespace {

// How a holder ended, as it is told: released, expired, or what became of the Pod of a leader for life.
ChangeKind endFromCode(const std::string &how)
{
    if (how == "released")
        return ChangeKind::Released;
    return how == "gone" || how == "orphaned" || how == "recreated" ? ChangeKind::Gone : ChangeKind::Expired;
}

std::optional<ChangeKind> beginFromCode(const std::string &how)
{
    for (const ChangeKind kind : {ChangeKind::FirstSeen, ChangeKind::TakenOver, ChangeKind::Retaken}) {
        if (code(kind) == how)
            return kind;
    }
    return std::nullopt;
}

std::optional<Duration> secondsOf(const std::optional<std::string> &text)
{
    bool ok = false;
    const double seconds = text ? QString::fromStdString(*text).toDouble(&ok) : 0;
    return ok ? std::optional(Duration(std::llround(seconds * 1e6))) : std::nullopt;
}

bool isOf(const Event &event, const election::Key &key)
{
    const bool forLife = detailOf(event, "election") == std::string(code(election::Kind::LeaderForLife));
    return event.cluster.ns == key.ns && event.object == key.name && forLife == (key.family == Family::LeaderForLife);
}

} // namespace

std::optional<HolderChange> holderChange(const Event &event, const election::Key &key)
{
    const auto how = detailOf(event, "how");
    const bool gained = event.type == EventCode::ElectionLeader;
    if ((!gained && event.type != EventCode::ElectionStopped) || !how || !isOf(event, key))
        return std::nullopt;
    const auto kind = gained ? beginFromCode(*how) : endFromCode(*how);
    if (!kind)
        return std::nullopt;
    HolderChange change;
    change.kind = *kind;
    change.from = detailOf(event, gained ? "from" : "holder");
    change.to = detailOf(event, "to");
    change.wall = event.wall;
    change.notBefore = event.notBefore;
    if (const auto transitions = detailOf(event, "transitions"))
        change.transitions = parseInteger(*transitions);
    change.gap = secondsOf(detailOf(event, "gap"));
    return change;
}

namespace {

// Who leads an election is kept as what happened in its namespace.
Result<void> addEvents(ArchiveReader &reader, const election::Key &key, ClusterId id, const Query &asked, ElectionPast &to)
{
    id.base.clear();
    const auto row = reader.rowOf(id);
    if (!row)
        return tl::unexpected(row.error());
    if (!*row)
        return {};
    Query query = asked;
    query.clusters = {**row};
    query.object = key.name;
    std::map<std::string, std::size_t> places;
    const auto read = eachRow<EventRecord>(reader, &ArchiveReader::events, query, [&](const EventRecord &record) {
        if (const auto change = holderChange(record.event, key)) {
            places[record.event.id] = to.changes.size();
            to.changes.push_back(*change);
        }
    });
    query.object.clear();
    return !read ? read : eachRow<NoteRecord>(reader, &ArchiveReader::notes, query, [&](NoteRecord &note) {
        if (const auto place = places.find(note.transition); place != places.end())
            to.notes[place->second].push_back(std::move(note));
    });
}

// Of Patroni's own lock: the transitions that were seen live.
Result<void> addTransitions(ArchiveReader &reader, const ClusterId &id, const Query &asked, ElectionPast &to)
{
    patroni::Cluster cluster;
    auto read = eachRow<TransitionRecord>(reader, &ArchiveReader::transitions, asked, [&](TransitionRecord &record) {
        if (record.cluster.incarnation == id.incarnation)
            cluster.transitions.push_back(std::move(record.transition));
    });
    if (read)
        to.changes = election::fromCluster(cluster).changes;
    return read;
}

} // namespace

Result<ElectionPast> readElectionPast(ArchiveReader &reader, const election::Key &key, const ClusterId &id, Instant since)
{
    ElectionPast past;
    Query query;
    query.newestFirst = false;
    query.since = since;
    const bool ofPatroni = key.family == Family::Patroni;
    if (!ofPatroni) {
        if (const auto added = addEvents(reader, key, id, query, past); !added)
            return tl::unexpected(added.error());
    }
    const auto row = reader.rowOf(id);
    if (!row)
        return tl::unexpected(row.error());
    if (!*row || key.family == Family::LeaderForLife)
        return past;
    query.clusters = {**row};
    if (ofPatroni) {
        if (const auto added = addTransitions(reader, id, query, past); !added)
            return tl::unexpected(added.error());
    }
    const auto read = eachRow<RenewRecord>(reader, &ArchiveReader::renewals, query, [&](const RenewRecord &record) {
        if (isSameIncarnation(record.cluster, id))
            past.renewals.push_back(minuteOf(record));
    });
    return read ? Result<ElectionPast>(std::move(past)) : tl::unexpected(read.error());
}

} // namespace switchyard::archive
