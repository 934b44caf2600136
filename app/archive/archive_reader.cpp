// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive_reader.h"

#include "app/archive/codec.h"
#include "app/archive/codec_words.h"
#include "app/archive/database.h"
#include "app/archive/row_values.h"

#include <algorithm>

namespace switchyard::archive {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

// Every answer begins with these, then come the columns of its own.
const QString head = u"t.row_id, t.at, c.server, c.context, c.ns, c.scope, c.grp, c.base, c.mode"_s;
constexpr int own = 9;

struct Source
{
    QString table, columns; // columns: of the table `t`
    QString extra{};        // a condition of its own
    QVariantList values{};  // for it
    bool ofClusters = true; // rows belong to a cluster
};

ServerId serverOf(const QVariant &text)
{
    const std::string server = textOf(text);
    return server.starts_with("uid:") ? ServerId{server.substr(4), {}} : ServerId{{}, server};
}

ClusterId clusterOf(const QVariantList &row, const QVariant &incarnation)
{
    ClusterId id;
    id.server = serverOf(row[2]);
    id.context = textOf(row[3]);
    id.ns = textOf(row[4]);
    id.scope = textOf(row[5]);
    id.group = groupOf(row[6]);
    id.base = textOf(row[7]);
    id.mode = modeFromCode(textOf(row[8]));
    id.incarnation = textOf(incarnation);
    return id;
}

class Statement
{
public:
    Statement(const Source &source, const Query &query)
    {
        sql = u"SELECT "_s + head + (source.columns.isEmpty() ? QString() : u", "_s + source.columns) + u" FROM "_s + source.table
            + u" t LEFT JOIN clusters c ON c.row_id = "_s + (source.ofClusters ? u"t.cluster"_s : u"0"_s) + u" WHERE 1 = 1"_s;
        if (!source.extra.isEmpty())
            add(source.extra, source.values);
        if (source.ofClusters && !query.clusters.empty())
            addClusters(query.clusters);
        if (query.since)
            add(u"t.at >= ?"_s, {toSql(*query.since)});
        if (query.until)
            add(u"t.at <= ?"_s, {toSql(*query.until)});
        addMark(query);
        const QString order = query.newestFirst ? u" DESC"_s : QString();
        sql += u" ORDER BY t.at"_s + order + u", t.row_id"_s + order + u" LIMIT "_s + QString::number(limit(query) + 1);
    }

    static int limit(const Query &query) { return std::clamp(query.most, 1, 100000); }

    QString sql;
    QVariantList values;

private:
    void add(const QString &condition, const QVariantList &more)
    {
        sql += u" AND "_s + condition;
        values += more;
    }
    void addClusters(const std::vector<std::int64_t> &rows)
    {
        QStringList numbers;
        for (const std::int64_t row : rows)
            numbers << QString::number(row);
        add(u"t.cluster IN ("_s + numbers.join(u',') + u')', {});
    }
    void addMark(const Query &query)
    {
        if (!query.after)
            return;
        const QString less = query.newestFirst ? u"<"_s : u">"_s;
        const QVariant at = toSql(query.after->at);
        add(u"t.at "_s + less + u"= ? AND (t.at "_s + less + u" ? OR t.row_id "_s + less + u" ?)"_s, {at, at, toSql(query.after->row)});
    }
};

void addObject(Source &source, const Query &query)
{
    if (query.object.empty())
        return;
    source.extra = u"t.object = ?"_s;
    source.values = {toSql(query.object)};
}

template<class T, class Make>
Result<Page<T>> pageOf(Database &database, const Source &source, const Query &query, Make make)
{
    const Statement statement(source, query);
    const auto rows = database.select(statement.sql, statement.values);
    if (!rows)
        return tl::unexpected(rows.error());
    const auto most = static_cast<std::size_t>(Statement::limit(query));
    Page<T> page;
    page.rows.reserve(std::min(most, rows->size()));
    for (std::size_t i = 0; i < rows->size() && i < most; ++i)
        page.rows.push_back(make((*rows)[i]));
    if (rows->size() > most)
        page.next = Mark{instantOf((*rows)[most - 1][1]), (*rows)[most - 1][0].toLongLong()};
    return page;
}

Event eventOf(const QVariantList &row, const ClusterId &cluster)
{
    Event event;
    event.id = textOf(row[own + 1]);
    event.type = eventFromCode(textOf(row[own + 2])).value_or(EventCode::Undecodable);
    event.cluster = cluster.key();
    event.wall = instantOf(row[1]);
    event.object = textOf(row[own + 3]);
    event.resourceVersion = textOf(row[own + 4]);
    event.detail = decodeMap(textOf(row[own + 5]));
    if (!row[own + 6].isNull())
        event.notBefore = instantOf(row[own + 6]);
    return event;
}

// Every word as the beginning of one: "alpha-0 exp" finds alpha-0 and lock-expired.
QString wordQuery(const QStringList &words)
{
    QStringList all;
    for (QString word : words)
        all << u'"' + word.replace(u'"', u' ') + u"\"*"_s;
    return all.join(u' ');
}

QString likePattern(QString word)
{
    return u'%' + word.toLower().replace(u'!', u"!!"_s).replace(u'%', u"!%"_s).replace(u'_', u"!_"_s) + u'%';
}

Source searchSource(const QStringList &words, bool index)
{
    Source source{u"texts"_s, u"t.kind, t.id, t.body"_s};
    if (index) {
        source.extra = u"t.row_id IN (SELECT rowid FROM texts_words WHERE texts_words MATCH ?)"_s;
        source.values = {wordQuery(words)};
        return source;
    }
    QStringList conditions;
    for (const QString &word : words) {
        conditions << u"lower(t.body) LIKE ? ESCAPE '!'"_s;
        source.values << likePattern(word);
    }
    source.extra = conditions.join(u" AND "_s);
    return source;
}

bool hasLetters(const QString &word)
{
    return std::any_of(word.begin(), word.end(), [](QChar c) { return c.isLetterOrNumber(); });
}

} // namespace

