// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Paints lanes, gaps, blind spots and marks of the leadership timeline into a plot area, and finds what lies under a point.
#include "models/events/leadership.h"
#include "views/charts/time_range.h"

#include <QPainter>

namespace switchyard::views {

struct TimelineScene
{
    const Leadership &data;
    TimeRange shown;
    QRectF plot; // a row for the marks, then the lanes
    double x(Instant t) const;
    QRectF lane(std::size_t index) const;
    QRectF lanes() const;
    QRectF markRow() const;
};
constexpr int markRowHeight = 20;

// How many shapes were painted.
int paintTimeline(QPainter &painter, const TimelineScene &scene, const QPalette &palette);
QString timelineText(const TimelineScene &scene, const QPointF &pos);
QString laneWord(LaneState state);
QString momentText(const Leadership &data, Instant t); // all that is known of a moment

} // namespace switchyard::views
