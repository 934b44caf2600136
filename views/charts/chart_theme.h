// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours and fonts of all charts, from the palette: QtCharts' own themes know nothing of ours.
#include "models/core/time.h"

#include <QChart>
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

} // namespace switchyard::views
