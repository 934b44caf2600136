// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/row_writer.h"

#include "app/archive/codec.h"
#include "app/archive/mask_texts.h"
#include "app/archive/merge.h"
#include "app/archive/row_values.h"
#include "models/events/event_id.h"

#include <algorithm>

namespace switchyard::archive {

using namespace Qt::StringLiterals;

namespace {

// A cluster's name on disk that it has for everybody who has the same server.
QString clusterKey(const QString &server, const ClusterId &cluster)
{
    const char zero = '\0';
    return server + QString::fromStdString(zero + cluster.ns + zero + cluster.scope + zero + cluster.base + zero)
        + QString::number(cluster.group.value_or(-1));
}

Result<void> done(const Result<int> &changed)
{
    return changed ? Result<void>() : tl::unexpected(changed.error());
}

std::map<std::string, std::string> masked(std::map<std::string, std::string> values)
{
    for (auto &[name, value] : values) // one of them is a copy of a whole object, whatever that held
        value = name == "kubectl.kubernetes.io/last-applied-configuration" ? "***" : maskSecrets(value);
    return values;
}

// Tables whose rows belong to a cluster, with the rest of their keys.
struct Owned
{
    const char16_t *table;
    std::vector<const char16_t *> key;
};
const std::vector<Owned> &ownedTables()
{
    static const std::vector<Owned> all{
        {u"events", {u"id"}},         {u"transitions", {u"id"}},
        {u"requests", {u"id"}},       {u"snapshots", {u"object", u"version"}},
        {u"configs", {u"version"}},   {u"timelines", {u"incarnation", u"timeline"}},
        {u"renewals", {u"at"}},       {u"notes", {}},
        {u"texts", {u"kind", u"id"}},
    };
    return all;
}

std::string words(const ClusterId &cluster)
{
    return cluster.key().text() + ' ' + cluster.context;
}

std::string transitionWords(const patroni::Transition &t)
{
    std::string all = "transition " + std::string(code(t.kind)) + " from=" + t.from.value_or("?") + " to=" + t.to.value_or("?");
    if (t.timeline)
        all += " timeline=" + std::to_string(*t.timeline);
    if (t.lsn)
        all += " lsn=" + formatLsn(*t.lsn);
    for (const patroni::Evidence &evidence : t.evidence)
        all += ' ' + std::string(code(evidence.code)) + ' ' + evidence.subject + ' ' + evidence.detail;
    return all;
}

std::string requestWords(const patroni::RequestReport &r)
{
    std::string all = "request " + std::string(code(r.kind)) + " leader=" + r.request.leader.value_or("")
        + " candidate=" + r.request.member.value_or("") + " outcome=" + std::string(code(r.outcome));
    if (r.reason)
        all += " reason=" + std::string(code(*r.reason));
    return all + (r.newLeader ? " new=" + *r.newLeader : "");
}

} // namespace

Instant timeOf(const patroni::Transition &transition)
{
    for (const auto &at : {transition.gainedAt, transition.lostAt, transition.notAfter, transition.notBefore}) {
        if (at)
            return *at;
    }
    return {};
}

Instant timeOf(const patroni::RequestReport &request, Now now)
{
    if (request.seenWall)
        return *request.seenWall;
    return request.seenAt ? now.toWall(*request.seenAt) : now.wall;
}

RowWriter::RowWriter(Database &database)
    : m_database(database)
{}

Result<void> RowWriter::write(const Record &record)
{
    return std::visit([this](const auto &r) { return put(r); }, record);
}

// ---- whose it is ----------------------------------------------------------------------------------------------------------------

Result<QString> RowWriter::serverText(const ServerId &server)
{
    const QString alias = QString::fromStdString(server.alias);
    const QString uid = server.uid.empty() ? QString() : QString::fromStdString("uid:" + server.uid);
    const QString cacheKey = alias + u'|' + uid;
    if (const auto known = m_servers.find(cacheKey); known != m_servers.end())
        return known->second;
    const auto rows = alias.isEmpty() ? Result<Database::Rows>(Database::Rows{})
                                      : m_database.select(u"SELECT uid FROM servers WHERE alias = ?"_s, {alias});
    if (!rows)
        return tl::unexpected(rows.error());
    const QString before = rows->empty() ? QString() : rows->front().front().toString();
    if (!uid.isEmpty() && !alias.isEmpty() && before != uid) {
        if (const auto adopted = adopt(alias, uid); !adopted)
            return tl::unexpected(adopted.error());
    }
    const QString text = !uid.isEmpty() ? uid : !before.isEmpty() ? before : alias;
    m_servers[cacheKey] = text;
    return text;
}

// The uid has become known: what was kept under the alias is that server's.
Result<void> RowWriter::adopt(const QString &alias, const QString &uid)
{
    auto changed = m_database.change(
        u"INSERT INTO servers (alias, uid) VALUES (?, ?) ON CONFLICT (alias) DO UPDATE SET uid = excluded.uid"_s, {alias, uid});
    if (!changed)
        return tl::unexpected(changed.error());
    const auto pairs = m_database.select(
        u"SELECT a.row_id, b.row_id FROM clusters a LEFT JOIN clusters b ON b.server = ? AND b.ns = a.ns AND b.scope = a.scope "
        "AND b.grp = a.grp AND b.base = a.base WHERE a.server = ?"_s,
        {uid, alias});
    if (!pairs)
        return tl::unexpected(pairs.error());
    m_clusters.clear();
    for (const QVariantList &pair : *pairs) {
        const auto moved = pair[1].isNull() ? done(m_database.change(u"UPDATE clusters SET server = ? WHERE row_id = ?"_s, {uid, pair[0]}))
                                            : moveRows(pair[0], pair[1]);
        if (!moved)
            return moved;
    }
    return {};
}

Result<void> RowWriter::moveRows(const QVariant &from, const QVariant &to)
{
    for (const Owned &owned : ownedTables()) {
        const QString table = QString::fromUtf16(owned.table);
        QString same;
        for (const char16_t *column : owned.key)
            same += u" AND b."_s + QString::fromUtf16(column) + u" = "_s + table + u'.' + QString::fromUtf16(column);
        Result<void> moved;
        if (!owned.key.empty())
            moved = done(m_database.change(u"DELETE FROM "_s + table + u" WHERE cluster = ? AND EXISTS (SELECT 1 FROM "_s + table
                                               + u" b WHERE b.cluster = ?"_s + same + u')',
                                           {from, to}));
        if (moved)
            moved = done(m_database.change(u"UPDATE "_s + table + u" SET cluster = ? WHERE cluster = ?"_s, {to, from}));
        if (!moved)
            return moved;
    }
    // ids of rows that were dropped as doubles lead to their twins
    auto moved = m_database.change(u"UPDATE transition_ids SET of_row = (SELECT b.row_id FROM transitions b WHERE b.cluster = ? AND "
                                   "b.id = transition_ids.id) WHERE cluster = ? AND NOT EXISTS (SELECT 1 FROM transitions t WHERE "
                                   "t.row_id = transition_ids.of_row) AND EXISTS (SELECT 1 FROM transitions b WHERE b.cluster = ? AND "
                                   "b.id = transition_ids.id)"_s,
                                   {to, from, to});
    if (moved)
        moved = m_database.change(
            u"DELETE FROM transition_ids WHERE cluster = ? AND id IN (SELECT id FROM transition_ids WHERE cluster = ?)"_s, {from, to});
    if (moved)
        moved = m_database.change(u"UPDATE transition_ids SET cluster = ? WHERE cluster = ?"_s, {to, from});
    if (moved)
        moved = m_database.change(u"DELETE FROM clusters WHERE row_id = ?"_s, {from});
    return done(moved);
}

Result<std::int64_t> RowWriter::clusterRow(const ClusterId &cluster, Instant at)
{
    const auto server = serverText(cluster.server);
    if (!server)
        return tl::unexpected(server.error());
    const QString key = clusterKey(*server, cluster);
    if (const auto known = m_clusters.find(key); known != m_clusters.end())
        return known->second;
    const QVariantList names{*server, toSql(cluster.ns), toSql(cluster.scope), groupToSql(cluster.group), toSql(cluster.base)};
    const auto mode = cluster.mode ? std::string(code(*cluster.mode)) : std::string();
    const auto made = m_database.change(
        u"INSERT INTO clusters (server, ns, scope, grp, base, context, incarnation, mode, first_seen, last_seen) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (server, ns, scope, grp, base) DO NOTHING"_s,
        names + QVariantList{toSql(cluster.context), toSql(cluster.incarnation), toSql(mode), toSql(at), toSql(at)});
    if (!made)
        return tl::unexpected(made.error());
    const auto rows = m_database.select(u"SELECT row_id FROM clusters WHERE server = ? AND ns = ? AND scope = ? AND grp = ? AND base = ?"_s,
                                        names);
    if (!rows)
        return tl::unexpected(rows.error());
    const std::int64_t row = rows->front().front().toLongLong();
    if (const auto touched = touch(row, cluster, at); !touched)
        return tl::unexpected(touched.error());
    m_clusters[key] = row;
    return row;
}

// What it was called, and which incarnation it was, when it was seen last.
Result<void> RowWriter::touch(std::int64_t row, const ClusterId &cluster, Instant at)
{
    const auto mode = cluster.mode ? std::string(code(*cluster.mode)) : std::string();
    auto changed = m_database.change(u"UPDATE clusters SET last_seen = ?, context = ?, "
                                     "incarnation = CASE WHEN ? = '' THEN incarnation ELSE ? END, "
                                     "mode = CASE WHEN ? = '' THEN mode ELSE ? END WHERE row_id = ? AND last_seen <= ?"_s,
                                     {toSql(at), toSql(cluster.context), toSql(cluster.incarnation), toSql(cluster.incarnation),
                                      toSql(mode), toSql(mode), toSql(row), toSql(at)});
    if (changed)
        changed = m_database.change(u"UPDATE clusters SET first_seen = ? WHERE row_id = ? AND first_seen > ?"_s,
                                    {toSql(at), toSql(row), toSql(at)});
    return done(changed);
}

Result<void> RowWriter::addText(const char *kind, std::int64_t cluster, const std::string &id, Instant at, const std::string &body)
{
    return done(m_database.change(u"INSERT INTO texts (kind, cluster, id, at, body) VALUES (?, ?, ?, ?, ?) "
                                  "ON CONFLICT (kind, cluster, id) DO UPDATE SET at = excluded.at, body = excluded.body "
                                  "WHERE texts.at <> excluded.at OR texts.body <> excluded.body"_s,
                                  {QString::fromLatin1(kind), toSql(cluster), toSql(id), toSql(at), toSql(body)}));
}

// ---- what it is -----------------------------------------------------------------------------------------------------------------

Result<void> RowWriter::put(const EventRecord &record)
{
    const Event &event = record.event;
    const auto cluster = clusterRow(record.cluster, event.wall);
    if (!cluster)
        return tl::unexpected(cluster.error());
    const auto detail = masked(event.detail);
    // Who saw it happen knows more than who found it after a gap
    const auto changed = m_database.change(
        u"INSERT INTO events (cluster, id, incarnation, at, not_before, type, object, version, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (cluster, id) DO UPDATE SET at = excluded.at, not_before = excluded.not_before, detail = excluded.detail "
        "WHERE events.not_before IS NOT NULL AND (excluded.not_before IS NULL OR excluded.not_before > events.not_before)"_s,
        {toSql(*cluster), toSql(event.id), toSql(record.cluster.incarnation), toSql(event.wall), toSql(event.notBefore),
         toSql(std::string(code(event.type))), toSql(event.object), toSql(event.resourceVersion), toSql(encode(detail))});
    if (!changed)
        return tl::unexpected(changed.error());
    if (*changed == 0)
        return {};
    Event told = event;
    told.detail = detail;
    return addText("event", *cluster, event.id, event.wall,
                   words(record.cluster) + ' ' + std::string(code(event.type)) + ' ' + event.object + ' ' + detailText(told));
}

Result<std::optional<KeptTransition>> RowWriter::keptTransition(const QString &where, const QVariantList &values)
{
    const auto rows = m_database.select(u"SELECT row_id, data FROM transitions WHERE "_s + where, values);
    if (!rows)
        return tl::unexpected(rows.error());
    if (rows->empty())
        return std::nullopt;
    const std::string data = textOf(rows->front()[1]);
    return KeptTransition{rows->front()[0], data, decodeTransition(data)};
}

// Another row of the same new timeline is the same transition, known by another id.
Result<std::optional<KeptTransition>> RowWriter::sameTimeline(std::int64_t cluster, const TransitionRecord &record, const QVariant &notRow)
{
    if (!record.transition.timeline)
        return std::nullopt;
    auto other = keptTransition(u"cluster = ? AND incarnation = ? AND timeline = ? AND row_id <> ? ORDER BY row_id LIMIT 1"_s,
                                {toSql(cluster), toSql(record.cluster.incarnation), toSql(record.transition.timeline), notRow});
    const auto lsn = record.transition.lsn;
    if (other && *other && lsn && (*other)->transition.lsn && lsn != (*other)->transition.lsn)
        return std::nullopt; // the history was begun anew
    return other;
}

Result<void> RowWriter::fold(const KeptTransition &other, const QVariant &into)
{
    auto changed = m_database.change(u"UPDATE transition_ids SET of_row = ? WHERE of_row = ?"_s, {into, other.row});
    if (changed)
        changed = m_database.change(u"DELETE FROM texts WHERE kind = 'transition' AND id = ?"_s, {toSql(other.transition.id)});
    if (changed)
        changed = m_database.change(u"DELETE FROM transitions WHERE row_id = ?"_s, {other.row});
    return done(changed);
}

Result<void> RowWriter::put(const TransitionRecord &record)
{
    const auto cluster = clusterRow(record.cluster, timeOf(record.transition));
    if (!cluster)
        return tl::unexpected(cluster.error());
    const QVariantList key{toSql(*cluster), toSql(record.transition.id)};
    auto kept = keptTransition(u"row_id = (SELECT of_row FROM transition_ids WHERE cluster = ? AND id = ?)"_s, key);
    if (!kept)
        return tl::unexpected(kept.error());
    const auto same = sameTimeline(*cluster, record, *kept ? (*kept)->row : QVariant(0));
    if (!same)
        return tl::unexpected(same.error());
    patroni::Transition t = record.transition;
    if (*same) // what the other row knew is older news than this
        t = merged((*same)->transition, t);
    if (*kept)
        t = merged((*kept)->transition, t);
    if (*kept && *same) {
        if (const auto folded = fold(**same, (*kept)->row); !folded)
            return folded;
    } else if (*same) {
        *kept = *same;
    }
    t.id = *kept ? (*kept)->transition.id : t.id;
    return store(*cluster, record, t, *kept ? &**kept : nullptr);
}

Result<void> RowWriter::store(std::int64_t cluster, const TransitionRecord &record, const patroni::Transition &t,
                              const KeptTransition *kept)
{
    const std::string data = encode(t);
    QVariant row = kept ? kept->row : QVariant();
    if (!kept || data != kept->data) {
        const auto changed = m_database.change(
            u"INSERT INTO transitions (cluster, id, incarnation, at, kind, from_member, to_member, timeline, data) VALUES (?, ?, ?, ?, ?, "
            u"?, ?, ?, ?) "
            "ON CONFLICT (cluster, id) DO UPDATE SET at = excluded.at, kind = excluded.kind, from_member = excluded.from_member, "
            "to_member = excluded.to_member, timeline = excluded.timeline, data = excluded.data"_s,
            {toSql(cluster), toSql(t.id), toSql(record.cluster.incarnation), toSql(timeOf(t)), toSql(std::string(code(t.kind))),
             toSql(t.from), toSql(t.to), toSql(t.timeline), toSql(data)});
        if (!changed)
            return tl::unexpected(changed.error());
        if (auto told = addText("transition", cluster, t.id, timeOf(t), words(record.cluster) + ' ' + transitionWords(t)); !told)
            return told;
    }
    if (!kept) {
        const auto rows = m_database.select(u"SELECT row_id FROM transitions WHERE cluster = ? AND id = ?"_s,
                                            {toSql(cluster), toSql(t.id)});
        if (!rows)
            return tl::unexpected(rows.error());
        row = rows->front().front();
    }
    return done(
        m_database.change(u"INSERT INTO transition_ids (cluster, id, of_row) VALUES (?, ?, ?) ON CONFLICT (cluster, id) DO NOTHING"_s,
                          {toSql(cluster), toSql(record.transition.id), row}));
}

Result<void> RowWriter::put(const RequestRecord &record)
{
    const auto cluster = clusterRow(record.cluster, timeOf(record.request, record.now));
    if (!cluster)
        return tl::unexpected(cluster.error());
    const QVariantList key{toSql(*cluster), toSql(record.request.id)};
    const auto before = m_database.select(u"SELECT data FROM requests WHERE cluster = ? AND id = ?"_s, key);
    if (!before)
        return tl::unexpected(before.error());
    patroni::RequestReport request = decodeRequest(encode(record.request, record.now)); // in wall clock
    if (!before->empty())
        request = merged(decodeRequest(textOf(before->front().front())), request);
    const Now wall{Boot{}, Instant{}};
    const std::string data = encode(request, wall);
    if (!before->empty() && data == textOf(before->front().front()))
        return {};
    const Instant at = timeOf(request, wall);
    const auto changed = m_database.change(
        u"INSERT INTO requests (cluster, id, incarnation, at, outcome, data) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (cluster, id) DO UPDATE SET at = excluded.at, outcome = excluded.outcome, data = excluded.data"_s,
        key + QVariantList{toSql(record.cluster.incarnation), toSql(at), toSql(std::string(code(request.outcome))), toSql(data)});
    if (!changed)
        return tl::unexpected(changed.error());
    return addText("request", *cluster, request.id, at, words(record.cluster) + ' ' + requestWords(request));
}

Result<void> RowWriter::put(const SnapshotRecord &record)
{
    const auto cluster = clusterRow(record.cluster, record.seen);
    if (!cluster)
        return tl::unexpected(cluster.error());
    return done(
        m_database.change(u"INSERT INTO snapshots (cluster, object, version, incarnation, at, annotations) VALUES (?, ?, ?, ?, ?, ?) "
                          "ON CONFLICT (cluster, object, version) DO NOTHING"_s,
                          {toSql(*cluster), toSql(record.object), toSql(record.resourceVersion), toSql(record.cluster.incarnation),
                           toSql(record.seen), toSql(encode(masked(record.annotations)))}));
}

Result<void> RowWriter::put(const ConfigRecord &record)
{
    const auto cluster = clusterRow(record.cluster, record.seen);
    if (!cluster)
        return tl::unexpected(cluster.error());
    const std::string text = maskSecrets(record.text);
    const auto changed = m_database.change(
        u"INSERT INTO configs (cluster, version, incarnation, at, config) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (cluster, version) DO NOTHING"_s,
        {toSql(*cluster), toSql(record.resourceVersion), toSql(record.cluster.incarnation), toSql(record.seen), toSql(text)});
    if (!changed || *changed == 0)
        return done(changed);
    return addText("config", *cluster, record.resourceVersion, record.seen, words(record.cluster) + " config " + text);
}

Result<void> RowWriter::put(const TimelineRecord &record)
{
    const auto cluster = clusterRow(record.cluster, record.seen);
    if (!cluster)
        return tl::unexpected(cluster.error());
    const QVariantList key{toSql(*cluster), toSql(record.cluster.incarnation), toSql(record.entry.timeline)};
    const auto before = m_database.select(u"SELECT data FROM timelines WHERE cluster = ? AND incarnation = ? AND timeline = ?"_s, key);
    if (!before)
        return tl::unexpected(before.error());
    patroni::HistoryEntry entry = record.entry;
    entry.reason = maskSecrets(entry.reason); // whatever was given as the name of a restore point
    if (!before->empty())
        entry = merged(decodeTimeline(textOf(before->front().front())), entry);
    const Instant at = entry.endedAt.value_or(Instant{});
    const auto changed = m_database.change(
        u"INSERT INTO timelines (cluster, incarnation, timeline, at, seen, data) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (cluster, incarnation, timeline) DO UPDATE SET at = excluded.at, seen = excluded.seen, data = excluded.data"_s,
        key + QVariantList{toSql(at), toSql(record.seen), toSql(encode(entry))});
    if (!changed)
        return tl::unexpected(changed.error());
    return addText("timeline", *cluster, record.cluster.incarnation + '/' + std::to_string(entry.timeline), at,
                   words(record.cluster) + " timeline=" + std::to_string(entry.timeline) + " lsn=" + formatLsn(entry.lsn) + ' '
                       + entry.reason + ' ' + entry.newLeader.value_or(""));
}

Result<void> RowWriter::put(const RenewRecord &record)
{
    const auto cluster = clusterRow(record.cluster, record.minute);
    if (!cluster)
        return tl::unexpected(cluster.error());
    // Two who looked at once saw the same renewals: who saw more of them is right
    return done(m_database.change(u"INSERT INTO renewals (cluster, incarnation, at, n, mean_us, longest_us) VALUES (?, ?, ?, ?, ?, ?) "
                                  "ON CONFLICT (cluster, at) DO UPDATE SET n = excluded.n, mean_us = excluded.mean_us, "
                                  "longest_us = excluded.longest_us WHERE excluded.n >= renewals.n"_s,
                                  {toSql(*cluster), toSql(record.cluster.incarnation), toSql(record.minute), toSql(record.count),
                                   toSql(record.mean.count()), toSql(record.longest.count())}));
}

Result<void> RowWriter::put(const AuditRecord &record)
{
    const auto before = m_database.select(u"SELECT data FROM audit WHERE id = ?"_s, {toSql(record.entry.id)});
    if (!before)
        return tl::unexpected(before.error());
    actions::AuditEntry entry = record.entry;
    entry.body = maskSecrets(entry.body);
    if (!before->empty())
        entry = merged(decodeAudit(textOf(before->front().front())), entry);
    const std::string data = encode(entry);
    if (!before->empty() && data == textOf(before->front().front()))
        return {};
    const Instant at = entry.at.value_or(entry.answeredAt.value_or(entry.outcomeAt.value_or(Instant{})));
    const auto changed = m_database.change(u"INSERT INTO audit (id, at, data) VALUES (?, ?, ?) "
                                           "ON CONFLICT (id) DO UPDATE SET at = excluded.at, data = excluded.data"_s,
                                           {toSql(entry.id), toSql(at), toSql(data)});
    if (!changed)
        return tl::unexpected(changed.error());
    return addText("audit", 0, entry.id, at,
                   entry.ns + '/' + entry.scope + ' ' + entry.context + " audit " + entry.osUser + ' ' + entry.action + ' ' + entry.summary
                       + ' ' + entry.member + ' ' + entry.result + ' ' + entry.outcome + ' ' + entry.detail);
}

Result<void> RowWriter::put(const NoteRecord &record)
{
    const auto cluster = clusterRow(record.cluster, record.at);
    if (!cluster)
        return tl::unexpected(cluster.error());
    const auto changed = m_database.change(
        u"INSERT INTO notes (id, cluster, incarnation, transition, at, author, body) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"_s,
        {toSql(record.id), toSql(*cluster), toSql(record.cluster.incarnation), toSql(record.transition), toSql(record.at),
         toSql(record.author), toSql(record.text)});
    if (!changed || *changed == 0)
        return done(changed);
    return addText("note", *cluster, record.id, record.at, words(record.cluster) + " note " + record.author + ' ' + record.text);
}

} // namespace switchyard::archive
