// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/renew_chart.h"

#include "views/charts/decimate.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <algorithm>
#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int leftLabels = 48;
constexpr Duration shortest = 2min;

double tickStep(double top)
{
    return top > 100 ? 50 : top > 50 ? 20 : top > 20 ? 10 : 5;
}

double niceTop(const RenewData &data)
{
    double top = data.inTime ? *data.inTime * 1.25 : 10;
    for (const auto &p : data.points)
        top = std::max(top, p.seconds * 1.15);
    if (data.open && data.open < 4 * top) // an outage of hours would flatten everything else
        top = std::max(top, *data.open * 1.15);
    for (const RenewMinute &minute : data.minutes) {
        if (const double longest = toSeconds(minute.longest); longest < 4 * top) // as long as that they go through the top
            top = std::max(top, longest * 1.15);
    }
    if (data.ttl < 20 * top) // a scaffolded ttl of centuries would flatten everything else
        top = std::max(top, data.ttl * 1.12);
    return std::ceil(top / (tickStep(top) / 2)) * tickStep(top) / 2;
}

double milliseconds(Instant t)
{
    return static_cast<double>(std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count());
}

auto firstFrom(const QList<RenewPoint> &points, Instant t)
{
    return std::partition_point(points.begin(), points.end(), [t](const RenewPoint &p) { return p.at < t; });
}

void paintBeside(QPainter &painter, const QPointF &p, const QString &words, const QRectF &plot, const QPalette &colours)
{
    painter.setPen(colours.color(QPalette::WindowText));
    const int width = painter.fontMetrics().horizontalAdvance(words), height = painter.fontMetrics().height();
    const bool right = p.x() + 10 + width < plot.right(); // beside it: above it the line of ttl may pass
    painter.drawText(QRectF(right ? p.x() + 9 : p.x() - 9 - width, p.y() - height / 2.0, width, height), Qt::AlignCenter, words);
}

} // namespace

RenewChart::RenewChart(QWidget *parent)
    : TimeCanvas(parent)
{
    setAccessibleName(tr("Seconds between renewals of the lock"));
}

void RenewChart::show(const RenewData &values)
{
    m_data = values;
    m_runs = unbroken(values.points);
    Instant from = values.now - shortest;
    if (!values.points.isEmpty())
        from = std::min(from, values.points.front().at);
    if (!values.minutes.isEmpty())
        from = std::min(from, values.minutes.front().from);
    setAll({from, values.now});
    const auto late = std::count_if(values.points.begin(), values.points.end(), [&](const RenewPoint &p) { return !inTime(p.seconds); });
    QString told = tr("%1 renewals, %2 of them late").arg(values.points.size()).arg(late);
    if (!values.minutes.isEmpty())
        told += tr("; before, %1 minutes from the archive").arg(values.minutes.size());
    setAccessibleDescription(told);
}

int RenewChart::leftSpace() const
{
    return qMax(leftLabels, fontMetrics().horizontalAdvance(u"0000 s"_s) + grid);
}

void RenewChart::paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    const UprightScale scale{plot, niceTop(m_data)};
    QList<ScaleTick> ticks;
    for (double value = 0; value <= scale.top; value += tickStep(scale.top))
        ticks.append({value, tr("%1 s").arg(value)});
    paintScale(painter, scale, ticks, colours);
    paintLevels(painter, scale, colours);
    paintMinutes(painter, scale, colours);
    paintShares(painter, scale, colours);
    painter.setRenderHint(QPainter::Antialiasing);
    const double from = milliseconds(shown().from), to = milliseconds(shown().to);
    QList<DrawnLine> lines;
    for (const auto &run : m_runs) {
        QList<QPointF> all;
        for (auto it = firstFrom(run, shown().from); it != run.end() && it->at <= shown().to; ++it)
            all.append({milliseconds(it->at), it->seconds});
        lines.append({decimate(all, from, to, static_cast<int>(plot.width())), QPen(secondaryText(colours), 1)});
    }
    m_plot->paint(painter, plot, from, to, scale.top, lines);
    for (const DrawnLine &line : lines) {
        for (const QPointF &p : line.points)
            paintPoint(painter, {xOf(Instant(std::chrono::milliseconds(std::llround(p.x()))), plot), scale.y(p.y())}, p.y(), plot, colours);
    }
    paintOpen(painter, scale, colours);
}

