// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A state's shape: filled circle, triangle, filled square, dashed circle, two bars, crown, hollow diamond. Always painted beside its word.
#include "views/style/colors.h"

#include <QIcon>
#include <QPainter>

namespace switchyard::views {

// Paints the shape of `tone` in `color`, centred in `rect` (square, 8 to 24 px).
void paintShape(QPainter &painter, const QRectF &rect, Tone tone, const QColor &color);
inline void paintShape(QPainter &painter, const QRectF &rect, Tone tone, const QPalette &palette)
{
    paintShape(painter, rect, tone, toneColor(tone, palette));
}
QPixmap shapePixmap(Tone tone, const QPalette &palette, int size, qreal devicePixelRatio = 1);
QIcon shapeIcon(Tone tone, const QPalette &palette);
// For plain text: "●" "▲" "■" "◌" "‖" "♛" "◇"
QString shapeText(Tone tone);

} // namespace switchyard::views
