// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/zoned_time.h"

#include <QCoreApplication>

#include <set>

namespace switchyard::views {

namespace {

struct ZonedWords
{
    Q_DECLARE_TR_FUNCTIONS(ZonedTime)
};

} // namespace

// Every offset in force near that day is tried: those under which the typed time, taken to UTC and back, stays itself are what it can
// mean. QDateTime alone would silently choose one.
ZonedTime resolveZoned(const QDate &date, const QTime &time, const QTimeZone &zone)
{
    if (!date.isValid() || !time.isValid() || !zone.isValid())
        return {};
    const qint64 typed = QDateTime(date, time, QTimeZone::utc()).toSecsSinceEpoch();
    std::set<qint64> meanings;
    for (const qint64 near : {typed - 26 * 3600, typed - 13 * 3600, typed, typed + 13 * 3600, typed + 26 * 3600}) {
        const int offset = zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(near, QTimeZone::utc()));
        const qint64 meant = typed - offset;
        if (zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(meant, QTimeZone::utc())) == offset)
            meanings.insert(meant);
    }
    if (meanings.empty())
        return {ZonedTime::State::Skipped, std::nullopt};
    if (meanings.size() > 1)
        return {ZonedTime::State::Twice, std::nullopt};
    return {ZonedTime::State::Exact, Instant(std::chrono::seconds(*meanings.begin()))};
}

QString explained(const ZonedTime &time)
{
    switch (time.state) {
    case ZonedTime::State::Exact: return {};
    case ZonedTime::State::Skipped: return ZonedWords::tr("That local time does not exist: the clocks are put forward over it. Use UTC.");
    case ZonedTime::State::Twice:
        return ZonedWords::tr("That local time comes twice: the clocks are put back. Use UTC to say which is meant.");
    case ZonedTime::State::Invalid: break;
    }
    return ZonedWords::tr("That is not a time.");
}

} // namespace switchyard::views
