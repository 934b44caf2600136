// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Archives in files of their own, for tests of what is written and read.
#include "app/archive/archive_reader.h"
#include "app/archive/row_writer.h"

#include <QTemporaryDir>

namespace switchyard::archive {

class ArchiveFiles
{
protected:
    QTemporaryDir m_folder;
    int m_count = 0;
    QString newFile() { return m_folder.filePath(QStringLiteral("a%1.sqlite").arg(++m_count)); }

    static std::unique_ptr<Database> open(const QString &file)
    {
        auto database = Database::open(*parseLocation(file), Database::Access::Write, std::chrono::seconds(3));
        if (!database)
            qFatal("%s", describe(database.error()).c_str());
        return std::move(*database);
    }
    static void write(Database &database, const Records &records)
    {
        const auto done = database.transaction([&]() -> Result<void> {
            RowWriter writer(database);
            for (const Record &record : records) {
                if (auto written = writer.write(record); !written)
                    return written;
            }
            return {};
        });
        if (!done)
            qFatal("%s", describe(done.error()).c_str());
    }
    static std::unique_ptr<ArchiveReader> reader(const QString &file)
    {
        auto opened = ArchiveReader::open(file);
        if (!opened)
            qFatal("%s", describe(opened.error()).c_str());
        return std::move(*opened);
    }
};

} // namespace switchyard::archive
