// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/health_strips.h"

#include "views/charts/drawn_spans.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QKeyEvent>
#include <QWheelEvent>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using patroni::Health;

namespace {

constexpr Duration shortest = 5min;
constexpr int widestName = 300;

int weight(const HealthSpan &span)
{
    switch (span.health) {
    case Health::Unhealthy: return 3;
    case Health::Unknown: return 2;
    case Health::Degraded: return 1;
    case Health::Healthy: break;
    }
    return 0;
}

double heightOf(Health health)
{
    return health == Health::Healthy ? 0.35 : health == Health::Degraded ? 0.65 : 1;
}

const HealthSpan *spanAt(const HealthStrip &strip, Instant t)
{
    const auto it = firstAfter(strip.spans, t);
    return it != strip.spans.end() && it->from <= t ? &*it : nullptr;
}

QString spanWords(const HealthSpan &span)
{
    return span.reason ? u"%1, %2"_s.arg(words(span.health), words(*span.reason)) : words(span.health);
}

} // namespace

std::vector<HealthSpan> healthSpans(const ClusterTrail &trail, Now now)
{
    std::vector<HealthSpan> spans;
    const Instant end = trail.goneAt ? now.toWall(*trail.goneAt) : now.wall;
    for (std::size_t i = 0; i < trail.health.size(); ++i) {
        const HealthSample &sample = trail.health[i];
        const bool last = i + 1 == trail.health.size();
        const HealthSpan span{sample.health, now.toWall(sample.at), last ? end : now.toWall(trail.health[i + 1].at), sample.reason,
                              last && !trail.goneAt};
        if (span.from < span.to)
            spans.push_back(span);
    }
    return spans;
}

HealthStrips::HealthStrips(QWidget *parent)
    : TimeCanvas(parent)
{
    setAccessibleName(tr("Health of the clusters over time"));
}

void HealthStrips::show(std::vector<HealthStrip> strips, Instant now)
{
    m_strips = std::move(strips);
    Instant from = now - shortest;
    for (const HealthStrip &strip : m_strips)
        if (!strip.spans.empty())
            from = std::min(from, strip.spans.front().from);
    setAll({from, now});
    setFirstRow(m_first);
    setAccessibleDescription(tr("%n cluster(s); the table below tells the same.", nullptr, static_cast<int>(m_strips.size())));
}

int HealthStrips::rowHeight() const
{
    return views::rowHeight(font());
}

int HealthStrips::rows() const
{
    return std::max(1, static_cast<int>(plotIn(rect()).height()) / rowHeight());
}

void HealthStrips::setFirstRow(int row)
{
    m_first = std::clamp(row, 0, std::max(0, static_cast<int>(m_strips.size()) - rows()));
    update();
    Q_EMIT rowsChanged();
}

void HealthStrips::resizeEvent(QResizeEvent *event)
{
    TimeCanvas::resizeEvent(event);
    setFirstRow(m_first);
}

void HealthStrips::wheelEvent(QWheelEvent *event)
{
    const bool zooms = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier) || event->angleDelta().x() != 0;
    if (zooms)
        return TimeCanvas::wheelEvent(event);
    setFirstRow(m_first - event->angleDelta().y() / 40);
    event->accept();
}

void HealthStrips::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        return setFirstRow(m_first + (event->key() == Qt::Key_Down ? 1 : -1));
    TimeCanvas::keyPressEvent(event);
}

int HealthStrips::leftSpace() const
{
    int width = 12 * grid;
    const auto end = std::min(m_strips.size(), static_cast<std::size_t>(m_first) + 100);
    for (std::size_t i = static_cast<std::size_t>(m_first); i < end; ++i)
        width = std::max(width, fontMetrics().horizontalAdvance(m_strips[i].name) + 3 * grid);
    return std::min({width, widestName, std::max(1, this->width() / 3)});
}

