// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/database.h"

#include "app/archive/schema.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlRecord>
#include <QUrl>

#include <atomic>

#include <sys/stat.h>

namespace switchyard::archive {

using namespace Qt::StringLiterals;

namespace {

QString newName()
{
    static std::atomic<int> count{0};
    return u"archive-"_s + QString::number(++count);
}

// SQLite's result codes, sqlite.org/rescode.html
enum Sqlite { Busy = 5, Locked = 6, ReadOnly = 8, IoError = 10, Corrupt = 11, Full = 13, CannotOpen = 14, NotADatabase = 26 };

struct Said
{
    ErrorKind kind;
    const char *message, *advice;
};

Said saidOf(int sqliteCode)
{
    switch (sqliteCode & 0xff) {
    case Busy:
    case Locked: return {ErrorKind::Io, "the archive is locked by another program", "it is tried again; end the program that holds it"};
    case ReadOnly: return {ErrorKind::Io, "the archive may not be written", "give yourself the right to write the file and its folder"};
    case IoError: return {ErrorKind::Io, "the archive cannot be written or read", "is the disk full or damaged, or a limit reached?"};
    case Corrupt:
        return {ErrorKind::BadInput, "the archive is damaged",
                "move the file away, a new one is begun; sqlite3 FILE .recover may save what it holds"};
    case Full: return {ErrorKind::Io, "the disk is full", "make room; it is tried again, and kept in memory until then"};
    case CannotOpen: return {ErrorKind::Io, "the archive cannot be opened", "check that the folder is there and may be written"};
    case NotADatabase:
        return {ErrorKind::BadInput, "this is not an archive, or it is damaged",
                "give another file, or move it away; it was left as it is"};
    default: return {ErrorKind::Io, "the archive cannot be used", ""};
    }
}

QString connectOptions(Database::Access access, std::chrono::milliseconds lockLimit, bool immutable)
{
    QString options = u"QSQLITE_BUSY_TIMEOUT="_s + QString::number(lockLimit.count());
    if (access == Database::Access::Read)
        options += u";QSQLITE_OPEN_READONLY"_s;
    if (immutable)
        options += u";QSQLITE_OPEN_URI"_s;
    return options;
}

Error fileError(const Location &location, ErrorKind kind, const std::string &message, const char *advice)
{
    Error error{kind};
    error.where = location.shown.toStdString();
    error.message = message;
    error.advice = advice;
    return error;
}

// The file, readable by nobody else, when there is none yet.
Result<void> makeFile(const Location &location)
{
    const QFileInfo info(location.file);
    if (info.exists())
        return {};
    if (!QDir(info.path()).exists() && !QDir().mkpath(info.path()))
        return tl::unexpected(fileError(location, ErrorKind::Io, "the folder " + info.path().toStdString() + " cannot be made",
                                        "make it, or name another file"));
    QFile file(location.file);
    if (!file.open(QIODevice::WriteOnly | QIODevice::NewOnly, QFileDevice::ReadOwner | QFileDevice::WriteOwner) && !file.exists())
        return tl::unexpected(fileError(location, ErrorKind::Io, "the archive cannot be made: " + file.errorString().toStdString(),
                                        "give yourself the right to write its folder, or name another file"));
    return {};
}

} // namespace

Database::Database(Location location, QString connection)
    : m_location(std::move(location))
    , m_connection(std::move(connection))
{}

Database::~Database()
{
    m_queries.clear();
    QSqlDatabase::removeDatabase(m_connection);
}

QSqlDatabase Database::database() const
{
    return QSqlDatabase::database(m_connection, false);
}

Result<std::unique_ptr<Database>> Database::open(const Location &location, Access access, std::chrono::milliseconds lockLimit)
{
    const QString driver = location.server ? u"QPSQL"_s : u"QSQLITE"_s;
    if (!QSqlDatabase::isDriverAvailable(driver))
        return tl::unexpected(fileError(location, ErrorKind::NotSupported, "Qt's driver " + driver.toStdString() + " is not installed",
                                        location.server ? "install libqt6sql6-psql" : "install libqt6sql6-sqlite"));
    std::unique_ptr<Database> database(new Database(location, newName()));
    QSqlDatabase::addDatabase(driver, database->m_connection);
    const auto opened = database->connect(access, lockLimit);
    if (!opened)
        return tl::unexpected(opened.error());
    return database;
}

Result<void> Database::connect(Access access, std::chrono::milliseconds lockLimit)
{
    auto opened = m_location.server ? openServer() : openFile(access, lockLimit);
    if (!opened)
        return opened;
    if (access == Access::Write)
        return migrate(*this);
    const auto version = versionOf(*this);
    if (!version)
        return tl::unexpected(version.error());
    if (*version > schemaVersion)
        return tl::unexpected(newer(m_location, *version));
    if (*version == 0)
        return tl::unexpected(fileError(m_location, ErrorKind::BadInput, "the archive is empty", "nothing was written to it yet"));
    findWordIndex();
    return {};
}

Result<void> Database::checkFile(Access access)
{
    if (QFileInfo(m_location.file).isDir())
        return tl::unexpected(fileError(m_location, ErrorKind::BadInput, "this is a folder", "name a file in it"));
    if (access == Access::Read && !QFileInfo::exists(m_location.file))
        return tl::unexpected(fileError(m_location, ErrorKind::NotFound, "there is no such archive", "check the name"));
    const auto head = readHead(m_location.file);
    if (!head)
        return tl::unexpected(head.error());
    if (!*head)
        return access == Access::Write ? makeFile(m_location) : Result<void>();
    if ((*head)->application != applicationId)
        return tl::unexpected(fileError(m_location, ErrorKind::BadInput, "this is another program's database, not an archive of Switchyard",
                                        "give another file; this one was left as it is"));
    if ((*head)->version > schemaVersion)
        return tl::unexpected(newer(m_location, (*head)->version));
    return {};
}

Result<void> Database::tryOpen(const QString &options)
{
    m_queries.clear();
    QSqlDatabase connection = database();
    connection.close();
    connection.setConnectOptions(options);
    if (!connection.open())
        return tl::unexpected(error(connection.lastError(), "open"));
    const auto rows = select(u"SELECT count(*) FROM sqlite_master"_s); // the first look at the file
    return rows ? Result<void>() : tl::unexpected(rows.error());
}

Result<void> Database::openFile(Access access, std::chrono::milliseconds lockLimit)
{
    if (auto checked = checkFile(access); !checked)
        return checked;
    struct ::stat status = {};
    if (::stat(QFile::encodeName(m_location.file).constData(), &status) == 0) {
        m_device = status.st_dev;
        m_inode = status.st_ino;
    }
    database().setDatabaseName(m_location.file);
    auto opened = tryOpen(connectOptions(access, lockLimit, false));
    if (!opened && access == Access::Read && QFileInfo(m_location.file + u"-wal"_s).size() == 0) {
        // A folder that may not be written, and nobody writes: SQLite's shared memory is not needed
        database().setDatabaseName(QString::fromLatin1(QUrl::fromLocalFile(m_location.file).toEncoded()) + u"?immutable=1"_s);
        if (tryOpen(connectOptions(access, lockLimit, true)))
            return {};
    }
    if (!opened || access == Access::Read)
        return opened;
    // Whose file it is has to be in its head before anything else: this order, before the journal is another file
    if (auto asked = select(u"PRAGMA application_id"_s); asked && asked->front().front().toInt() != applicationId) {
        opened = script({u"PRAGMA auto_vacuum = INCREMENTAL"_s, u"PRAGMA application_id = "_s + QString::number(applicationId)});
        if (!opened)
            return opened;
    }
    return script({u"PRAGMA journal_mode = WAL"_s, u"PRAGMA synchronous = NORMAL"_s, u"PRAGMA temp_store = MEMORY"_s});
}

Result<void> Database::openServer()
{
    QSqlDatabase connection = database();
    connection.setHostName(m_location.host);
    connection.setDatabaseName(m_location.name);
    connection.setUserName(m_location.user);
    if (m_location.port > 0)
        connection.setPort(m_location.port);
    connection.setConnectOptions(m_location.options);
    if (!connection.open())
        return tl::unexpected(error(connection.lastError(), "open"));
    const auto there = select(u"SELECT count(*) FROM information_schema.schemata WHERE schema_name = 'switchyard'"_s);
    if (!there)
        return tl::unexpected(there.error());
    if (there->front().front().toInt() == 0) {
        if (auto made = script({u"CREATE SCHEMA IF NOT EXISTS switchyard"_s}); !made)
            return made;
    }
    return script({u"SET search_path TO switchyard"_s, u"SET lock_timeout TO '10s'"_s});
}

Error Database::error(const QSqlError &problem, const char *what) const
{
    if (m_location.server) {
        Error error = fileError(m_location, database().isOpen() ? ErrorKind::Io : ErrorKind::Unreachable, "", "");
        error.message = (what == std::string_view("open") ? "the archive's server cannot be reached: " : "the archive's server says: ")
            + problem.databaseText().simplified().toStdString();
        error.advice = "check the server, the database and your password file; it is tried again";
        return error;
    }
    const Said said = saidOf(problem.nativeErrorCode().toInt());
    Error error = fileError(m_location, said.kind, said.message, said.advice);
    const QString text = problem.databaseText().simplified();
    if (!text.isEmpty())
        error.message += " (" + text.toStdString() + ')';
    return error;
}

QSqlQuery &Database::prepared(const QString &sql)
{
    const auto known = m_queries.find(sql);
    if (known != m_queries.end())
        return known->second;
    QSqlQuery query(database());
    query.setForwardOnly(!m_location.server);
    query.prepare(sql);
    return m_queries.emplace(sql, std::move(query)).first->second;
}

namespace {

bool run(QSqlQuery &query, const QVariantList &values)
{
    for (int i = 0; i < values.size(); ++i)
        query.bindValue(i, values[i]);
    return query.lastError().type() == QSqlError::NoError && query.exec();
}

} // namespace

Result<Database::Rows> Database::select(const QString &sql, const QVariantList &values)
{
    QSqlQuery &query = prepared(sql);
    if (!run(query, values)) {
        const Error problem = error(query.lastError(), "read");
        m_queries.erase(sql);
        return tl::unexpected(problem);
    }
    Rows rows;
    const int columns = query.record().count();
    while (query.next()) {
        QVariantList &row = rows.emplace_back();
        for (int i = 0; i < columns; ++i)
            row << query.value(i);
    }
    const QSqlError after = query.lastError();
    query.finish(); // or it would hold its snapshot of the database
    if (after.type() != QSqlError::NoError) {
        m_queries.erase(sql);
        return tl::unexpected(error(after, "read"));
    }
    return rows;
}

Result<int> Database::change(const QString &sql, const QVariantList &values)
{
    QSqlQuery &query = prepared(sql);
    if (!run(query, values)) {
        const Error problem = error(query.lastError(), "write");
        m_queries.erase(sql);
        return tl::unexpected(problem);
    }
    const int touched = query.numRowsAffected();
    query.finish();
    return touched;
}

Result<void> Database::script(const QStringList &statements)
{
    for (const QString &statement : statements) {
        QSqlQuery query(database());
        if (!query.exec(statement))
            return tl::unexpected(error(query.lastError(), "write"));
    }
    return {};
}

Result<void> Database::transaction(const std::function<Result<void>()> &work)
{
    // SQLite: wait for the lock here, not in the middle. A server: one writer after another, for rows are read, merged and written.
    const QStringList begin = m_location.server ? QStringList{u"BEGIN"_s, u"SELECT pg_advisory_xact_lock(1400331634)"_s}
                                                : QStringList{u"BEGIN IMMEDIATE"_s};
    auto done = script(begin);
    if (done)
        done = work();
    if (done)
        done = script({u"COMMIT"_s});
    if (!done)
        std::ignore = script({u"ROLLBACK"_s});
    return done;
}

void Database::findWordIndex()
{
    if (m_location.server)
        return;
    const auto rows = select(u"SELECT count(*) FROM sqlite_master WHERE name = 'texts_words'"_s);
    m_wordIndex = rows && rows->front().front().toInt() > 0;
}

Result<std::int64_t> Database::size()
{
    const QString sql = m_location.server
        ? u"SELECT CAST(coalesce(sum(pg_total_relation_size(c.oid)), 0) AS BIGINT) FROM pg_class c "
          "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'switchyard' AND c.relkind = 'r'"_s
        : u"SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"_s;
    const auto rows = select(sql);
    return rows ? Result<std::int64_t>(rows->front().front().toLongLong()) : tl::unexpected(rows.error());
}

bool Database::replaced() const
{
    struct ::stat status = {};
    if (m_location.server)
        return false;
    return ::stat(QFile::encodeName(m_location.file).constData(), &status) != 0 || status.st_dev != m_device || status.st_ino != m_inode;
}

} // namespace switchyard::archive
