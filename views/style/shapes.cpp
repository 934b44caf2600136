// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/shapes.h"

#include <QPainterPath>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QPainterPath crown(const QRectF &r)
{
    const auto at = [&r](double x, double y) { return QPointF(r.left() + x * r.width(), r.top() + y * r.height()); };
    QPainterPath path(at(0.06, 0.24));
    for (const QPointF &p : {at(0.30, 0.50), at(0.50, 0.12), at(0.70, 0.50), at(0.94, 0.24), at(0.84, 0.88), at(0.16, 0.88)})
        path.lineTo(p);
    path.closeSubpath();
    return path;
}

QPainterPath triangle(const QRectF &r)
{
    QPainterPath path(QPointF(r.center().x(), r.top() + 0.06 * r.height()));
    path.lineTo(r.right(), r.bottom() - 0.06 * r.height());
    path.lineTo(r.left(), r.bottom() - 0.06 * r.height());
    path.closeSubpath();
    return path;
}

void paintDashedCircle(QPainter &painter, const QRectF &r, const QColor &color)
{
    const qreal width = qMax(1.4, r.width() * 0.14);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    const QRectF ring = r.adjusted(width, width, -width, -width);
    for (int i = 0; i < 6; ++i) // six arcs of 38 degrees: dashes that stay even at any size
        painter.drawArc(ring, (i * 60 + 11) * 16, 38 * 16);
}

void paintDiamond(QPainter &painter, const QRectF &r, const QColor &color)
{
    const qreal width = qMax(1.4, r.width() * 0.14);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    const QRectF in = r.adjusted(width, width, -width, -width);
    painter.drawPolygon(QPolygonF({QPointF(in.center().x(), in.top()), QPointF(in.right(), in.center().y()),
                                   QPointF(in.center().x(), in.bottom()), QPointF(in.left(), in.center().y())}));
}

} // namespace

void paintShape(QPainter &painter, const QRectF &rect, Tone tone, const QColor &color)
{
    const qreal side = qMin(rect.width(), rect.height());
    const QRectF r(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (tone) {
    case Tone::Good: painter.drawEllipse(r.adjusted(side * 0.08, side * 0.08, -side * 0.08, -side * 0.08)); break;
    case Tone::Warning: painter.drawPath(triangle(r)); break;
    case Tone::Bad: painter.drawRect(r.adjusted(side * 0.08, side * 0.08, -side * 0.08, -side * 0.08)); break;
    case Tone::Unknown: paintDashedCircle(painter, r, color); break;
    case Tone::Paused:
        painter.drawRect(QRectF(r.left() + side * 0.16, r.top() + side * 0.1, side * 0.24, side * 0.8));
        painter.drawRect(QRectF(r.left() + side * 0.60, r.top() + side * 0.1, side * 0.24, side * 0.8));
        break;
    case Tone::Leader: painter.drawPath(crown(r)); break;
    case Tone::Free: paintDiamond(painter, r, color); break;
    case Tone::Neutral: break;
    }
    painter.restore();
}

QPixmap shapePixmap(Tone tone, const QPalette &palette, int size, qreal devicePixelRatio)
{
    const int pixels = qRound(size * devicePixelRatio);
    QPixmap pixmap(pixels, pixels);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    const qreal inset = size * 0.15;
    paintShape(painter, QRectF(0, 0, size, size).adjusted(inset, inset, -inset, -inset), tone, palette);
    return pixmap;
}

QIcon shapeIcon(Tone tone, const QPalette &palette)
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0})
        for (const int size : {16, 24})
            icon.addPixmap(shapePixmap(tone, palette, size, ratio));
    return icon;
}

QString shapeText(Tone tone)
{
    switch (tone) {
    case Tone::Good: return u"\u25cf"_s;
    case Tone::Warning: return u"\u25b2"_s;
    case Tone::Bad: return u"\u25a0"_s;
    case Tone::Unknown: return u"\u25cc"_s;
    case Tone::Paused: return u"\u2016"_s;
    case Tone::Leader: return u"\u265b"_s;
    case Tone::Free: return u"\u25c7"_s;
    case Tone::Neutral: break;
    }
    return {};
}

} // namespace switchyard::views
