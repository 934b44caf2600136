// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/who_led_chart.h"

#include "views/charts/chart_theme.h"
#include "views/charts/who_led_painter.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QEvent>
#include <QHelpEvent>
#include <QLineSeries>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int axisHeight = 28;
constexpr int topSpace = 8;
constexpr int widestLabel = 260;

} // namespace

class WhoLedChart::View : public ThemedChartView
{
public:
    explicit View(QWidget *parent)
        : ThemedChartView(parent)
        , m_time(new QDateTimeAxis)
        , m_lanes(new QValueAxis)
    {
        m_lanes->setVisible(false);
        m_lanes->setRange(0, 1);
        chart()->addAxis(m_time, Qt::AlignBottom);
        chart()->addAxis(m_lanes, Qt::AlignLeft);
        auto *frame = new QLineSeries; // axes need a series to hang on
        chart()->addSeries(frame);
        frame->attachAxis(m_time);
        frame->attachAxis(m_lanes);
        retheme();
    }

    void show(const WhoLed &led, std::optional<Duration> last)
    {
        const bool lanesChanged = m_layout.data.lanes != led.lanes;
        m_layout.data = led;
        m_last = last;
        arrange();
        if (lanesChanged)
            parentWidget()->updateGeometry();
    }

    int heightForLanes() const { return topSpace + axisHeight + qMax(1, static_cast<int>(m_layout.data.lanes.size())) * laneHeight(); }
    QString textAt(const QPoint &pos) const { return hitText(m_layout, pos); }

protected:
    void retheme() final
    {
        themeChart(chart(), palette(), font());
        m_lanes->setGridLineVisible(false);
        arrange();
    }

    void paintData(QPainter &painter) override { paintWhoLed(painter, m_layout, palette()); }

    bool viewportEvent(QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QChartView::viewportEvent(event);
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
        return true;
    }

private:
    int laneHeight() const { return rowHeight(font()) + 4; }

    void arrange() final
    {
        int label = 8 * grid;
        for (const auto &lane : m_layout.data.lanes)
            label = qMax(label, fontMetrics().horizontalAdvance(text(lane)) + 2 * grid);
        label = qMin(label, qMin(widestLabel, width() / 3));
        // room for half a tick label at the right end
        const int right = fontMetrics().horizontalAdvance(u"2031-02-01"_s) / 2 + grid;
        m_layout.plot = QRectF(label, topSpace, qMax(50, width() - label - right), qMax(10, height() - topSpace - axisHeight));
        setPlotArea(chart(), m_layout.plot);
        const auto &led = m_layout.data;
        m_time->setVisible(led.from.has_value());
        if (led.from && led.to) {
            const Instant start = m_last ? *led.to - *m_last
                                         : *led.from - std::max<Duration>(1s, (*led.to - *led.from) / 16); // room for the hatched start
            const auto range = setTimeRange(m_time, start, *led.to, static_cast<int>(m_layout.plot.width()));
            m_layout.from = range.from;
            m_layout.to = range.to;
        }
        viewport()->update();
    }

    QDateTimeAxis *m_time;
    QValueAxis *m_lanes;
    WhoLedLayout m_layout;
    std::optional<Duration> m_last;
};

WhoLedChart::WhoLedChart(QWidget *parent)
    : QWidget(parent)
    , m_view(new View(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Who led when"));
}

WhoLedChart::~WhoLedChart() = default;

void WhoLedChart::show(const WhoLed &led, std::optional<Duration> last)
{
    m_view->show(led, last);
    setAccessibleDescription(
        tr("%1 times in office of %2 members; the table below lists them.").arg(led.spans.size()).arg(led.lanes.size()));
}

QString WhoLedChart::textAt(const QPoint &pos) const
{
    return m_view->textAt(pos);
}

QSize WhoLedChart::sizeHint() const
{
    return {80 * grid, m_view->heightForLanes()};
}

QSize WhoLedChart::minimumSizeHint() const
{
    return {40 * grid, m_view->heightForLanes()};
}

} // namespace switchyard::views
