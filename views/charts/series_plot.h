// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lines drawn by QtCharts into a given place: of a widget, or of a picture that is saved. Axes, marks and words are painted by those who
// use it: QtCharts knows nothing of breaks, late ones or zones.
#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <memory>

namespace switchyard::views {

struct DrawnLine
{
    QList<QPointF> points; // milliseconds, value; sorted, at most some thousand: see decimate.h
    QPen pen;
};

class SeriesPlot
{
public:
    SeriesPlot();
    ~SeriesPlot();
    // area: what it is drawn into; from, to (milliseconds) and 0 to top: what that spans. Nothing is drawn beyond it.
    void paint(QPainter &painter, const QRectF &area, double from, double to, double top, const QList<DrawnLine> &lines);

private:
    struct Chart;
    std::unique_ptr<Chart> d;
};

} // namespace switchyard::views
