// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours and fonts of all charts, from the palette: QtCharts' own themes know nothing of ours.
#include "models/core/time.h"

#include <QChart>
#include <QDateTimeAxis>

namespace switchyard::views {

void themeChart(QChart *chart, const QPalette &palette, const QFont &font);
// Range, number of ticks and label format that suit the width. Labels are in local time.
void setTimeRange(QDateTimeAxis *axis, Instant from, Instant to, int pixels);
qint64 milliseconds(Instant t);

} // namespace switchyard::views
