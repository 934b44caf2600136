// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of an archive and their versions. Times are microseconds since 1970 in UTC; group -1: none.
#include "app/archive/database.h"

namespace switchyard::archive {

constexpr int schemaVersion = 1;
constexpr std::int32_t applicationId = 0x53775972; // "SwYr", in the head of an SQLite file

// Whose file it is and which version, read from its head without opening it as a database. nullopt: empty, to be begun.
struct FileHead
{
    std::int32_t application = 0, version = 0;
};
Result<std::optional<FileHead>> readHead(const QString &file);

// The version that the database has; 0: none yet.
Result<int> versionOf(Database &database);
// What leads from version n to n + 1, one after the other.
using Steps = std::vector<QStringList>;
Steps schemaSteps(bool server);
// Brings it up to the version that the steps lead to, all of them or none; an error and no change when it is newer.
Result<void> migrate(Database &database, const Steps &steps);
Result<void> migrate(Database &database); // up to schemaVersion
Error newer(const Location &location, int version);

} // namespace switchyard::archive
