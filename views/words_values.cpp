// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/words.h"
#include "views/words_tr.h"

#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QDateTime localTime(Instant t)
{
    return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count());
}

// Two units at most: the smaller one is left out when it is zero.
QString twoUnits(qint64 big, const QString &bigUnit, qint64 small, const QString &smallUnit)
{
    return small == 0 ? u"%1 %2"_s.arg(QString::number(big), bigUnit)
                      : u"%1 %2 %3 %4"_s.arg(QString::number(big), bigUnit, QString::number(small), smallUnit);
}

QString fromMinuteOn(qint64 seconds)
{
    const QString d = Words::tr("d", "unit: days"), h = Words::tr("h", "unit: hours"), min = Words::tr("min", "unit: minutes");
    if (seconds < 3600)
        return twoUnits(seconds / 60, min, seconds % 60, Words::tr("s", "unit: seconds"));
    if (seconds < 86400)
        return twoUnits(seconds / 3600, h, seconds % 3600 / 60, min);
    return twoUnits(seconds / 86400, d, seconds % 86400 / 3600, h);
}

} // namespace

QString durationText(Duration d)
{
    if (d < Duration::zero())
        return u"-"_s + durationText(-d);
    const qint64 ms = std::chrono::floor<std::chrono::milliseconds>(d).count();
    if (ms < 1000)
        return Words::tr("%1 ms").arg(ms);
    if (ms < 10'000) // cut, not rounded: 9.96 s must not become 10.0 s
        return Words::tr("%1.%2 s", "seconds with one decimal").arg(ms / 1000).arg(ms % 1000 / 100);
    if (ms < 60'000)
        return Words::tr("%1 s").arg(ms / 1000);
    return fromMinuteOn(ms / 1000);
}

QString secondsText(Duration d)
{
    if (d < Duration::zero())
        return u"-"_s + secondsText(-d);
    const qint64 s = std::chrono::floor<std::chrono::seconds>(d).count();
    return s < 60 ? Words::tr("%1 s").arg(s) : fromMinuteOn(s);
}

QString coarseText(Duration d)
{
    const qint64 s = std::chrono::floor<std::chrono::seconds>(d).count();
    if (s < 60)
        return Words::tr("%1 s").arg(s);
    if (s < 3600)
        return Words::tr("%1 min").arg(s / 60);
    return s < 86400 ? Words::tr("%1 h").arg(s / 3600) : Words::tr("%1 d").arg(s / 86400);
}

QString agoText(std::optional<Boot> t, Now now)
{
    if (!t)
        return unknownText();
    return Words::tr("%1 ago").arg(secondsText(std::max(Duration::zero(), now.boot - *t)));
}

QString untilText(Duration d)
{
    return d < Duration::zero() ? Words::tr("%1 ago").arg(secondsText(-d)) : Words::tr("in %1").arg(secondsText(d));
}

QString bytesText(std::uint64_t bytes)
{
    if (bytes < 1024)
        return Words::tr("%1 B", "bytes").arg(bytes);
    static constexpr const char *units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1023.95 && unit + 1 < std::size(units)) { // 1023.95 would be printed as 1024.0
        value /= 1024;
        ++unit;
    }
    return u"%1 %2"_s.arg(QString::number(value, 'f', 1), QString::fromLatin1(units[unit]));
}

QString bytesExactText(std::uint64_t bytes)
{
    QString digits = QString::number(bytes);
    for (qsizetype i = digits.size() - 3; i > 0; i -= 3)
        digits.insert(i, u',');
    return bytes == 1 ? Words::tr("1 byte") : Words::tr("%1 bytes").arg(digits);
}

QString lagText(std::optional<std::uint64_t> bytes)
{
    return bytes ? bytesText(*bytes) : unknownText();
}

QString timeText(Instant t)
{
    const QDateTime local = localTime(t);
    const bool today = local.date() == QDate::currentDate();
    return local.toString(today ? u"HH:mm:ss"_s : u"yyyy-MM-dd HH:mm:ss"_s) + u' ' + local.timeZoneAbbreviation();
}

QString timeTextUtc(Instant t)
{
    return localTime(t).toUTC().toString(u"yyyy-MM-dd HH:mm:ss"_s) + u" UTC"_s;
}

QString zoneText()
{
    const QDateTime now = QDateTime::currentDateTime();
    const int minutes = now.offsetFromUtc() / 60;
    if (minutes == 0 && now.timeZoneAbbreviation() == "UTC"_L1)
        return u"UTC"_s;
    const QString offset = u"UTC%1%2:%3"_s.arg(minutes < 0 ? u"-"_s : u"+"_s)
                               .arg(qAbs(minutes) / 60, 2, 10, QChar(u'0'))
                               .arg(qAbs(minutes) % 60, 2, 10, QChar(u'0'));
    return u"%1 (%2)"_s.arg(offset, now.timeZoneAbbreviation());
}

QString unknownText()
{
    return Words::tr("unknown");
}

QString detail(const Event &event, const char *key)
{
    const auto it = event.detail.find(key);
    return it == event.detail.end() ? QString() : text(it->second);
}

} // namespace switchyard::views
