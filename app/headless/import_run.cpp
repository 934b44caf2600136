// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/archive.h"
#include "app/archive/archive_reader.h"
#include "app/archive/importer.h"
#include "app/headless/run.h"

#include <QFileInfo>

namespace switchyard::headless {

namespace {

constexpr std::chrono::seconds lockLimit(10); // a window may write at the same time

bool isSame(const archive::Location &a, const archive::Location &b)
{
    if (a.server || b.server)
        return a == b;
    const QString file = QFileInfo(a.file).canonicalFilePath();
    return !file.isEmpty() && file == QFileInfo(b.file).canonicalFilePath();
}

// The other one is looked at first: a wrong name leaves nothing behind.
Result<std::int64_t> import(const QString &from, const archive::Location &into)
{
    if (const auto readable = archive::ArchiveReader::open(from); !readable)
        return tl::unexpected(readable.error());
    const auto database = archive::Database::open(into, archive::Database::Access::Write, lockLimit);
    return database ? archive::importInto(**database, from) : tl::unexpected(database.error());
}

} // namespace

int runImport(const Options &options, const Sinks &sinks)
{
    const auto couldNot = [&](const std::string &message) {
        sinks.err(message);
        return CouldNot;
    };
    const auto from = archive::parseLocation(*options.from);
    if (!from)
        return couldNot(describe(from.error()));
    const auto into = archive::parseLocation(options.archive.value_or(archive::Archive::standardPath()));
    if (!into)
        return couldNot(describe(into.error()));
    if (isSame(*from, *into))
        return couldNot(from->shown.toStdString() + ": this is the archive itself; name another one with --from");
    const auto rows = import(*options.from, *into);
    if (!rows)
        return couldNot(describe(rows.error()));
    const bool said = sinks.out(std::to_string(*rows) + (*rows == 1 ? " row of " : " rows of ") + from->shown.toStdString()
                                + (*rows == 1 ? " is in " : " are in ") + into->shown.toStdString() + '\n');
    return said ? Answered : couldNot("cannot write the answer to standard output");
}

} // namespace switchyard::headless