void RenewChart::paintLevels(QPainter &painter, const UprightScale &scale, const QPalette &colours) const
{
    if (m_data.inTime) {
        QColor band = toneColor(Tone::Good, colours);
        band.setAlpha(isDark(colours) ? 36 : 26);
        const double top = std::max(scale.plot.top(), scale.y(*m_data.inTime));
        painter.fillRect(QRectF(scale.plot.left(), top, scale.plot.width(), scale.plot.bottom() - top), band);
        const QString inTimeWords = m_data.lease ? tr("in time up to %1 s (a third of the lease beyond the rhythm)")
                                                 : tr("in time up to %1 s (loop_wait + retry_timeout)");
        paintLevel(painter, scale, *m_data.inTime, inTimeWords.arg(std::round(*m_data.inTime * 10) / 10),
                   QPen(toneColor(Tone::Good, colours), 1), Qt::AlignLeft);
    }
    if (m_data.ttl > 0)
        paintLevel(painter, scale, m_data.ttl, (m_data.lease ? tr("lease duration %1 s") : tr("ttl %1 s")).arg(m_data.ttl),
                   QPen(toneColor(Tone::Bad, colours), 1.5, Qt::DashLine), Qt::AlignLeft);
}

// What half and 95 % of them took is known of those that were seen one by one: beside archived ones it says so, and ends where they do.
void RenewChart::paintShares(QPainter &painter, const UprightScale &scale, const QPalette &colours) const
{
    const RenewStats of = stats();
    const MinuteStats archived = minuteStats();
    const QColor quiet = secondaryText(colours);
    QColor veil = colours.color(QPalette::Window); // the bars behind the words stay to be seen
    veil.setAlpha(190);
    Across across;
    if (archived.minutes > 0 && of.count > 0) {
        const Instant first = firstFrom(m_data.points, shown().from)->at;
        across = {xOf(first, scale.plot), xOf(std::min(m_data.points.last().at, shown().to), scale.plot)};
    }
    const auto level = [&](const std::optional<double> &value, const QString &words, Qt::Alignment side, const Across &where) {
        if (value)
            paintLevel(painter, scale, *value, words.isEmpty() ? words : words.arg(*value, 0, 'f', 1), QPen(quiet, 1, Qt::DotLine), side,
                       where, where ? QBrush(veil) : QBrush(Qt::NoBrush));
    };
    // Where they lie close together their names stand side by side.
    level(archived.longest ? std::max(*archived.longest, of.longest.value_or(0)) : of.longest, tr("longest %1 s"), Qt::AlignRight, {});
    if (!across) {
        level(of.p95, tr("95 % within %1 s"), Qt::AlignHCenter, {});
        return level(of.median, tr("half within %1 s"), Qt::AlignLeft, {});
    }
    const QString shares = tr("seen one by one: half within %1 s, 95 % within %2 s").arg(of.median.value_or(0), 0, 'f', 1);
    level(of.median, {}, Qt::AlignLeft, across);
    level(of.p95, shares, Qt::AlignHCenter, across);
}

void RenewChart::paintMinutes(QPainter &painter, const UprightScale &scale, const QPalette &colours) const
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    QColor body = secondaryText(colours);
    body.setAlpha(isDark(colours) ? 130 : 110);
    const QRectF &plot = scale.plot;
    for (const MinuteBar &bar : minuteBars(m_data.minutes, shown(), static_cast<int>(plot.width()))) {
        const double left = std::max(plot.left(), xOf(bar.from, plot)), end = std::min(plot.right(), xOf(bar.to, plot));
        const double width = std::max(1.0, end - left > 6 ? end - left - 1 : end - left); // wide ones stand apart
        const double top = scale.y(std::min(bar.longest, scale.top));
        painter.fillRect(QRectF(left, top, width, std::max(2.0, scale.y(bar.mean) - top)), body);
        painter.fillRect(QRectF(left, scale.y(std::min(bar.mean, scale.top)) - 1, width, 2), secondaryText(colours));
        if (inTime(bar.longest))
            continue;
        const double limit = scale.y(std::max(*m_data.inTime, std::min(bar.mean, scale.top)));
        painter.fillRect(QRectF(left, top, width, std::max(2.0, limit - top)), toneColor(Tone::Warning, colours));
    }
    if (minutesIn(m_data.minutes, shown()).isEmpty())
        return;
    painter.setPen(secondaryText(colours));
    painter.drawText(plot.adjusted(grid, 0, -grid, 0), Qt::AlignRight | Qt::AlignTop,
                     tr("bars: archived, per minute: mean (line) and longest"));
}

void RenewChart::paintPoint(QPainter &painter, const QPointF &p, double seconds, const QRectF &plot, const QPalette &colours) const
{
    if (inTime(seconds)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(accentColor(colours));
        painter.drawEllipse(p, 1.8, 1.8);
        return;
    }
    paintShape(painter, QRectF(p.x() - 6, p.y() - 6, 12, 12), Tone::Warning, toneColor(Tone::Warning, colours));
    paintBeside(painter, p, tr("%1 s").arg(seconds, 0, 'f', 1), plot, colours);
}

