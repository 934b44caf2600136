// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/scale.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"

namespace switchyard::views {

void paintScale(QPainter &painter, const UprightScale &scale, const QList<ScaleTick> &ticks, const QPalette &palette)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int height = painter.fontMetrics().height();
    for (const ScaleTick &tick : ticks) {
        const double y = scale.y(tick.value);
        if (y < scale.plot.top() - 1)
            continue;
        painter.setPen(QPen(hairline(palette), 1));
        painter.drawLine(QPointF(scale.plot.left(), y), QPointF(scale.plot.right(), y));
        painter.setPen(secondaryText(palette));
        painter.drawText(QRectF(0, y - height / 2.0, scale.plot.left() - grid, height), Qt::AlignRight | Qt::AlignVCenter, tick.label);
    }
}

void paintLevel(QPainter &painter, const UprightScale &scale, double value, const QString &words, const QPen &pen, Qt::Alignment side,
                const Across &across, const QBrush &behind)
{
    if (value > scale.top)
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    const double y = scale.y(value);
    const int height = painter.fontMetrics().height();
    painter.setPen(pen);
    const auto [left, right] = across.value_or(std::pair(scale.plot.left(), scale.plot.right()));
    painter.drawLine(QPointF(left, y), QPointF(right, y));
    const QRectF place(scale.plot.left() + grid, y - height - 1, scale.plot.width() - 2 * grid, height);
    if (behind != Qt::NoBrush && !words.isEmpty())
        painter.fillRect(painter.boundingRect(place, int(side | Qt::AlignVCenter), words).adjusted(-2, 0, 2, 0), behind);
    painter.setPen(pen.color());
    painter.drawText(place, side | Qt::AlignVCenter, words);
}

} // namespace switchyard::views
