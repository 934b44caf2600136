// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// At most two points (lowest and highest) for each pixel column: what the eye can tell apart anyway, and what QtCharts can bear.
#include <QList>
#include <QPointF>

namespace switchyard::views {

// points: sorted by x. The order of lowest and highest in a column is kept.
QList<QPointF> decimate(const QList<QPointF> &points, double fromX, double toX, int columns);

} // namespace switchyard::views
