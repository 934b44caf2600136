// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/badge.h"

#include "views/style/metrics.h"
#include "views/style/shapes.h"

namespace switchyard::views {

namespace {
constexpr int shapeRoom = 20;
}

Badge::Badge(Tone tone, QWidget *parent)
    : QLabel(parent)
    , m_tone(tone)
{
    setVisible(false);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Badge::show(const QString &text, const QString &explanation)
{
    setText(text);
    setToolTip(explanation);
    setAccessibleName(text);
    setAccessibleDescription(explanation);
    setVisible(!text.isEmpty());
    updateGeometry();
}

QSize Badge::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()) + shapeRoom + grid, fontMetrics().height() + grid};
}

void Badge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ground = badgeGround(m_tone, palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect(), 4, 4);
    const QColor color = readableOn(toneColor(m_tone, palette()), ground, palette().color(QPalette::WindowText));
    paintShape(painter, QRectF(6, height() / 2.0 - 4.5, 9, 9), m_tone, color);
    painter.setPen(color);
    painter.drawText(rect().adjusted(shapeRoom, 0, -grid / 2, 0), int(Qt::AlignVCenter | Qt::AlignLeft), text());
}

} // namespace switchyard::views