std::string_view code(HitKind kind)
{
    switch (kind) {
    case HitKind::Event: return "event";
    case HitKind::Transition: return "transition";
    case HitKind::Request: return "request";
    case HitKind::Config: return "config";
    case HitKind::Audit: return "audit";
    case HitKind::Note: return "note";
    case HitKind::Timeline: return "timeline";
    }
    return "unknown";
}

bool tellsOfHolder(const Hit &hit)
{
    const auto names = [&](EventCode event) { return hit.text.find(' ' + std::string(code(event)) + ' ') != std::string::npos; };
    return hit.kind == HitKind::Event && (names(EventCode::ElectionLeader) || names(EventCode::ElectionStopped));
}

ArchiveReader::ArchiveReader(std::unique_ptr<Database> database)
    : d(std::move(database))
{}

ArchiveReader::~ArchiveReader() = default;

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::open(const QString &text)
{
    const auto location = parseLocation(text);
    if (!location)
        return tl::unexpected(location.error());
    auto database = Database::open(*location, Database::Access::Read, 3s);
    if (!database)
        return tl::unexpected(database.error());
    return std::unique_ptr<ArchiveReader>(new ArchiveReader(std::move(*database)));
}

Result<std::vector<KnownCluster>> ArchiveReader::clusters()
{
    const auto rows = d->select(u"SELECT row_id, last_seen, server, context, ns, scope, grp, base, mode, incarnation, first_seen "
                                "FROM clusters ORDER BY context, ns, scope, grp, base, row_id"_s);
    if (!rows)
        return tl::unexpected(rows.error());
    std::vector<KnownCluster> all;
    for (const QVariantList &row : *rows)
        all.push_back({row[0].toLongLong(), clusterOf(row, row[9]), instantOf(row[10]), instantOf(row[1])});
    return all;
}

Result<std::optional<std::int64_t>> ArchiveReader::rowOf(const ClusterId &cluster)
{
    const auto rows = d->select(
        u"SELECT row_id FROM clusters WHERE ns = ? AND scope = ? AND grp = ? AND base = ? AND (server = ? OR server = ? "
        "OR server IN (SELECT uid FROM servers WHERE alias = ?)) ORDER BY last_seen DESC LIMIT 1"_s,
        {toSql(cluster.ns), toSql(cluster.scope), groupToSql(cluster.group), toSql(cluster.base),
         toSql(cluster.server.uid.empty() ? std::string("-") : "uid:" + cluster.server.uid), toSql(cluster.server.alias),
         toSql(cluster.server.alias)});
    if (!rows)
        return tl::unexpected(rows.error());
    return rows->empty() ? std::nullopt : std::optional<std::int64_t>(rows->front().front().toLongLong());
}

Result<Page<EventRecord>> ArchiveReader::events(const Query &query)
{
    Source source{u"events"_s, u"t.incarnation, t.id, t.type, t.object, t.version, t.detail, t.not_before"_s};
    addObject(source, query);
    return pageOf<EventRecord>(*d, source, query, [](const QVariantList &row) {
        const ClusterId cluster = clusterOf(row, row[own]);
        return EventRecord{cluster, eventOf(row, cluster)};
    });
}

