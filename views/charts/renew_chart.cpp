// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/renew_chart.h"

#include "views/charts/chart_theme.h"
#include "views/charts/decimate.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"
#include "views/words.h"

#include <QAreaSeries>
#include <QEvent>
#include <QLineSeries>
#include <QTimer>
#include <QVBoxLayout>
#include <QValueAxis>

#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int throttleMilliseconds = 200;
constexpr int leftSpace = 48, rightSpace = 40, topSpace = 12, axisHeight = 28;
constexpr Duration longest = 2h, shortest = 2min;

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
    if (data.ttl < 20 * top) // a scaffolded ttl of centuries would flatten everything else
        top = std::max(top, data.ttl * 1.12);
    return std::ceil(top / (tickStep(top) / 2)) * tickStep(top) / 2;
}

} // namespace

RenewData renewData(const patroni::Cluster &cluster, Now now)
{
    RenewData data;
    for (const auto &sample : cluster.renewals)
        data.points.append({now.toWall(sample.at), toSeconds(sample.interval)});
    if (cluster.config && cluster.config->config.present)
        data.inTime = static_cast<double>(cluster.config->config.loopWait + cluster.config->config.retryTimeout);
    data.ttl = static_cast<double>(cluster.lock.ttl);
    const bool counting = cluster.view.freshness == patroni::Freshness::Live
        && (cluster.lock.state == patroni::LockState::Held || cluster.lock.state == patroni::LockState::Expired);
    if (counting && cluster.lock.changedNotAfter)
        data.open = toSeconds(now.boot - *cluster.lock.changedNotAfter);
    data.now = now.wall;
    return data;
}

QList<QList<RenewPoint>> unbroken(const QList<RenewPoint> &points)
{
    QList<QList<RenewPoint>> runs;
    for (const RenewPoint &p : points) {
        const bool follows = !runs.isEmpty() && toSeconds(p.at - runs.last().last().at) < p.seconds + 1;
        if (!follows)
            runs.append(QList<RenewPoint>{});
        runs.last().append(p);
    }
    return runs;
}

class RenewChart::View : public ThemedChartView
{
public:
    explicit View(QWidget *parent)
        : ThemedChartView(parent)
        , m_time(new QDateTimeAxis)
        , m_seconds(new QValueAxis)
        , m_upper(new QLineSeries(this))
        , m_lower(new QLineSeries(this))
        , m_band(new QAreaSeries(m_upper, m_lower))
        , m_ttl(new QLineSeries)
    {
        m_seconds->setLabelFormat(RenewChart::tr("%.0f s", "seconds, printf format"));
        m_seconds->setTickType(QValueAxis::TicksDynamic);
        chart()->addAxis(m_time, Qt::AlignBottom);
        chart()->addAxis(m_seconds, Qt::AlignLeft);
        for (QAbstractSeries *series : std::initializer_list<QAbstractSeries *>{m_band, m_ttl}) {
            chart()->addSeries(series);
            series->attachAxis(m_time);
            series->attachAxis(m_seconds);
        }
        m_throttle.setSingleShot(true);
        m_throttle.setInterval(throttleMilliseconds);
        connect(&m_throttle, &QTimer::timeout, this, [this] { arrange(); });
        retheme();
    }

    void show(const RenewData &values)
    {
        const bool first = m_data.points.isEmpty();
        m_data = values;
        if (first)
            arrange();
        else if (!m_throttle.isActive())
            m_throttle.start();
    }

protected:
    void retheme() final
    {
        themeChart(chart(), palette(), font());
        QColor band = toneColor(Tone::Good, palette());
        band.setAlpha(isDark(palette()) ? 36 : 26);
        m_band->setPen(Qt::NoPen);
        m_band->setBrush(band);
        m_ttl->setPen(QPen(toneColor(Tone::Bad, palette()), 1.5, Qt::DashLine));
        m_time->setGridLineVisible(false);
        arrange();
    }

    void paintData(QPainter &painter) override
    {
        painter.setRenderHint(QPainter::Antialiasing);
        if (m_data.points.isEmpty() && !m_data.open) {
            painter.setPen(secondaryText(palette()));
            painter.drawText(plot(), Qt::AlignCenter | Qt::TextWordWrap,
                             RenewChart::tr("No renewal seen yet. The first point comes with the second renewal."));
        } else {
            paintPoints(painter);
        }
        paintNotes(painter);
    }

private:
    QRectF plot() const
    {
        return {leftSpace, topSpace, qMax<qreal>(50, width() - leftSpace - rightSpace), qMax<qreal>(20, height() - topSpace - axisHeight)};
    }
    QPointF at(const QPointF &value) const
    {
        const QRectF area = plot();
        return {area.left() + (value.x() - m_from) / std::max(1.0, m_to - m_from) * area.width(),
                area.bottom() - value.y() / m_top * area.height()};
    }

