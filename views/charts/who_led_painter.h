// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Paints the lanes, bars, gaps and hatches of WhoLedChart into a plot area, and finds what lies under a point.
#include "views/charts/who_led.h"

#include <QPainter>

namespace switchyard::views {

struct WhoLedLayout
{
    WhoLed data;
    QRectF plot;
    Instant from{}, to{}; // what the plot area spans
    double x(Instant t) const;
    QRectF lane(std::size_t index) const;
    QRectF bar(const LedSpan &span) const; // empty when it is out of sight
    QRectF gap(const LedGap &gap) const;
};

void paintWhoLed(QPainter &painter, const WhoLedLayout &layout, const QPalette &palette);
QString hitText(const WhoLedLayout &layout, const QPointF &pos);

} // namespace switchyard::views
