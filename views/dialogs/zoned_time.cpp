// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/zoned_time.h"

#include <QCoreApplication>

#include <map>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct ZonedWords
{
    Q_DECLARE_TR_FUNCTIONS(ZonedTime)
};

constexpr qint64 farAway = 26 * 3600; // more than any two offsets differ

int offsetAt(const QTimeZone &zone, qint64 seconds)
{
    return zone.offsetFromUtc(QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc()));
}

// The wall clock as digits, which no zone rule bends.
QDateTime wall(qint64 seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc());
}

// Where between two moments of different offsets the clocks are put forward.
void findGap(ZonedTime &result, const QTimeZone &zone, qint64 typed)
{
    qint64 early = typed - farAway, late = typed + farAway;
    const int before = offsetAt(zone, early), after = offsetAt(zone, late);
    if (before >= after)
        return;
    while (late - early > 1) {
        const qint64 middle = early + (late - early) / 2;
        (offsetAt(zone, middle) == before ? early : late) = middle;
    }
    result.gapFrom = wall(late + before);
    result.gapTo = wall(late + offsetAt(zone, late));
}

} // namespace

// Every offset in force near that day is tried: those under which the typed time, taken to UTC and back, stays itself are what it can
// mean. QDateTime alone would silently choose one.
ZonedTime resolveZoned(const QDate &date, const QTime &time, const QTimeZone &zone)
{
    if (!date.isValid() || !time.isValid() || !zone.isValid())
        return {};
    const qint64 typed = QDateTime(date, time, QTimeZone::utc()).toSecsSinceEpoch();
    std::map<qint64, int> meanings;
    for (const qint64 near : {typed - farAway, typed - farAway / 2, typed, typed + farAway / 2, typed + farAway}) {
        const int offset = offsetAt(zone, near);
        if (offsetAt(zone, typed - offset) == offset)
            meanings.emplace(typed - offset, offset);
    }
    ZonedTime result;
    for (const auto &meaning : meanings)
        result.meanings.append({Instant(std::chrono::seconds(meaning.first)), meaning.second});
    if (meanings.empty()) {
        result.state = ZonedTime::State::Skipped;
        findGap(result, zone, typed);
    } else if (meanings.size() > 1) {
        result.state = ZonedTime::State::Twice;
    } else {
        result.state = ZonedTime::State::Exact;
        result.instant = result.meanings.front().instant;
    }
    return result;
}

QString explained(const ZonedTime &time)
{
    switch (time.state) {
    case ZonedTime::State::Exact: return {};
    case ZonedTime::State::Skipped:
        if (!time.gapFrom.isValid())
            return ZonedWords::tr("That time does not exist there: the clocks are put forward over it. Choose a time before or after.");
        return ZonedWords::tr("That time does not exist there: the clocks are put forward from %1 to %2. Choose a time before or after.")
            .arg(time.gapFrom.toString(u"yyyy-MM-dd HH:mm"_s), time.gapTo.toString(u"yyyy-MM-dd HH:mm"_s));
    case ZonedTime::State::Twice:
        return ZonedWords::tr("That time comes twice there: the clocks are put back over it. Choose which of the two is meant.");
    case ZonedTime::State::Invalid: break;
    }
    return ZonedWords::tr("That is not a time in a known zone.");
}

QString offsetText(int seconds)
{
    const int minutes = qAbs(seconds) / 60;
    // Not a char16_t: that would be written as a number.
    const QString sign = seconds < 0 ? u"-"_s : u"+"_s;
    return u"UTC%1%2:%3"_s.arg(sign).arg(minutes / 60, 2, 10, QLatin1Char('0')).arg(minutes % 60, 2, 10, QLatin1Char('0'));
}

QList<NamedZone> namedZones()
{
    const QByteArray local = QTimeZone::systemTimeZoneId();
    QList<NamedZone> zones{{ZonedWords::tr("local time (%1)").arg(QString::fromLatin1(local)), local}, {u"UTC"_s, "UTC"}};
    const QList<QByteArray> ids = QTimeZone::availableTimeZoneIds();
    for (const QByteArray &id : ids) {
        if (id != "UTC" && !id.startsWith("UTC+") && !id.startsWith("UTC-")) // fixed offsets are no zones
            zones.append({QString::fromLatin1(id), id});
    }
    return zones;
}

} // namespace switchyard::views
