// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/series_plot.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QValueAxis>

#include <algorithm>

namespace switchyard::views {

struct SeriesPlot::Chart
{
    QGraphicsScene scene;
    QChart *chart = new QChart;
    QValueAxis *x = new QValueAxis, *y = new QValueAxis;
    QList<QLineSeries *> series;

    Chart()
    {
        scene.setItemIndexMethod(QGraphicsScene::NoIndex); // drawn at once after each change
        scene.addItem(chart);
        chart->setAnimationOptions(QChart::NoAnimation);
        chart->setBackgroundVisible(false);
        chart->setPlotAreaBackgroundVisible(false);
        chart->legend()->hide();
        chart->setMargins({});
        chart->layout()->setContentsMargins(0, 0, 0, 0);
        chart->addAxis(x, Qt::AlignBottom);
        chart->addAxis(y, Qt::AlignLeft);
        x->setVisible(false);
        y->setVisible(false);
    }

    void setCount(qsizetype count)
    {
        while (series.size() > count) {
            chart->removeSeries(series.last());
            delete series.takeLast();
        }
        while (series.size() < count) {
            auto *line = new QLineSeries;
            chart->addSeries(line);
            line->attachAxis(x);
            line->attachAxis(y);
            series.append(line);
        }
    }

    // At once: by itself it would do so with the next event.
    void layOut(const QSizeF &size)
    {
        const QRectF whole(QPointF(0, 0), size);
        if (chart->geometry() == whole && chart->plotArea() == whole)
            return;
        scene.setSceneRect(whole);
        chart->setGeometry(whole);
        chart->setPlotArea(whole);
        chart->layout()->invalidate();
        chart->layout()->activate();
    }
};

SeriesPlot::SeriesPlot()
    : d(std::make_unique<Chart>())
{}

SeriesPlot::~SeriesPlot() = default;

void SeriesPlot::paint(QPainter &painter, const QRectF &area, double from, double to, double top, const QList<DrawnLine> &lines)
{
    if (area.width() < 1 || area.height() < 1)
        return;
    d->layOut(area.size());
    d->setCount(lines.size());
    d->x->setRange(from, std::max(to, from + 1));
    d->y->setRange(0, std::max(top, 1e-9));
    for (qsizetype i = 0; i < lines.size(); ++i) {
        d->series[i]->setPen(lines[i].pen);
        d->series[i]->replace(lines[i].points);
    }
    d->scene.render(&painter, area, d->scene.sceneRect(), Qt::IgnoreAspectRatio);
}

} // namespace switchyard::views
