// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/chart_theme.h"

#include "views/style/colors.h"

#include <QDateTime>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QPainter>

#include <array>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

void themeChart(QChart *chart, const QPalette &palette, const QFont &font)
{
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->legend()->hide();
    chart->setMargins({});
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    for (QAbstractAxis *axis : chart->axes()) {
        axis->setLabelsColor(secondaryText(palette));
        axis->setLabelsFont(font);
        axis->setTitleFont(font);
        axis->setTitleBrush(secondaryText(palette));
        axis->setLinePen(QPen(hairline(palette), 1));
        axis->setGridLinePen(QPen(hairline(palette), 1));
    }
}

void setPlotArea(QChart *chart, const QRectF &area)
{
    chart->setPlotArea(area);
    chart->layout()->invalidate();
    chart->layout()->activate();
}

qint64 milliseconds(Instant t)
{
    return std::chrono::floor<std::chrono::milliseconds>(t).time_since_epoch().count();
}

namespace {

// Distances of ticks that people read easily.
constexpr std::array<qint64, 23> steps{5,     10,    15,    30,    60,     120,    300,    600,     900,     1800,    3600,    7200,
                                       10800, 21600, 43200, 86400, 172800, 345600, 604800, 1209600, 2592000, 7776000, 31536000};

QString formatFor(qint64 step)
{
    return step < 60 ? u"HH:mm:ss"_s : step < 21600 ? u"HH:mm"_s : step < 86400 ? u"dd MMM HH:mm"_s : u"yyyy-MM-dd"_s;
}

} // namespace

TimeRange setTimeRange(QDateTimeAxis *axis, Instant from, Instant to, int pixels)
{
    const qint64 begin = milliseconds(from) / 1000, end = qMax(begin + 1, milliseconds(to) / 1000 + 1);
    const qint64 offset = QDateTime::fromSecsSinceEpoch(end).offsetFromUtc();
    const int most = qBound(2, pixels / 130, 8);
    qint64 step = steps.back(), first = begin;
    for (const qint64 candidate : steps) {
        step = candidate;
        first = (begin + offset) / step * step - offset;
        if ((end - first + step - 1) / step <= most)
            break;
    }
    const qint64 count = qMax<qint64>(1, (end - first + step - 1) / step);
    axis->setFormat(formatFor(step));
    axis->setTickCount(static_cast<int>(count) + 1);
    axis->setRange(QDateTime::fromSecsSinceEpoch(first), QDateTime::fromSecsSinceEpoch(first + count * step));
    return {Instant(std::chrono::seconds(first)), Instant(std::chrono::seconds(first + count * step))};
}

ThemedChartView::ThemedChartView(QWidget *parent)
    : QChartView(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus); // a table or sentence beside it says the same
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
}

void ThemedChartView::changeEvent(QEvent *event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        retheme();
}

void ThemedChartView::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    arrange();
}

void ThemedChartView::drawForeground(QPainter *painter, const QRectF &)
{
    painter->save();
    painter->setFont(font());
    paintData(*painter);
    painter->restore();
}

} // namespace switchyard::views
