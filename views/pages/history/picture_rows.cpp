// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/history/picture_rows.h"

#include "views/charts/timeline_painter.h"
#include "views/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::FactRow;

namespace {

struct RowWords
{
    Q_DECLARE_TR_FUNCTIONS(PictureRows)
};

QVariant time(Instant t)
{
    return QVariant::fromValue<qlonglong>(t.time_since_epoch().count());
}

QVariant length(Duration d)
{
    return QVariant::fromValue<qlonglong>(d.count());
}

using Archived = std::optional<Instant>; // until then it was another run that looked

bool isArchived(Instant from, const Archived &archived)
{
    return archived && from < *archived;
}

FactRow areaRow(const QString &what, const char *code, const TimeSpan &span, const Archived &archived)
{
    const QString source = isArchived(span.from, archived) ? RowWords::tr("archive") : u""_s;
    return {{u""_s, what, time(span.from), span.current ? QVariant() : time(span.to), length(span.to - span.from), u""_s, source},
            QString::fromLatin1(code)};
}

FactRow spanRow(const std::string &member, const LaneSpan &span, const Archived &archived)
{
    const QString seen = isArchived(span.from, archived) ? RowWords::tr("seen, archive") : RowWords::tr("seen");
    const QString timeline = span.timeline ? QString::number(*span.timeline) : u""_s;
    return {{text(member), laneWord(span.state), time(span.from), span.current ? QVariant() : time(span.to), length(span.to - span.from),
             timeline, span.recorded ? RowWords::tr("recorded") : seen},
            text(std::string(code(span.state)))};
}

FactRow markRow(const LeadershipMark &mark, const Archived &archived)
{
    const QString said = isArchived(mark.at, archived) ? RowWords::tr("archive: %1").arg(text(mark.text)) : text(mark.text);
    return {{u""_s, words(mark.type), time(mark.at), time(mark.at), length({}), u""_s, said}, text(std::string(code(mark.type)))};
}

} // namespace

QList<FactColumn> leadershipColumns()
{
    return {{RowWords::tr("Member"), FactKind::Word, true},
            {RowWords::tr("What"), FactKind::Word, false},
            {RowWords::tr("From, %1").arg(zoneText()), FactKind::Time, false},
            {RowWords::tr("To"), FactKind::End, false},
            {RowWords::tr("Lasted"), FactKind::Length, false},
            {RowWords::tr("TL", "timeline"), FactKind::Word, false},
            {RowWords::tr("Source, detail"), FactKind::Word, true}};
}

QList<FactRow> leadershipRows(const Leadership &data, std::optional<Instant> archived)
{
    QList<FactRow> rows;
    for (const Lane &lane : data.lanes)
        for (const LaneSpan &span : lane.spans)
            rows.append(spanRow(lane.member, span, archived));
    for (const TimeSpan &gap : data.gaps)
        rows.append(areaRow(RowWords::tr("nobody led"), "leaderless", gap, archived));
    for (const TimeSpan &blind : data.blind)
        rows.append(areaRow(RowWords::tr("not watched"), "blind", blind, archived));
    for (const LeadershipMark &mark : data.marks)
        rows.append(markRow(mark, archived));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FactRow &a, const FactRow &b) { return a.cells[2].toLongLong() > b.cells[2].toLongLong(); });
    return rows;
}

QList<FactColumn> renewColumns()
{
    return {{RowWords::tr("Renewed at, %1").arg(zoneText()), FactKind::Time, false},
            {RowWords::tr("Source"), FactKind::Word, false},
            {RowWords::tr("After"), FactKind::Seconds, false},
            {RowWords::tr("Longest"), FactKind::Seconds, false},
            {RowWords::tr("In time"), FactKind::Word, false},
            {RowWords::tr("Renewals"), FactKind::Number, false}};
}

namespace {

QString inTimeWord(const std::optional<double> &inTime, double seconds)
{
    return !inTime ? unknownText() : seconds <= *inTime ? RowWords::tr("yes") : RowWords::tr("late");
}

FactRow pointRow(const RenewPoint &p, const std::optional<double> &inTime)
{
    return {{time(p.at), RowWords::tr("seen"), p.seconds, p.seconds, inTimeWord(inTime, p.seconds), qint64{1}}, u"renewal"_s};
}

FactRow minuteRow(const RenewMinute &m, const std::optional<double> &inTime)
{
    const double longest = toSeconds(m.longest);
    return {{time(m.from), RowWords::tr("archive: mean"), toSeconds(m.mean), longest, inTimeWord(inTime, longest), qint64{m.count}},
            u"minute"_s};
}

} // namespace

