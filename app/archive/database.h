// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One connection to an archive, of the thread that opened it. Looks before it touches: a file that is not an archive, or one of a later
// version, is left as it is. The SQL in use is what SQLite and PostgreSQL have in common; the few differences are here and in schema.h.
#include "models/core/error.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariantList>

#include <chrono>
#include <map>
#include <memory>
#include <vector>

namespace switchyard::archive {

// Where an archive is, as given on the command line or in the settings.
struct Location
{
    bool server = false; // PostgreSQL
    QString file;        // of SQLite; absolute
    QString host, name, user;
    int port = -1;
    QString options; // as the driver takes them: sslmode=require;service=ops
    QString shown;   // for messages
    bool operator==(const Location &) const = default;
};
// postgresql://[USER@][HOST][:PORT]/[DATABASE][?sslmode=...&service=...], else a file. A password in it is refused.
Result<Location> parseLocation(const QString &text);

class Database
{
public:
    enum class Access { Read, Write };
    static Result<std::unique_ptr<Database>> open(const Location &location, Access access, std::chrono::milliseconds lockLimit);
    ~Database();
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    using Rows = std::vector<QVariantList>;
    Result<Rows> select(const QString &sql, const QVariantList &values = {});
    Result<int> change(const QString &sql, const QVariantList &values = {}); // rows that it touched
    Result<void> script(const QStringList &statements);
    // All or nothing. What `work` says went wrong undoes it.
    Result<void> transaction(const std::function<Result<void>()> &work);

    bool server() const { return m_location.server; }
    bool hasWordIndex() const { return m_wordIndex; }
    void findWordIndex();
    const Location &location() const { return m_location; }
    Result<std::int64_t> size();
    // The file is not the one that was opened any more: it was moved away or deleted.
    bool replaced() const;

private:
    Database(Location location, QString connection);
    Result<void> connect(Access access, std::chrono::milliseconds lockLimit);
    Result<void> openFile(Access access, std::chrono::milliseconds lockLimit);
    Result<void> openServer();
    Result<void> tryOpen(const QString &options);
    Result<void> checkFile(Access access);
    Error error(const QSqlError &problem, const char *what) const;
    QSqlDatabase database() const;
    QSqlQuery &prepared(const QString &sql);

    Location m_location;
    QString m_connection;
    bool m_wordIndex = false;
    std::uint64_t m_device = 0, m_inode = 0;
    std::map<QString, QSqlQuery> m_queries;
};

} // namespace switchyard::archive
