// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/lag_chart.h"

#include "views/charts/decimate.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr Duration shortest = 2min;
constexpr double smallestTop = 64 * 1024;

double milliseconds(Instant t)
{
    return static_cast<double>(std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count());
}

QPen penOf(qsizetype index, const QPalette &colours)
{
    constexpr std::array<Tone, 3> tones{Tone::Good, Tone::Paused, Tone::Warning};
    constexpr std::array<Qt::PenStyle, 4> styles{Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};
    const auto i = static_cast<std::size_t>(index);
    const QColor color = i % 4 == 0 ? accentColor(colours) : toneColor(tones[i % 4 - 1], colours);
    return {color, 1.8, styles[i / 4 % 4 == 0 ? i % 4 : (i + i / 4) % 4]};
}

QString valueText(const std::optional<std::uint64_t> &bytes)
{
    return bytes ? u"%1 (%2)"_s.arg(bytesText(*bytes), bytesExactText(*bytes)) : unknownText();
}

// The one in force at t; nullptr: none yet.
const LagPoint *inForce(const LagLine &line, Instant t)
{
    const auto it = std::partition_point(line.points.begin(), line.points.end(), [t](const LagPoint &p) { return p.at <= t; });
    return it == line.points.begin() ? nullptr : &*std::prev(it);
}

} // namespace

LagData lagData(const patroni::Cluster &cluster, const ClusterTrail *trail, Now now)
{
    LagData data;
    data.now = now.wall;
    if (cluster.config && cluster.config->config.present)
        data.limit = cluster.config->config.maximumLagOnFailover;
    if (!trail)
        return data;
    for (const auto &[member, samples] : trail->lags) {
        if (samples.empty())
            continue;
        LagLine line{member, {}};
        for (const LagSample &sample : samples)
            line.points.append({now.toWall(sample.at), sample.lag});
        data.lines.append(std::move(line));
    }
    return data;
}

QList<LagRun> lagRuns(const LagLine &line, Instant now)
{
    QList<LagRun> runs;
    bool open = false;
    for (const LagPoint &p : line.points) {
        const double at = milliseconds(p.at);
        if (open) // the value before held until now
            runs.last().append({at, runs.last().last().y()});
        if (p.bytes) {
            if (!open)
                runs.append(LagRun{});
            runs.last().append({at, static_cast<double>(*p.bytes)});
        }
        open = p.bytes.has_value();
    }
    if (open)
        runs.last().append({std::max(milliseconds(now), runs.last().last().x()), runs.last().last().y()});
    return runs;
}

LagChart::LagChart(QWidget *parent)
    : TimeCanvas(parent)
{
    setAccessibleName(tr("Lag of the replicas over time"));
}

void LagChart::show(const LagData &values)
{
    m_data = values;
    m_runs.clear();
    Instant from = values.now - shortest;
    for (const LagLine &line : values.lines) {
        m_runs.append(lagRuns(line, values.now));
        if (!line.points.isEmpty())
            from = std::min(from, line.points.front().at);
    }
    setAll({from, values.now});
    QStringList now;
    for (const LagLine &line : values.lines)
        now << tr("%1: %2", "member: lag").arg(text(line.member), lagText(line.points.last().bytes));
    setAccessibleDescription(now.join(u", "_s));
}

bool LagChart::isEmpty() const
{
    return std::all_of(m_runs.begin(), m_runs.end(), [](const QList<LagRun> &runs) { return runs.isEmpty(); });
}

double LagChart::top() const
{
    double most = smallestTop;
    for (const QList<LagRun> &runs : m_runs)
        for (const LagRun &run : runs)
            for (const QPointF &p : run)
                if (p.x() >= milliseconds(shown().from))
                    most = std::max(most, p.y() * 1.1);
    if (m_data.limit && static_cast<double>(*m_data.limit) < 4 * most)
        most = std::max(most, static_cast<double>(*m_data.limit) * 1.2);
    return most;
}

int LagChart::leftSpace() const
{
    return fontMetrics().horizontalAdvance(u"1000.0 MiB"_s) + 2 * grid;
}

