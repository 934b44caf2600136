// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Requests, pauses, failsafe mode and configurations above the lanes: a shape for each kind.
#include "views/charts/timeline_painter.h"

namespace switchyard::views {

int paintMarks(QPainter &painter, const TimelineScene &scene, const QPalette &palette); // how many shapes
QString marksText(const TimelineScene &scene, double x);
QString markText(const LeadershipMark &mark);

} // namespace switchyard::views
