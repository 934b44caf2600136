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

constexpr int gap = 5;

// Everything grows with the text.
int shapeSide(const QFontMetrics &metrics)
{
    return qMax(8, qRound(metrics.height() * 0.7));
}

int barWidth(const QFontMetrics &metrics)
{
    return metrics.height() * 3;
}

// A bar that is as it should be speaks for itself; any other state shows its shape too. Neutral keeps the room, for one left edge.
bool hasShape(const QModelIndex &index)
{
    const QVariant tone = index.data(ToneRole);
    return tone.isValid() && !(index.data(FractionRole).isValid() && static_cast<Tone>(tone.toInt()) == Tone::Good);
}

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

void paintBar(QPainter *painter, const QRect &rect, double fraction, const Look &look, const QPalette &palette)
{
    const int height = qMax(6, painter->fontMetrics().height() * 2 / 5), width = barWidth(painter->fontMetrics());
    const QRectF track(rect.left(), rect.center().y() - height / 2.0 + 0.5, width, height);
    painter->setPen(Qt::NoPen);
    painter->setBrush(hairline(palette));
    painter->drawRoundedRect(track, 2, 2);
    painter->setBrush(look.tone);
    if (fraction > 0)
        painter->drawRoundedRect(QRectF(track.left(), track.top(), qMax(2.0, width * qMin(1.0, fraction)), height), 2, 2);
}

void drawText(QPainter *painter, const QRect &rect, Qt::Alignment alignment, const QString &text, const QColor &color,
              Qt::TextElideMode elide = Qt::ElideRight)
{
    painter->setPen(color);
    painter->drawText(rect, int(alignment) | Qt::TextSingleLine, painter->fontMetrics().elidedText(text, elide, rect.width()));
}

void drawWords(QPainter *painter, QRect rect, const QModelIndex &index, const QString &text, const Look &look, Qt::TextElideMode elide)
{
    const Qt::Alignment alignment(index.data(Qt::TextAlignmentRole).isValid() ? index.data(Qt::TextAlignmentRole).toInt()
                                                                              : int(Qt::AlignLeft | Qt::AlignVCenter));
    const QVariant emphasis = index.data(EmphasisRole);
    if (!emphasis.isValid())
        return drawText(painter, rect, alignment, text, index.data(SecondaryRole).toBool() ? look.secondary : look.text, elide);
    const QString head = text.left(emphasis.toInt()), tail = text.mid(emphasis.toInt());
    drawText(painter, rect, alignment, tail.isEmpty() ? text : head, look.tone);
    const int used = painter->fontMetrics().horizontalAdvance(head);
    if (!tail.isEmpty() && used < rect.width())
        drawText(painter, rect.adjusted(used, 0, 0, 0), alignment, tail, look.text, elide);
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
    if (hasShape(index)) {
        const int side = shapeSide(painter->fontMetrics());
        paintShape(*painter, QRectF(rect.left(), rect.center().y() + 0.5 - side / 2.0, side, side),
                   static_cast<Tone>(index.data(ToneRole).toInt()), look.tone);
        rect.setLeft(rect.left() + side + gap);
    }
    if (const QVariant fraction = index.data(FractionRole); fraction.isValid()) {
        paintBar(painter, rect, fraction.toDouble(), look, o.palette);
        rect.setLeft(rect.left() + barWidth(painter->fontMetrics()) + gap);
    }
    drawWords(painter, rect, index, o.text, look, o.textElideMode);
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
    const QFontMetrics metrics(o.font);
    int width = metrics.horizontalAdvance(o.text) + 2 * gap + 2;
    if (index.data(FractionRole).isValid())
        width += barWidth(metrics) + gap;
    if (hasShape(index))
        width += shapeSide(metrics) + gap;
    return {width, rowHeight(o.font)};
}

void NameDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CellDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideMiddle;
}

} // namespace switchyard::views
