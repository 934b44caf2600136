// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/picture.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QBuffer>
#include <QImage>
#include <QSvgGenerator>

namespace switchyard::views {

namespace {

constexpr int density = 2;

struct Sheet
{
    const TimeCanvas &canvas;
    QString title, subject, range;
    int line = 0;
    QSize size;
};

Sheet sheetOf(const TimeCanvas &canvas, const QString &title, const QString &subject)
{
    Sheet sheet{canvas, title, subject, TimeCanvas::tr("%1; zone %2", "range of time").arg(rangeText(canvas.shown()), zoneText()), 0, {}};
    sheet.line = QFontMetrics(canvas.font()).height() + grid / 2;
    sheet.size = QSize(canvas.width() + 2 * pageMargin, canvas.height() + 3 * sheet.line + 3 * grid);
    return sheet;
}

void paintSheet(QPainter &painter, const Sheet &sheet)
{
    const QPalette colours = sheet.canvas.palette();
    painter.fillRect(QRect({}, sheet.size), colours.color(QPalette::Window));
    const int width = sheet.size.width() - 2 * pageMargin;
    int top = grid;
    const auto line = [&](const QFont &font, const QColor &color, const QString &words) {
        painter.setFont(font);
        painter.setPen(color);
        const QString shown = QFontMetrics(font).elidedText(words, Qt::ElideMiddle, width);
        painter.drawText(QRect(pageMargin, top, width, sheet.line), Qt::AlignLeft | Qt::AlignVCenter, shown);
        top += sheet.line;
    };
    line(strongFont(sheet.canvas.font()), colours.color(QPalette::WindowText), sheet.title);
    line(sheet.canvas.font(), colours.color(QPalette::WindowText), sheet.subject);
    line(sheet.canvas.font(), secondaryText(colours), sheet.range);
    painter.translate(pageMargin, top + grid);
    sheet.canvas.paint(painter, QRectF(QPointF(), QSizeF(sheet.canvas.size())), colours);
}

QByteArray pngOf(const Sheet &sheet)
{
    QImage image(sheet.size * density, QImage::Format_RGB32);
    image.setDevicePixelRatio(density);
    QPainter painter(&image);
    paintSheet(painter, sheet);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svgOf(const Sheet &sheet)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(sheet.size);
    svg.setViewBox(QRect({}, sheet.size));
    svg.setTitle(sheet.title);
    svg.setDescription(sheet.subject);
    QPainter painter(&svg);
    paintSheet(painter, sheet);
    painter.end();
    return bytes;
}

} // namespace

QByteArray pictureBytes(const TimeCanvas &canvas, const QString &title, const QString &subject, PictureFormat format)
{
    const Sheet sheet = sheetOf(canvas, title, subject);
    return format == PictureFormat::Svg ? svgOf(sheet) : pngOf(sheet);
}

} // namespace switchyard::views
