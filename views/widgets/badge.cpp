// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/badge.h"

#include "views/style/metrics.h"
#include "views/style/shapes.h"

namespace switchyard::views {

namespace {

int shapeSide(const QFontMetrics &metrics)
{
    return qMax(8, qRound(metrics.height() * 0.65));
}

// Neutral: how the program runs, not the state of anything, so no state's shape either.
int shapeRoom(const QFontMetrics &metrics, Tone tone)
{
    return tone == Tone::Neutral ? grid : shapeSide(metrics) + 2 * 6;
}

// In the accent, as the leader.
Tone shownAs(Tone tone)
{
    return tone == Tone::Neutral ? Tone::Leader : tone;
}

} // namespace

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
    return {fontMetrics().horizontalAdvance(text()) + shapeRoom(fontMetrics(), m_tone) + grid, fontMetrics().height() + grid};
}

void Badge::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ground = badgeGround(shownAs(m_tone), palette());
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(rect(), 4, 4);
    const QColor color = readableOn(toneColor(shownAs(m_tone), palette()), ground, palette().color(QPalette::WindowText));
    const int side = shapeSide(fontMetrics());
    if (m_tone != Tone::Neutral)
        paintShape(painter, QRectF(6, height() / 2.0 - side / 2.0, side, side), m_tone, color);
    painter.setPen(color);
    painter.drawText(rect().adjusted(shapeRoom(fontMetrics(), m_tone), 0, -grid / 2, 0), int(Qt::AlignVCenter | Qt::AlignLeft), text());
}

} // namespace switchyard::views
