// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/cell_delegate.h"

#include "models/items/roles.h"
#include "views/style/metrics.h"
#include "views/style/shapes.h"

#include <QApplication>
#include <QPainter>

namespace switchyard::views {

namespace {

constexpr int barWidth = 40;
constexpr int barHeight = 6;
constexpr int gap = 6;

struct Look
{
    QColor text, secondary, tone, ground;
};

QColor groundOf(const QStyleOptionViewItem &o)
{
    if (o.state & QStyle::State_Selected)
        return o.palette.color(QPalette::Highlight);
    return o.palette.color(o.features & QStyleOptionViewItem::Alternate ? QPalette::AlternateBase : QPalette::Base);
}

Look lookOf(const QStyleOptionViewItem &o, const QModelIndex &index)
{
    Look look{o.palette.color(QPalette::Text), secondaryText(o.palette), {}, groundOf(o)};
    const QVariant tone = index.data(ToneRole);
    look.tone = tone.isValid() ? toneColor(static_cast<Tone>(tone.toInt()), o.palette) : look.text;
    if (index.data(items::StaleRole).toBool())
        for (QColor *c : {&look.text, &look.secondary, &look.tone})
            *c = dimmed(*c, look.ground);
    look.tone = readableOn(look.tone, look.ground, look.text);
    look.secondary = readableOn(look.secondary, look.ground, look.text);
    return look;
}

void paintBar(QPainter *painter, const QRect &cell, int left, double fraction, const Look &look, const QPalette &palette)
{
    const QRectF track(left, cell.center().y() - barHeight / 2.0 + 0.5, barWidth, barHeight);
    painter->setPen(Qt::NoPen);
    painter->setBrush(hairline(palette));
    painter->drawRoundedRect(track, 2, 2);
    painter->setBrush(look.tone);
    if (fraction > 0)
        painter->drawRoundedRect(QRectF(track.left(), track.top(), qMax(2.0, barWidth * qMin(1.0, fraction)), barHeight), 2, 2);
}

void drawText(QPainter *painter, const QRect &rect, Qt::Alignment alignment, const QString &text, const QColor &color)
{
    painter->setPen(color);
    painter->drawText(rect, int(alignment) | Qt::TextSingleLine, painter->fontMetrics().elidedText(text, Qt::ElideRight, rect.width()));
}

void drawWords(QPainter *painter, QRect rect, const QModelIndex &index, const QString &text, const Look &look)
{
    const Qt::Alignment alignment(index.data(Qt::TextAlignmentRole).isValid() ? index.data(Qt::TextAlignmentRole).toInt() : int(Qt::AlignLeft | Qt::AlignVCenter));
    const QVariant emphasis = index.data(EmphasisRole);
    if (!emphasis.isValid())
        return drawText(painter, rect, alignment, text, index.data(SecondaryRole).toBool() ? look.secondary : look.text);
    const QString head = text.left(emphasis.toInt()), tail = text.mid(emphasis.toInt());
    drawText(painter, rect, alignment, tail.isEmpty() ? text : head, look.tone);
    const int used = painter->fontMetrics().horizontalAdvance(head);
    if (!tail.isEmpty() && used < rect.width())
        drawText(painter, rect.adjusted(used, 0, 0, 0), alignment, tail, look.text);
}

} // namespace

void CellDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem o = option;
    initStyleOption(&o, index);
    const Look look = lookOf(o, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->fillRect(o.rect, look.ground);
    if (index.data(GlowRole).toBool())
        painter->fillRect(o.rect, badgeGround(Tone::Leader, o.palette));
    painter->setFont(o.font);
    QRect rect = o.rect.adjusted(gap, 0, -gap, 0);
    if (const QVariant tone = index.data(ToneRole); tone.isValid() && !index.data(FractionRole).isValid()) {
        paintShape(*painter, QRectF(rect.left(), rect.center().y() - 4.5, 10, 10), static_cast<Tone>(tone.toInt()), look.tone);
        if (static_cast<Tone>(tone.toInt()) != Tone::Neutral)
            rect.setLeft(rect.left() + 10 + gap);
    }
    if (const QVariant fraction = index.data(FractionRole); fraction.isValid()) {
        paintBar(painter, rect, rect.left(), fraction.toDouble(), look, o.palette);
        rect.setLeft(rect.left() + barWidth + gap);
    }
    drawWords(painter, rect, index, o.text, look);
    painter->setRenderHint(QPainter::Antialiasing, false);
    if (o.state & QStyle::State_HasFocus && o.state & QStyle::State_Active) {
        painter->setBrush(Qt::NoBrush);
        painter->setPen(accentColor(o.palette));
        painter->drawRect(o.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QStyleOptionViewItem o = option;
    initStyleOption(&o, index);
    int width = QFontMetrics(o.font).horizontalAdvance(o.text) + 2 * gap + 2;
    if (index.data(FractionRole).isValid())
        width += barWidth + gap;
    else if (const QVariant tone = index.data(ToneRole); tone.isValid() && static_cast<Tone>(tone.toInt()) != Tone::Neutral)
        width += 10 + gap;
    return {width, rowHeight(o.font)};
}

} // namespace switchyard::views