    void arrange() final
    {
        setPlotArea(chart(), plot());
        Instant from = m_data.now - shortest;
        if (!m_data.points.isEmpty())
            from = std::min(from, std::max(m_data.points.front().at, m_data.now - longest));
        const auto range = setTimeRange(m_time, from, m_data.now, static_cast<int>(plot().width()));
        m_from = static_cast<double>(milliseconds(range.from));
        m_to = static_cast<double>(milliseconds(range.to));
        m_top = niceTop(m_data);
        m_runs.clear();
        for (const auto &run : unbroken(m_data.points)) {
            QList<QPointF> all;
            for (const auto &p : run)
                all.append({static_cast<double>(milliseconds(p.at)), p.seconds});
            m_runs.append(decimate(all, m_from, m_to, static_cast<int>(plot().width())));
        }
        const double inTime = m_data.inTime.value_or(0);
        m_upper->replace(QList<QPointF>{{m_from, inTime}, {m_to, inTime}});
        m_lower->replace(QList<QPointF>{{m_from, 0}, {m_to, 0}});
        m_ttl->replace(m_data.ttl <= m_top ? QList<QPointF>{{m_from, m_data.ttl}, {m_to, m_data.ttl}} : QList<QPointF>{});
        m_seconds->setRange(0, m_top);
        m_seconds->setTickInterval(tickStep(m_top));
        viewport()->update();
    }

    bool inTime(double seconds) const { return !m_data.inTime || seconds <= *m_data.inTime; }

    void paintPoints(QPainter &painter)
    {
        for (const auto &run : m_runs) {
            QPolygonF line;
            for (const auto &value : run)
                line << at(value);
            painter.setPen(QPen(secondaryText(palette()), 1));
            painter.drawPolyline(line);
            for (const auto &value : run)
                paintPoint(painter, value);
        }
        paintOpen(painter);
    }

    void paintPoint(QPainter &painter, const QPointF &value)
    {
        const QPointF p = at(value);
        if (inTime(value.y())) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(accentColor(palette()));
            painter.drawEllipse(p, 1.8, 1.8);
            return;
        }
        paintShape(painter, QRectF(p.x() - 6, p.y() - 6, 12, 12), Tone::Warning, toneColor(Tone::Warning, palette()));
        paintBeside(painter, p, RenewChart::tr("%1 s").arg(value.y(), 0, 'f', 1));
    }

    void paintBeside(QPainter &painter, const QPointF &p, const QString &words)
    {
        painter.setPen(palette().color(QPalette::WindowText));
        const int width = painter.fontMetrics().horizontalAdvance(words), height = painter.fontMetrics().height();
        const bool right = p.x() + 10 + width < plot().right(); // beside it: above it the line of ttl may pass
        painter.drawText(QRectF(right ? p.x() + 9 : p.x() - 9 - width, p.y() - height / 2.0, width, height), Qt::AlignCenter, words);
    }

    // The renewal that is being waited for: hollow while in time, else as a late one that counts on.
    void paintOpen(QPainter &painter)
    {
        if (!m_data.open)
            return;
        const QPointF p = at({static_cast<double>(milliseconds(m_data.now)), std::min(*m_data.open, m_top)});
        if (inTime(*m_data.open)) {
            painter.setPen(QPen(accentColor(palette()), 1.2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(p, 2.5, 2.5);
            return;
        }
        const Tone tone = *m_data.open > m_data.ttl ? Tone::Bad : Tone::Warning;
        paintShape(painter, QRectF(p.x() - 6, p.y() - 6, 12, 12), tone, toneColor(tone, palette()));
        paintBeside(painter, p, RenewChart::tr("none for %1 s").arg(std::floor(*m_data.open)));
    }

    void paintNotes(QPainter &painter)
    {
        const QRectF area = plot();
        const int h = painter.fontMetrics().height();
        const auto note = [&](double value, const QString &words, const QColor &color) {
            const double y = at({m_from, value}).y();
            painter.setPen(color);
            painter.drawText(QRectF(area.left() + grid, y - h - 1, area.width() - grid, h), Qt::AlignLeft | Qt::AlignVCenter, words);
        };
        if (m_data.ttl <= m_top)
            note(m_data.ttl, RenewChart::tr("ttl %1 s").arg(m_data.ttl), toneColor(Tone::Bad, palette()));
        if (m_data.inTime)
            note(*m_data.inTime, RenewChart::tr("in time up to %1 s (loop_wait + retry_timeout)").arg(*m_data.inTime),
                 toneColor(Tone::Good, palette()));
    }

    QDateTimeAxis *m_time;
    QValueAxis *m_seconds;
    QLineSeries *m_upper, *m_lower;
    QAreaSeries *m_band;
    QLineSeries *m_ttl;
    QTimer m_throttle;
    RenewData m_data;
    QList<QList<QPointF>> m_runs;
    double m_from = 0, m_to = 1, m_top = 40;
};

RenewChart::RenewChart(QWidget *parent)
    : QWidget(parent)
    , m_view(new View(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setAccessibleName(tr("Seconds between renewals of the lock"));
}

RenewChart::~RenewChart() = default;

void RenewChart::show(const RenewData &values)
{
    m_view->show(values);
    const auto late = std::count_if(values.points.begin(), values.points.end(),
                                    [&](const RenewPoint &p) { return values.inTime && p.seconds > *values.inTime; });
    setAccessibleDescription(tr("%1 renewals, %2 of them late").arg(values.points.size()).arg(late));
}

QSize RenewChart::sizeHint() const
{
    return {80 * grid, 17 * grid};
}

QSize RenewChart::minimumSizeHint() const
{
    return {40 * grid, 17 * grid};
}

} // namespace switchyard::views
