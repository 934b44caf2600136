// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/retention.h"

#include "app/archive/row_values.h"

namespace switchyard::archive {

using namespace Qt::StringLiterals;

namespace {

constexpr int rowsAtOnce = 2000;
constexpr std::chrono::hours youngest{1}; // never taken out, however large the file is

struct Aged
{
    const char16_t *table, *column;
    const char16_t *condition; // of what may go
};
// A configuration is needed until the next one, also when it was set long ago.
const Aged aged[] = {
    {u"events", u"at", u"NOT EXISTS (SELECT 1 FROM notes n WHERE n.cluster = events.cluster AND n.transition = events.id)"},
    {u"snapshots", u"at", u"1 = 1"},
    {u"renewals", u"at", u"1 = 1"},
    {u"transitions", u"at",
     u"NOT EXISTS (SELECT 1 FROM notes n JOIN transition_ids i ON i.cluster = n.cluster AND i.id = n.transition "
     u"WHERE i.of_row = transitions.row_id)"},
    {u"requests", u"at", u"1 = 1"},
    {u"configs", u"at", u"EXISTS (SELECT 1 FROM configs n WHERE n.cluster = configs.cluster AND n.at > configs.at)"},
    {u"timelines", u"seen", u"1 = 1"},
    {u"audit", u"at", u"1 = 1"},
};

// Texts of rows that are gone. By their own times, as their rows were; those of notes and of what notes are on stay.
const char16_t *const agedTexts =
    u"kind <> 'note' AND NOT EXISTS (SELECT 1 FROM transitions t WHERE texts.kind = 'transition' "
    "AND t.cluster = texts.cluster AND t.id = texts.id) AND NOT EXISTS (SELECT 1 FROM events e WHERE "
    "texts.kind = 'event' AND e.cluster = texts.cluster AND e.id = texts.id) AND NOT EXISTS (SELECT 1 FROM configs c WHERE "
    "texts.kind = 'config' AND c.cluster = texts.cluster AND c.version = texts.id) AND NOT EXISTS "
    "(SELECT 1 FROM timelines l WHERE texts.kind = 'timeline' AND l.cluster = texts.cluster AND l.at = texts.at)";

Result<int> takeOut(Database &database, const Aged &from, Instant before)
{
    const QString table = QString::fromUtf16(from.table);
    return database.change(u"DELETE FROM "_s + table + u" WHERE row_id IN (SELECT row_id FROM "_s + table + u" WHERE "_s
                               + QString::fromUtf16(from.column) + u" < ? AND "_s + QString::fromUtf16(from.condition) + u" ORDER BY "_s
                               + QString::fromUtf16(from.column) + u" LIMIT "_s + QString::number(rowsAtOnce) + u')',
                           {toSql(before)});
}

Result<bool> takeOutBefore(Database &database, Instant before)
{
    bool more = false;
    const auto done = database.transaction([&]() -> Result<void> {
        for (const Aged &from : aged) {
            const auto gone = takeOut(database, from, before);
            if (!gone)
                return tl::unexpected(gone.error());
            more = more || *gone == rowsAtOnce;
        }
        if (more)
            return {}; // their texts follow
        const auto ids = database.change(u"DELETE FROM transition_ids WHERE NOT EXISTS (SELECT 1 FROM transitions t WHERE "
                                         "t.row_id = transition_ids.of_row)"_s);
        if (!ids)
            return tl::unexpected(ids.error());
        const auto gone = takeOut(database, {u"texts", u"at", agedTexts}, before);
        if (!gone)
            return tl::unexpected(gone.error());
        more = *gone == rowsAtOnce;
        return {};
    });
    if (!done)
        return tl::unexpected(done.error());
    return more;
}

// The time before which a twentieth of the events and snapshots lies: what fills a file.
Result<std::optional<Instant>> oldestPart(Database &database)
{
    std::optional<Instant> cut;
    for (const QString &table : {u"events"_s, u"snapshots"_s, u"renewals"_s}) {
        const auto rows = database.select(u"SELECT at FROM "_s + table + u" ORDER BY at LIMIT 1 OFFSET (SELECT (count(*) + 19) / 20 FROM "_s
                                          + table + u')');
        if (!rows)
            return tl::unexpected(rows.error());
        if (!rows->empty() && (!cut || instantOf(rows->front().front()) > *cut))
            cut = instantOf(rows->front().front());
    }
    return cut;
}

Result<bool> shrink(Database &database, std::int64_t most, Instant now)
{
    const auto size = database.size();
    if (!size)
        return tl::unexpected(size.error());
    if (*size <= most)
        return false;
    const auto cut = oldestPart(database);
    if (!cut)
        return tl::unexpected(cut.error());
    if (!*cut || **cut > now - youngest)
        return false;
    const auto more = takeOutBefore(database, **cut + Duration(1));
    return more ? Result<bool>(true) : more;
}

// Gives the pages back to the disk.
Result<void> vacuum(Database &database)
{
    if (database.server())
        return {}; // its own autovacuum does that
    const auto rows = database.select(u"PRAGMA freelist_count"_s);
    if (!rows)
        return tl::unexpected(rows.error());
    if (rows->front().front().toInt() == 0)
        return {};
    const auto given = database.select(u"PRAGMA incremental_vacuum(4000)"_s);
    return given ? Result<void>() : tl::unexpected(given.error());
}

} // namespace

Result<bool> tidy(Database &database, const Limits &limits, Instant now)
{
    Result<bool> more = false;
    if (limits.keep.count() > 0)
        more = takeOutBefore(database, now - limits.keep);
    if (more && !*more && limits.most > 0)
        more = shrink(database, limits.most, now);
    if (!more)
        return more;
    const auto given = vacuum(database);
    return given ? more : tl::unexpected(given.error());
}

} // namespace switchyard::archive
