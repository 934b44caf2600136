// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The upright axis of a chart that begins at 0: lines, their labels, and notes beside lines that mean something.
#include <QPainter>

#include <optional>

namespace switchyard::views {

struct UprightScale
{
    QRectF plot;
    double top = 1;
    double y(double value) const { return plot.bottom() - value / top * plot.height(); }
};

struct ScaleTick
{
    double value = 0;
    QString label;
};

void paintScale(QPainter &painter, const UprightScale &scale, const QList<ScaleTick> &ticks, const QPalette &palette);
// A line over the whole width, or from one x to another, with its name above it; behind: of the name, where it stands on what is drawn.
using Across = std::optional<std::pair<double, double>>;
void paintLevel(QPainter &painter, const UprightScale &scale, double value, const QString &words, const QPen &pen, Qt::Alignment side,
                const Across &across = {}, const QBrush &behind = Qt::NoBrush);

} // namespace switchyard::views
