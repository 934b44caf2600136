// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/timeline_chart.h"

#include "views/charts/drawn_spans.h"
#include "views/charts/timeline_painter.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <algorithm>

namespace switchyard::views {

namespace {

constexpr int widestLabel = 260;
constexpr int axisSpace = 36;

template<class Span, class Take>
void eachEdge(const std::vector<Span> &spans, Instant t, Take take)
{
    // the two spans on either side of t are enough: they are sorted
    auto it = firstAfter(spans, t);
    for (auto near = it == spans.begin() ? it : std::prev(it); near != spans.end() && near - it < 2; ++near) {
        take(near->from);
        take(near->to);
    }
    if (it != spans.begin() && std::prev(it) != spans.begin())
        take(std::prev(it, 2)->from);
}

template<class Take>
void edgesAround(const Leadership &data, Instant t, Take take)
{
    for (const Lane &lane : data.lanes)
        eachEdge(lane.spans, t, take);
    eachEdge(data.gaps, t, take);
    eachEdge(data.blind, t, take);
    const auto mark = std::partition_point(data.marks.begin(), data.marks.end(), [t](const LeadershipMark &m) { return m.at <= t; });
    if (mark != data.marks.end())
        take(mark->at);
    for (auto before = mark; before != data.marks.begin();) {
        take((--before)->at);
        if (before->at < t)
            break;
    }
}

} // namespace

TimelineChart::TimelineChart(QWidget *parent)
    : TimeCanvas(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Who led when"));
}

void TimelineChart::show(const Leadership &data)
{
    const bool otherLanes = m_data.lanes.size() != data.lanes.size();
    m_data = data;
    measure();
    if (otherLanes)
        updateGeometry();
}

void TimelineChart::goOn(Instant now)
{
    prolong(m_data, now);
    measure();
}

void TimelineChart::measure()
{
    if (!m_data.from || !m_data.to)
        return update();
    const Duration room = std::max<Duration>(std::chrono::seconds(1), (*m_data.to - *m_data.from) / 50);
    setAll({*m_data.from - room, *m_data.to}); // no future: the last minute is the last minute
}

void TimelineChart::paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    paintTimeline(painter, {m_data, shown(), plot}, colours);
}

QString TimelineChart::textAt(const QPointF &pos) const
{
    return isEmpty() ? QString() : timelineText({m_data, shown(), plotIn(rect())}, pos);
}

QString TimelineChart::textOf(Instant cursor) const
{
    return momentText(m_data, cursor);
}

std::optional<Instant> TimelineChart::changeAfter(Instant t) const
{
    std::optional<Instant> next;
    edgesAround(m_data, t, [&](Instant edge) { next = edge > t && (!next || edge < *next) ? edge : next; });
    return next;
}

std::optional<Instant> TimelineChart::changeBefore(Instant t) const
{
    std::optional<Instant> last;
    edgesAround(m_data, t, [&](Instant edge) { last = edge < t && (!last || edge > *last) ? edge : last; });
    return last;
}

int TimelineChart::leftSpace() const
{
    int label = 8 * grid;
    for (const Lane &lane : m_data.lanes)
        label = qMax(label, fontMetrics().horizontalAdvance(text(lane.member)) + 2 * grid);
    return qMin(label, qMin(widestLabel, width() / 3));
}

QString TimelineChart::emptyText() const
{
    return tr("Nothing is recorded about who led when.");
}

QSize TimelineChart::sizeHint() const
{
    return {80 * grid, minimumSizeHint().height()};
}

QSize TimelineChart::minimumSizeHint() const
{
    return {40 * grid, axisSpace + markRowHeight + qMax(1, static_cast<int>(m_data.lanes.size())) * (views::rowHeight(font()) + 4)};
}

} // namespace switchyard::views