void LagChart::paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    const UprightScale scale{plot, top()};
    const double step = std::exp2(std::ceil(std::log2(scale.top / 5)));
    QList<ScaleTick> ticks;
    for (double value = 0; value <= scale.top; value += step)
        ticks.append({value, bytesText(static_cast<std::uint64_t>(value))});
    paintScale(painter, scale, ticks, colours);
    if (m_data.limit)
        paintLevel(painter, scale, static_cast<double>(*m_data.limit), tr("maximum_lag_on_failover %1").arg(bytesText(*m_data.limit)),
                   QPen(toneColor(Tone::Bad, colours), 1.5, Qt::DashLine), Qt::AlignLeft);
    QList<DrawnLine> lines;
    QList<std::pair<qsizetype, QPointF>> ends; // of whose line, in milliseconds and bytes
    for (qsizetype i = 0; i < m_runs.size(); ++i) {
        const QList<DrawnLine> own = drawn(i, plot, colours);
        if (!own.isEmpty())
            ends.append({i, own.last().points.last()});
        lines.append(own);
    }
    const double from = milliseconds(shown().from), to = milliseconds(shown().to);
    painter.setRenderHint(QPainter::Antialiasing);
    m_plot->paint(painter, plot, from, to, scale.top, lines);
    for (const auto &[index, end] : ends) {
        painter.setPen(penOf(index, colours));
        paintName(painter, index, {plot.left() + (end.x() - from) / std::max(1.0, to - from) * plot.width(), scale.y(end.y())}, plot);
    }
}

QList<DrawnLine> LagChart::drawn(qsizetype index, const QRectF &plot, const QPalette &colours) const
{
    const double from = milliseconds(shown().from), to = milliseconds(shown().to);
    QList<DrawnLine> lines;
    for (const LagRun &run : m_runs[index]) {
        // one point further on either side: the line goes on beyond the edges
        auto first = std::partition_point(run.begin(), run.end(), [from](const QPointF &p) { return p.x() < from; });
        auto end = std::partition_point(run.begin(), run.end(), [to](const QPointF &p) { return p.x() <= to; });
        first = first == run.begin() ? first : std::prev(first);
        end = end == run.end() ? end : std::next(end);
        LagRun some(first, end);
        if (some.size() > 4 * static_cast<qsizetype>(plot.width()))
            some = decimate(some, from, to, static_cast<int>(plot.width()));
        if (!some.isEmpty())
            lines.append({some, penOf(index, colours)});
    }
    return lines;
}

// Beside its line: a legend in colours alone would not do.
void LagChart::paintName(QPainter &painter, qsizetype index, const QPointF &end, const QRectF &plot) const
{
    const QString name = text(m_data.lines[index].member);
    const int width = painter.fontMetrics().horizontalAdvance(name), height = painter.fontMetrics().height();
    const double x = std::clamp(end.x() - width - grid, plot.left() + grid, plot.right() - width);
    const double y = std::max(plot.top(), end.y() - height - 2 - static_cast<double>(index % 4) * (height - 2));
    painter.drawText(QRectF(x, y, width + 2, height), Qt::AlignLeft | Qt::AlignVCenter, name);
}

QString LagChart::textOf(Instant cursor) const
{
    QStringList lines;
    for (const LagLine &line : m_data.lines) {
        const LagPoint *p = inForce(line, cursor);
        lines << tr("%1: %2", "member: lag").arg(text(line.member), valueText(p ? p->bytes : std::nullopt));
    }
    return lines.join(u'\n') + u'\n' + exactText(cursor) + u'\n' + exactTextUtc(cursor);
}

QString LagChart::textAt(const QPointF &pos) const
{
    const QRectF plot = plotIn(rect());
    return plot.contains(pos) && !isEmpty() ? textOf(timeAt(pos.x(), plot)) : QString();
}

std::optional<Instant> LagChart::changeAfter(Instant t) const
{
    std::optional<Instant> next;
    for (const LagLine &line : m_data.lines) {
        const auto it = std::partition_point(line.points.begin(), line.points.end(), [t](const LagPoint &p) { return p.at <= t; });
        if (it != line.points.end() && (!next || it->at < *next))
            next = it->at;
    }
    return next;
}

std::optional<Instant> LagChart::changeBefore(Instant t) const
{
    std::optional<Instant> last;
    for (const LagLine &line : m_data.lines) {
        const auto it = std::partition_point(line.points.begin(), line.points.end(), [t](const LagPoint &p) { return p.at < t; });
        if (it != line.points.begin() && (!last || std::prev(it)->at > *last))
            last = std::prev(it)->at;
    }
    return last;
}

QString LagChart::emptyText() const
{
    return tr("No lag is known yet. A line begins with the first answer of a replica.");
}

QSize LagChart::sizeHint() const
{
    return {80 * grid, 20 * grid};
}

QSize LagChart::minimumSizeHint() const
{
    return {40 * grid, 17 * grid};
}

} // namespace switchyard::views