Result<Page<TransitionRecord>> ArchiveReader::transitions(const Query &query)
{
    return pageOf<TransitionRecord>(*d, {u"transitions"_s, u"t.incarnation, t.data"_s}, query, [](const QVariantList &row) {
        TransitionRecord record{clusterOf(row, row[own]), decodeTransition(textOf(row[own + 1]))};
        record.transition.fromArchive = true;
        return record;
    });
}

Result<Page<RequestRecord>> ArchiveReader::requests(const Query &query)
{
    return pageOf<RequestRecord>(*d, {u"requests"_s, u"t.incarnation, t.data"_s}, query, [](const QVariantList &row) {
        return RequestRecord{clusterOf(row, row[own]), decodeRequest(textOf(row[own + 1])), Now{}};
    });
}

Result<Page<SnapshotRecord>> ArchiveReader::snapshots(const Query &query)
{
    Source source{u"snapshots"_s, u"t.incarnation, t.object, t.version, t.annotations"_s};
    addObject(source, query);
    return pageOf<SnapshotRecord>(*d, source, query, [](const QVariantList &row) {
        return SnapshotRecord{clusterOf(row, row[own]), textOf(row[own + 1]), textOf(row[own + 2]), instantOf(row[1]),
                              decodeMap(textOf(row[own + 3]))};
    });
}

Result<Page<ConfigRecord>> ArchiveReader::configs(const Query &query)
{
    return pageOf<ConfigRecord>(*d, {u"configs"_s, u"t.incarnation, t.version, t.config"_s}, query, [](const QVariantList &row) {
        return ConfigRecord{clusterOf(row, row[own]), textOf(row[own + 1]), instantOf(row[1]), textOf(row[own + 2])};
    });
}

Result<Page<TimelineRecord>> ArchiveReader::timelines(const Query &query)
{
    return pageOf<TimelineRecord>(*d, {u"timelines"_s, u"t.incarnation, t.data, t.seen"_s}, query, [](const QVariantList &row) {
        return TimelineRecord{clusterOf(row, row[own]), decodeTimeline(textOf(row[own + 1])), instantOf(row[own + 2])};
    });
}

Result<Page<RenewRecord>> ArchiveReader::renewals(const Query &query)
{
    return pageOf<RenewRecord>(*d, {u"renewals"_s, u"t.incarnation, t.n, t.mean_us, t.longest_us"_s}, query, [](const QVariantList &row) {
        return RenewRecord{clusterOf(row, row[own]), instantOf(row[1]), row[own + 1].toLongLong(), Duration(row[own + 2].toLongLong()),
                           Duration(row[own + 3].toLongLong())};
    });
}

Result<Page<AuditRecord>> ArchiveReader::audit(const Query &query)
{
    Source source{u"audit"_s, u"t.data"_s};
    source.ofClusters = false;
    return pageOf<AuditRecord>(*d, source, query, [](const QVariantList &row) { return AuditRecord{decodeAudit(textOf(row[own]))}; });
}

Result<Page<NoteRecord>> ArchiveReader::notes(const Query &query)
{
    Source source{u"notes"_s, u"t.incarnation, t.id, t.transition, t.author, t.body"_s};
    if (!query.object.empty()) {
        source.extra =
            u"(t.transition = ? OR t.transition IN (SELECT b.id FROM transition_ids a JOIN transition_ids b ON b.of_row = a.of_row "
            "WHERE a.cluster = t.cluster AND a.id = ?))"_s;
        source.values = {toSql(query.object), toSql(query.object)};
    }
    return pageOf<NoteRecord>(*d, source, query, [](const QVariantList &row) {
        return NoteRecord{clusterOf(row, row[own]), textOf(row[own + 1]), textOf(row[own + 2]),
                          instantOf(row[1]),        textOf(row[own + 3]), textOf(row[own + 4])};
    });
}

Result<Page<Hit>> ArchiveReader::search(const QString &words, const Query &query)
{
    QStringList all = words.simplified().split(u' ', Qt::SkipEmptyParts);
    all.removeIf([](const QString &word) { return !hasLetters(word); });
    if (all.isEmpty())
        return Page<Hit>{};
    return pageOf<Hit>(*d, searchSource(all, d->hasWordIndex()), query, [](const QVariantList &row) {
        return Hit{hitKindFromCode(textOf(row[own])).value_or(HitKind::Event), clusterOf(row, {}), instantOf(row[1]), textOf(row[own + 1]),
                   textOf(row[own + 2])};
    });
}

Result<std::int64_t> ArchiveReader::size()
{
    return d->size();
}

} // namespace switchyard::archive
