// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours and fonts of all charts, from the palette: QtCharts' own themes know nothing of ours.
#include "models/core/time.h"

#include <QChart>
#include <QChartView>
#include <QDateTimeAxis>

namespace switchyard::views {

void themeChart(QChart *chart, const QPalette &palette, const QFont &font);
struct TimeRange
{
    Instant from{}, to{};
};
// A range around from..to whose ticks fall on round local times, as many as suit the width; set on the axis and returned.
TimeRange setTimeRange(QDateTimeAxis *axis, Instant from, Instant to, int pixels);
// The plot area, with the axes laid out for it at once: QtCharts itself would do so only at the next change of size.
void setPlotArea(QChart *chart, const QRectF &area);
qint64 milliseconds(Instant t);

// A chart that takes the program's colours and paints its data itself, over axes laid out by QtCharts.
class ThemedChartView : public QChartView
{
public:
    explicit ThemedChartView(QWidget *parent);

protected:
    virtual void retheme() = 0;                    // palette or font changed
    virtual void arrange() = 0;                    // size changed
    virtual void paintData(QPainter &painter) = 0; // with the view's font
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
};

} // namespace switchyard::views
