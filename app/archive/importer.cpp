// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/importer.h"

#include "app/archive/archive_reader.h"
#include "app/archive/row_writer.h"

namespace switchyard::archive {

namespace {

Result<void> writePage(Database &database, const Records &records)
{
    return database.transaction([&]() -> Result<void> {
        RowWriter writer(database);
        for (const Record &record : records) {
            if (auto written = writer.write(record); !written)
                return written;
        }
        return {};
    });
}

template<class T>
using Question = Result<Page<T>> (ArchiveReader::*)(const Query &);

template<class T>
Result<std::int64_t> copyAll(Database &database, ArchiveReader &reader, Question<T> question)
{
    std::int64_t count = 0;
    Query query;
    query.newestFirst = false;
    do {
        auto page = (reader.*question)(query);
        if (!page)
            return tl::unexpected(page.error());
        Records records;
        for (T &row : page->rows) {
            if constexpr (std::is_same_v<T, TransitionRecord>)
                row.transition.fromArchive = false;
            records.emplace_back(std::move(row));
        }
        if (const auto written = writePage(database, records); !written)
            return tl::unexpected(written.error());
        count += static_cast<std::int64_t>(records.size());
        query.after = page->next;
    } while (query.after);
    return count;
}

} // namespace

Result<std::int64_t> importInto(Database &database, const QString &from)
{
    const auto reader = ArchiveReader::open(from);
    if (!reader)
        return tl::unexpected(reader.error());
    std::int64_t count = 0;
    const auto add = [&](const Result<std::int64_t> &some) {
        count += some.value_or(0);
        return some.has_value() ? Result<void>() : tl::unexpected(some.error());
    };
    ArchiveReader &other = **reader;
    const std::function<Result<void>()> parts[] = {
        [&] { return add(copyAll<EventRecord>(database, other, &ArchiveReader::events)); },
        [&] { return add(copyAll<TransitionRecord>(database, other, &ArchiveReader::transitions)); },
        [&] { return add(copyAll<RequestRecord>(database, other, &ArchiveReader::requests)); },
        [&] { return add(copyAll<SnapshotRecord>(database, other, &ArchiveReader::snapshots)); },
        [&] { return add(copyAll<ConfigRecord>(database, other, &ArchiveReader::configs)); },
        [&] { return add(copyAll<TimelineRecord>(database, other, &ArchiveReader::timelines)); },
        [&] { return add(copyAll<RenewRecord>(database, other, &ArchiveReader::renewals)); },
        [&] { return add(copyAll<AuditRecord>(database, other, &ArchiveReader::audit)); },
        [&] { return add(copyAll<NoteRecord>(database, other, &ArchiveReader::notes)); },
    };
    for (const auto &part : parts) {
        if (const auto done = part(); !done)
            return tl::unexpected(done.error());
    }
    return count;
}

} // namespace switchyard::archive