QList<FactRow> RenewRows::of(const RenewData &data, const TimeRange &range)
{
    if (m_minutes != data.minutes || m_inTime != data.inTime) {
        m_minutes = data.minutes;
        m_inTime = data.inTime;
        m_kept.clear();
        m_kept.reserve(m_minutes.size());
        std::transform(m_minutes.rbegin(), m_minutes.rend(), std::back_inserter(m_kept),
                       [this](const RenewMinute &m) { return minuteRow(m, m_inTime); });
    }
    QList<FactRow> rows;
    for (auto it = data.points.rbegin(); it != data.points.rend(); ++it) {
        if (it->at >= range.from && it->at <= range.to)
            rows.append(pointRow(*it, data.inTime));
    }
    const QList<RenewMinute> minutes = minutesIn(m_minutes, range);
    if (minutes.isEmpty())
        return rows;
    const auto later = std::partition_point(m_minutes.begin(), m_minutes.end(), [&](const RenewMinute &m) { return m.from <= range.to; });
    const qsizetype single = rows.size();
    rows += m_kept.mid(m_minutes.end() - later, minutes.size());
    const auto newer = [](const FactRow &a, const FactRow &b) { return a.cells[0].toLongLong() > b.cells[0].toLongLong(); };
    if (single > 0)
        std::inplace_merge(rows.begin(), rows.begin() + single, rows.end(), newer);
    return rows;
}

namespace {

QString singleText(const RenewStats &stats)
{
    return RowWords::tr("%1 renewals, half within %2 s, 95 % within %3 s, the longest %4 s; %5 late.")
        .arg(stats.count)
        .arg(*stats.median, 0, 'f', 1)
        .arg(*stats.p95, 0, 'f', 1)
        .arg(*stats.longest, 0, 'f', 1)
        .arg(stats.late);
}

// What no interval tells of: who did not renew is not late among them.
QString ranOutText(qsizetype times, bool lease)
{
    if (times == 1)
        return lease ? RowWords::tr("The lease ran out once: that is no renewal.")
                     : RowWords::tr("The lock ran out once: that is no renewal.");
    return (lease ? RowWords::tr("The lease ran out %1 times: that is no renewal.")
                  : RowWords::tr("The lock ran out %1 times: that is no renewal."))
        .arg(times);
}

QString intervalsText(const RenewStats &single, const MinuteStats &archived)
{
    if (archived.minutes == 0 || !archived.mean)
        return single.count == 0 ? noIntervalText() : RowWords::tr("In the time shown: %1").arg(singleText(single));
    const QString minutes = RowWords::tr("Archive: %1 renewals in %2 minutes, mean %3 s, the longest %4 s; late in %5.")
                                .arg(archived.count)
                                .arg(archived.minutes)
                                .arg(*archived.mean, 0, 'f', 1)
                                .arg(*archived.longest, 0, 'f', 1)
                                .arg(archived.late);
    return single.count == 0 ? minutes : RowWords::tr("Seen one by one: %1 %2").arg(singleText(single), minutes);
}

} // namespace

QString noIntervalText()
{
    return RowWords::tr("No interval between two renewals in the time shown.");
}

QString renewSummary(const RenewStats &single, const MinuteStats &archived, bool lease)
{
    const QString intervals = intervalsText(single, archived);
    return single.ranOut == 0 ? intervals : RowWords::tr("%1 %2", "two sentences").arg(intervals, ranOutText(single.ranOut, lease));
}

QList<FactColumn> lagColumns()
{
    return {{RowWords::tr("Member"), FactKind::Word, true},
            {RowWords::tr("Lag"), FactKind::Bytes, false},
            {RowWords::tr("From, %1").arg(zoneText()), FactKind::Time, false},
            {RowWords::tr("To"), FactKind::End, false}};
}

QList<FactRow> lagRows(const LagData &data)
{
    QList<FactRow> rows;
    for (const LagLine &line : data.lines) {
        for (qsizetype i = 0; i < line.points.size(); ++i) {
            const LagPoint &p = line.points[i];
            const QVariant end = i + 1 < line.points.size() ? time(line.points[i + 1].at) : QVariant();
            const QVariant lag = p.bytes ? QVariant::fromValue<qulonglong>(*p.bytes) : QVariant();
            rows.append({{text(line.member), lag, time(p.at), end}, u"lag"_s});
        }
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const FactRow &a, const FactRow &b) { return a.cells[2].toLongLong() > b.cells[2].toLongLong(); });
    return rows;
}

} // namespace switchyard::views
