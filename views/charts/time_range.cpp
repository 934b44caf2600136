// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/time_range.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <array>
#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

struct TimeRangeWords
{
    Q_DECLARE_TR_FUNCTIONS(TimeRange)
};

// Distances of ticks that people read easily, in milliseconds.
constexpr std::array<qint64, 29> steps{50,         100,        250,        500,        1000,       5000,      10000,     15000,
                                       30000,      60000,      120000,     300000,     600000,     900000,    1800000,   3600000,
                                       7200000,    10800000,   21600000,   43200000,   86400000,   172800000, 345600000, 604800000,
                                       1209600000, 2592000000, 5184000000, 7776000000, 31536000000};

constexpr int pixelsPerTick = 130;

qint64 milliseconds(Instant t)
{
    return std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count();
}

Instant instant(qint64 milliseconds)
{
    return Instant(std::chrono::milliseconds(milliseconds));
}

QString formatFor(qint64 step)
{
    return step < 1000    ? u"HH:mm:ss.zzz"_s
        : step < 60000    ? u"HH:mm:ss"_s
        : step < 21600000 ? u"HH:mm"_s
        : step < 86400000 ? u"dd MMM HH:mm"_s
                          : u"yyyy-MM-dd"_s;
}

QDateTime localTime(Instant t)
{
    return QDateTime::fromMSecsSinceEpoch(milliseconds(t));
}

Duration scaled(Duration d, double factor)
{
    return Duration(std::llround(static_cast<double>(d.count()) * factor));
}

} // namespace

TimeRange bounded(TimeRange range, const TimeRange &all)
{
    const Duration length = std::max(range.length(), shortestRange);
    if (length >= all.length())
        return all.length() >= shortestRange ? all : TimeRange{all.to - shortestRange, all.to};
    range.to = range.from + length;
    if (range.from < all.from)
        return {all.from, all.from + length};
    if (range.to > all.to)
        return {all.to - length, all.to};
    return range;
}

TimeRange zoomed(const TimeRange &range, double factor, Instant around, const TimeRange &all)
{
    const double share = std::clamp(toSeconds(around - range.from) / std::max(1e-6, toSeconds(range.length())), 0.0, 1.0);
    const Duration length = std::max(scaled(range.length(), factor), shortestRange);
    const Instant from = around - scaled(length, share);
    return bounded({from, from + length}, all);
}

TimeRange panned(const TimeRange &range, Duration by, const TimeRange &all)
{
    return bounded({range.from + by, range.to + by}, all);
}

QList<TimeTick> timeTicks(const TimeRange &range, int pixels)
{
    const qint64 from = milliseconds(range.from), to = milliseconds(range.to);
    const qint64 most = std::clamp(pixels / pixelsPerTick, 1, 12);
    const auto fits = [&](qint64 step) { return (to - from) / step <= most; };
    const auto found = std::find_if(steps.begin(), steps.end(), fits);
    const qint64 step = found == steps.end() ? steps.back() : *found;
    const qint64 offset = 1000 * static_cast<qint64>(localTime(range.to).offsetFromUtc());
    QList<TimeTick> ticks;
    for (qint64 t = (from + offset + step - 1) / step * step - offset; t <= to; t += step)
        ticks.append({instant(t), localTime(instant(t)).toString(formatFor(step))});
    return ticks;
}

QString exactText(Instant t)
{
    const QDateTime local = localTime(t);
    return local.toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u' ' + local.timeZoneAbbreviation();
}

QString exactTextUtc(Instant t)
{
    return localTime(t).toUTC().toString(u"yyyy-MM-dd HH:mm:ss.zzz"_s) + u" UTC"_s;
}

QString rangeText(const TimeRange &range)
{
    return TimeRangeWords::tr("%1 to %2", "times").arg(exactText(range.from), exactText(range.to));
}

} // namespace switchyard::views
