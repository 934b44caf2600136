// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/schema.h"

#include <QFile>
#include <QtEndian>

namespace switchyard::archive {

using namespace Qt::StringLiterals;

namespace {

// Version 1. KEY: a number that grows with every row.
QStringList firstTables()
{
    return {
        u"CREATE TABLE servers (alias TEXT PRIMARY KEY, uid TEXT NOT NULL)"_s,
        u"CREATE TABLE clusters (row_id KEY, server TEXT NOT NULL, ns TEXT NOT NULL, scope TEXT NOT NULL, grp INTEGER NOT NULL, "
        "base TEXT NOT NULL, context TEXT NOT NULL, incarnation TEXT NOT NULL, mode TEXT NOT NULL, first_seen BIGINT NOT NULL, "
        "last_seen BIGINT NOT NULL, UNIQUE (server, ns, scope, grp, base))"_s,
        u"CREATE TABLE events (row_id KEY, cluster BIGINT NOT NULL, id TEXT NOT NULL, incarnation TEXT NOT NULL, at BIGINT NOT NULL, "
        "not_before BIGINT, type TEXT NOT NULL, object TEXT NOT NULL, version TEXT NOT NULL, detail TEXT NOT NULL, "
        "UNIQUE (cluster, id))"_s,
        u"CREATE TABLE transitions (row_id KEY, cluster BIGINT NOT NULL, id TEXT NOT NULL, incarnation TEXT NOT NULL, at BIGINT NOT NULL, "
        "kind TEXT NOT NULL, from_member TEXT, to_member TEXT, timeline BIGINT, data TEXT NOT NULL, UNIQUE (cluster, id))"_s,
        // seen live and told by the history alone, a transition has an id of each: one row, whoever comes first
        u"CREATE TABLE transition_ids (cluster BIGINT NOT NULL, id TEXT NOT NULL, of_row BIGINT NOT NULL, PRIMARY KEY (cluster, id))"_s,
        u"CREATE TABLE requests (row_id KEY, cluster BIGINT NOT NULL, id TEXT NOT NULL, incarnation TEXT NOT NULL, at BIGINT NOT NULL, "
        "outcome TEXT NOT NULL, data TEXT NOT NULL, UNIQUE (cluster, id))"_s,
        u"CREATE TABLE snapshots (row_id KEY, cluster BIGINT NOT NULL, object TEXT NOT NULL, version TEXT NOT NULL, "
        "incarnation TEXT NOT NULL, at BIGINT NOT NULL, annotations TEXT NOT NULL, UNIQUE (cluster, object, version))"_s,
        u"CREATE TABLE configs (row_id KEY, cluster BIGINT NOT NULL, version TEXT NOT NULL, incarnation TEXT NOT NULL, at BIGINT NOT NULL, "
        "config TEXT NOT NULL, UNIQUE (cluster, version))"_s,
        u"CREATE TABLE timelines (row_id KEY, cluster BIGINT NOT NULL, incarnation TEXT NOT NULL, timeline BIGINT NOT NULL, "
        "at BIGINT NOT NULL, seen BIGINT NOT NULL, data TEXT NOT NULL, UNIQUE (cluster, incarnation, timeline))"_s,
        u"CREATE TABLE renewals (row_id KEY, cluster BIGINT NOT NULL, incarnation TEXT NOT NULL, at BIGINT NOT NULL, n BIGINT NOT NULL, "
        "mean_us BIGINT NOT NULL, longest_us BIGINT NOT NULL, UNIQUE (cluster, at))"_s,
        u"CREATE TABLE audit (row_id KEY, id TEXT NOT NULL UNIQUE, at BIGINT NOT NULL, data TEXT NOT NULL)"_s,
        u"CREATE TABLE notes (row_id KEY, id TEXT NOT NULL UNIQUE, cluster BIGINT NOT NULL, incarnation TEXT NOT NULL, "
        "transition TEXT NOT NULL, at BIGINT NOT NULL, author TEXT NOT NULL, body TEXT NOT NULL)"_s,
        // what search() looks into: one line for a row of another table
        u"CREATE TABLE texts (row_id KEY, kind TEXT NOT NULL, cluster BIGINT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, "
        "body TEXT NOT NULL, UNIQUE (kind, cluster, id))"_s,
    };
}

QStringList firstIndexes()
{
    QStringList all;
    for (const QString &table :
         {u"events"_s, u"transitions"_s, u"requests"_s, u"snapshots"_s, u"configs"_s, u"timelines"_s, u"renewals"_s, u"notes"_s})
        all << u"CREATE INDEX "_s + table + u"_by_cluster ON "_s + table + u" (cluster, at)"_s;
    for (const QString &table :
         {u"events"_s, u"transitions"_s, u"requests"_s, u"snapshots"_s, u"configs"_s, u"renewals"_s, u"audit"_s, u"texts"_s})
        all << u"CREATE INDEX "_s + table + u"_by_time ON "_s + table + u" (at)"_s;
    return all;
}

Error fileError(const QString &file, ErrorKind kind, const char *message, const char *advice)
{
    Error error{kind};
    error.where = file.toStdString();
    error.message = message;
    error.advice = advice;
    return error;
}

Result<void> setVersion(Database &database, int version)
{
    if (!database.server()) {
        const auto set = database.change(u"PRAGMA user_version = "_s + QString::number(version));
        return set ? Result<void>() : tl::unexpected(set.error());
    }
    return database.script(
        {u"DELETE FROM archive_version"_s, u"INSERT INTO archive_version VALUES ("_s + QString::number(version) + u")"_s});
}

Result<void> takeSteps(Database &database, const Steps &steps)
{
    const int last = static_cast<int>(steps.size());
    const auto version = versionOf(database); // again: another program may have been quicker
    if (!version)
        return tl::unexpected(version.error());
    if (*version > last)
        return tl::unexpected(newer(database.location(), *version));
    for (std::size_t i = static_cast<std::size_t>(*version); i < steps.size(); ++i) {
        if (auto done = database.script(steps[i]); !done)
            return done;
    }
    return *version < last ? setVersion(database, last) : Result<void>();
}

// Whole words and their beginnings in one go, where SQLite was built with FTS5. Without it search() looks into every line.
void makeWordIndex(Database &database)
{
    const QStringList statements{
        u"CREATE VIRTUAL TABLE texts_words USING fts5(body, content='texts', content_rowid='row_id')"_s,
        u"CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN "
        "INSERT INTO texts_words(rowid, body) VALUES (new.row_id, new.body); END"_s,
        u"CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN "
        "INSERT INTO texts_words(texts_words, rowid, body) VALUES ('delete', old.row_id, old.body); END"_s,
        u"CREATE TRIGGER texts_changed AFTER UPDATE OF body ON texts BEGIN "
        "INSERT INTO texts_words(texts_words, rowid, body) VALUES ('delete', old.row_id, old.body); "
        "INSERT INTO texts_words(rowid, body) VALUES (new.row_id, new.body); END"_s,
        u"INSERT INTO texts_words(texts_words) VALUES ('rebuild')"_s,
    };
    database.findWordIndex();
    if (database.hasWordIndex() || database.server())
        return;
    std::ignore = database.transaction([&] { return database.script(statements); });
    database.findWordIndex();
}

} // namespace

Result<std::optional<FileHead>> readHead(const QString &file)
{
    QFile device(file);
    if (!device.exists())
        return std::nullopt;
    if (!device.open(QIODevice::ReadOnly)) {
        Error error = fileError(file, ErrorKind::Io, "", "check its owner and its rights");
        error.message = "the archive cannot be read: " + device.errorString().toStdString();
        return tl::unexpected(error);
    }
    const QByteArray head = device.read(100);
    if (head.isEmpty() && device.size() == 0)
        return std::nullopt;
    if (head.size() < 100 || !head.startsWith(QByteArrayView("SQLite format 3\0", 16)))
        return tl::unexpected(fileError(file, ErrorKind::BadInput, "this is not an archive: no SQLite database",
                                        "give another file; this one was left as it is"));
    return FileHead{qFromBigEndian<qint32>(head.constData() + 68), qFromBigEndian<qint32>(head.constData() + 60)};
}

Error newer(const Location &location, int version)
{
    Error error{ErrorKind::NotSupported};
    error.where = location.shown.toStdString();
    error.message = "the archive was written by a newer Switchyard (version " + std::to_string(version) + " of its tables, this one knows "
        + std::to_string(schemaVersion) + ")";
    error.advice = "use the newer program, or give another file; this one was left as it is";
    return error;
}

Result<int> versionOf(Database &database)
{
    if (!database.server()) {
        const auto rows = database.select(u"PRAGMA user_version"_s);
        return rows ? Result<int>(rows->empty() ? 0 : rows->front().front().toInt()) : tl::unexpected(rows.error());
    }
    const auto there = database.select(u"SELECT to_regclass('switchyard.archive_version') IS NOT NULL"_s);
    if (!there)
        return tl::unexpected(there.error());
    if (there->empty() || !there->front().front().toBool())
        return 0;
    const auto rows = database.select(u"SELECT version FROM switchyard.archive_version"_s);
    return rows ? Result<int>(rows->empty() ? 0 : rows->front().front().toInt()) : tl::unexpected(rows.error());
}

Steps schemaSteps(bool server)
{
    QStringList first = firstTables();
    first.replaceInStrings(u"row_id KEY"_s, server ? u"row_id BIGSERIAL PRIMARY KEY"_s : u"row_id INTEGER PRIMARY KEY"_s);
    return {first + firstIndexes()};
}

Result<void> migrate(Database &database)
{
    return migrate(database, schemaSteps(database.server()));
}

Result<void> migrate(Database &database, const Steps &steps)
{
    const int last = static_cast<int>(steps.size());
    const auto version = versionOf(database);
    if (!version)
        return tl::unexpected(version.error());
    if (*version > last)
        return tl::unexpected(newer(database.location(), *version));
    if (*version < last) {
        const auto done = database.transaction([&]() -> Result<void> {
            if (database.server()) {
                if (auto made = database.script({u"CREATE TABLE IF NOT EXISTS archive_version (version INTEGER NOT NULL)"_s}); !made)
                    return made;
            }
            return takeSteps(database, steps);
        });
        if (!done)
            return done;
    }
    makeWordIndex(database);
    return {};
}

} // namespace switchyard::archive