void HealthStrips::paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    const auto last = std::min(m_strips.size(), static_cast<std::size_t>(m_first + rows()));
    double top = plot.top();
    for (std::size_t i = static_cast<std::size_t>(m_first); i < last; ++i, top += rowHeight())
        paintStrip(painter, m_strips[i], QRectF(plot.left(), top, plot.width(), rowHeight()), colours);
}

void HealthStrips::paintStrip(QPainter &painter, const HealthStrip &strip, const QRectF &row, const QPalette &colours) const
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(colours.color(QPalette::WindowText));
    const QRectF place(grid, row.top(), row.left() - 2 * grid, row.height()); // the frame is at 0
    const QString name = painter.fontMetrics().elidedText(strip.name, Qt::ElideMiddle, static_cast<int>(place.width()));
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setPen(QPen(hairline(colours), 1));
    painter.drawLine(row.bottomLeft(), row.bottomRight());
    painter.setPen(Qt::NoPen);
    const QRectF bar = row.adjusted(0, 3, 0, -1);
    for (const Drawn<HealthSpan> &drawn : drawnSpans(strip.spans, shown(), row, weight)) {
        const Health health = drawn.worst->health;
        const QColor color = toneColor(toneOf(health), colours);
        painter.setBrush(health == Health::Unknown ? QBrush(color, Qt::BDiagPattern) : QBrush(color));
        const double height = bar.height() * heightOf(health);
        painter.drawRect(QRectF(drawn.left, bar.bottom() - height, drawn.right - drawn.left, height));
    }
}

QString HealthStrips::textAt(const QPointF &pos) const
{
    const QRectF plot = plotIn(rect());
    if (!plot.contains(pos)) // nor is what is above it a row
        return {};
    const auto row = static_cast<std::size_t>(m_first) + static_cast<std::size_t>((pos.y() - plot.top()) / rowHeight());
    if (row >= m_strips.size())
        return {};
    const Instant t = timeAt(pos.x(), plot);
    const HealthStrip &strip = m_strips[row];
    const HealthSpan *span = spanAt(strip, t);
    if (!span)
        return tr("%1: not watched then\n%2\n%3").arg(strip.name, exactText(t), exactTextUtc(t));
    const QString end = span->current ? tr("now") : exactText(span->to);
    return tr("%1: %2\n%3 to %4\n%5").arg(strip.name, spanWords(*span), exactText(span->from), end, exactTextUtc(span->from));
}

QString HealthStrips::textOf(Instant cursor) const
{
    QStringList lines{u"%1 (%2)"_s.arg(exactText(cursor), exactTextUtc(cursor))};
    for (const HealthStrip &strip : m_strips)
        if (const HealthSpan *span = spanAt(strip, cursor); span && span->from == cursor)
            lines << tr("%1: %2", "cluster: health").arg(strip.name, spanWords(*span));
    return lines.join(u'\n');
}

std::optional<Instant> HealthStrips::changeAfter(Instant t) const
{
    std::optional<Instant> next;
    for (const HealthStrip &strip : m_strips)
        for (auto it = firstAfter(strip.spans, t); it != strip.spans.end(); ++it) {
            if (it->from <= t)
                continue;
            next = next && *next < it->from ? next : std::optional(it->from);
            break;
        }
    return next;
}

std::optional<Instant> HealthStrips::changeBefore(Instant t) const
{
    std::optional<Instant> last;
    for (const HealthStrip &strip : m_strips) {
        const auto it = std::partition_point(strip.spans.begin(), strip.spans.end(), [t](const HealthSpan &s) { return s.from < t; });
        if (it != strip.spans.begin() && (!last || std::prev(it)->from > *last))
            last = std::prev(it)->from;
    }
    return last;
}

QString HealthStrips::emptyText() const
{
    return tr("No cluster is shown.");
}

QSize HealthStrips::sizeHint() const
{
    return {80 * grid, 40 + 10 * rowHeight()};
}

QSize HealthStrips::minimumSizeHint() const
{
    return {40 * grid, 40 + 4 * rowHeight()};
}

} // namespace switchyard::views