// The renewal that is being waited for: hollow while in time, else as a late one that counts on.
void RenewChart::paintOpen(QPainter &painter, const UprightScale &scale, const QPalette &colours) const
{
    if (!m_data.open || m_data.now < shown().from || m_data.now > shown().to)
        return;
    const QPointF p(xOf(m_data.now, scale.plot), scale.y(std::min(*m_data.open, scale.top)));
    if (inTime(*m_data.open)) {
        painter.setPen(QPen(accentColor(colours), 1.2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(p, 2.5, 2.5);
        return;
    }
    const Tone tone = m_data.ttl > 0 && *m_data.open > m_data.ttl ? Tone::Bad : Tone::Warning;
    paintShape(painter, QRectF(p.x() - 6, p.y() - 6, 12, 12), tone, toneColor(tone, colours));
    paintBeside(painter, p, tr("none for %1 s").arg(std::floor(*m_data.open)), scale.plot, colours);
}

const RenewPoint *RenewChart::pointNear(double x, const QRectF &plot) const
{
    if (m_data.points.isEmpty())
        return nullptr;
    const Instant t = timeAt(x, plot);
    auto it = firstFrom(m_data.points, t);
    if (it == m_data.points.end() || (it != m_data.points.begin() && t - std::prev(it)->at < it->at - t))
        --it;
    return std::abs(xOf(it->at, plot) - x) < 8 ? &*it : nullptr;
}

QString RenewChart::textAt(const QPointF &pos) const
{
    const QRectF plot = plotIn(rect());
    if (isEmpty() || !plot.contains(pos))
        return {};
    const Instant t = timeAt(pos.x(), plot);
    QString kept = minutesText({timeAt(pos.x() - 0.5, plot), timeAt(pos.x() + 0.5, plot)});
    if (!kept.isEmpty())
        return kept;
    const RenewPoint *near = pointNear(pos.x(), plot);
    return near ? textOf(near->at) : exactText(t) + u'\n' + exactTextUtc(t);
}

// Of archived minutes that share a place. Empty: there is none.
QString RenewChart::minutesText(const TimeRange &range) const
{
    const MinuteStats of = views::minuteStats(m_data, range);
    if (of.minutes == 0 || !of.mean)
        return {};
    const QList<RenewMinute> minutes = minutesIn(m_data.minutes, range);
    return tr("Archive: %1 renewals, mean %2 s, the longest %3 s%4\n%5 to %6\n%7")
        .arg(of.count)
        .arg(*of.mean, 0, 'f', 1)
        .arg(*of.longest, 0, 'f', 1)
        .arg(of.late > 0 ? tr(", late") : QString(), exactText(minutes.first().from), exactText(minutes.last().to()),
             exactTextUtc(minutes.first().from));
}

QString RenewChart::textOf(Instant cursor) const
{
    const auto it = firstFrom(m_data.points, cursor);
    if (it != m_data.points.end() && it->at == cursor)
        return tr("Renewed after %1 s%2\n%3\n%4")
            .arg(it->seconds, 0, 'f', 3)
            .arg(inTime(it->seconds) ? QString() : tr(", late"), exactText(it->at), exactTextUtc(it->at));
    const QString kept = minutesText({cursor, cursor});
    return kept.isEmpty() ? exactText(cursor) : kept;
}

// Renewals, and the beginnings of archived minutes.
std::optional<Instant> RenewChart::changeAfter(Instant t) const
{
    const auto point = std::partition_point(m_data.points.begin(), m_data.points.end(), [t](const RenewPoint &p) { return p.at <= t; });
    const auto minute = std::partition_point(m_data.minutes.begin(), m_data.minutes.end(),
                                             [t](const RenewMinute &m) { return m.from <= t; });
    if (minute == m_data.minutes.end())
        return point == m_data.points.end() ? std::nullopt : std::optional(point->at);
    return point == m_data.points.end() ? minute->from : std::min(point->at, minute->from);
}

std::optional<Instant> RenewChart::changeBefore(Instant t) const
{
    const auto point = firstFrom(m_data.points, t);
    const auto minute = std::partition_point(m_data.minutes.begin(), m_data.minutes.end(),
                                             [t](const RenewMinute &m) { return m.from < t; });
    if (minute == m_data.minutes.begin())
        return point == m_data.points.begin() ? std::nullopt : std::optional(std::prev(point)->at);
    const Instant begun = std::prev(minute)->from;
    return point == m_data.points.begin() ? begun : std::max(std::prev(point)->at, begun);
}

QString RenewChart::emptyText() const
{
    return tr("No interval between two renewals seen yet. The first point comes with the second renewal.");
}

QSize RenewChart::sizeHint() const
{
    return {80 * grid, 20 * grid};
}

QSize RenewChart::minimumSizeHint() const
{
    return {40 * grid, 17 * grid};
}

} // namespace switchyard::views
