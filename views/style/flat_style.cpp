// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/flat_style.h"

#include "views/style/colors.h"

#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QStyleOptionButton>
#include <QStyleFactory>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr qreal radius = 4;

QRectF hairRect(const QRect &rect)
{
    return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5); // a one-pixel line lies on pixel centres
}

QColor border(const QPalette &palette)
{
    return palette.color(QPalette::Mid);
}

} // namespace

FlatStyle::FlatStyle()
    : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
{
}

void FlatStyle::drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    const QPalette &palette = option->palette;
    const auto *button = qstyleoption_cast<const QStyleOptionButton *>(option);
    const bool flat = button && button->features & QStyleOptionButton::Flat;
    const bool enabled = option->state & State_Enabled;
    const bool down = option->state & (State_Sunken | State_On);
    const bool hover = enabled && option->state & State_MouseOver;
    const bool focus = option->state & State_HasFocus;
    const bool isDefault = button && button->features & QStyleOptionButton::DefaultButton && qobject_cast<const QPushButton *>(widget);
    QColor ground = palette.color(QPalette::Button);
    if (down)
        ground = palette.color(QPalette::Mid);
    else if (hover)
        ground = palette.color(QPalette::Midlight).lightness() > ground.lightness() ? palette.color(QPalette::Midlight) : palette.color(QPalette::Mid);
    if (flat && !down && !hover)
        ground = Qt::transparent;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(ground);
    const bool accent = (focus || isDefault) && enabled;
    painter->setPen(flat && !focus ? QPen(Qt::NoPen) : QPen(accent ? accentColor(palette) : border(palette), focus ? 2 : 1));
    painter->drawRoundedRect(focus ? QRectF(option->rect).adjusted(1, 1, -1, -1) : hairRect(option->rect), radius, radius);
    painter->restore();
}

void FlatStyle::drawField(const QStyleOption *option, QPainter *painter, bool fill) const
{
    const bool focus = option->state & State_HasFocus && option->state & State_Enabled;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill ? QBrush(option->palette.color(QPalette::Base)) : QBrush(Qt::NoBrush));
    painter->setPen(QPen(focus ? accentColor(option->palette) : border(option->palette), focus ? 2 : 1));
    painter->drawRoundedRect(focus ? QRectF(option->rect).adjusted(1, 1, -1, -1) : hairRect(option->rect), radius, radius);
    painter->restore();
}

void FlatStyle::drawHeader(const QStyleOption *option, QPainter *painter) const
{
    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), border(option->palette));
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand: return drawButton(option, painter, widget);
    case PE_PanelLineEdit: return drawField(option, painter, true);
    case PE_FrameLineEdit: return drawField(option, painter, false);
    case PE_PanelStatusBar: // flat: the window lays its own hairline
    case PE_FrameStatusBarItem: return;
    case PE_FrameMenu:
        painter->setPen(border(option->palette));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void FlatStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case CE_HeaderSection:
    case CE_HeaderEmptyArea: return drawHeader(option, painter);
    case CE_MenuBarEmptyArea: painter->fillRect(option->rect, option->palette.color(QPalette::Window)); return;
    case CE_Splitter: painter->fillRect(option->rect, hairline(option->palette)); return;
    case CE_HeaderLabel:
        if (const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option)) {
            QStyleOptionHeader quiet = *header; // captions are quieter than values
            for (const auto role : {QPalette::ButtonText, QPalette::WindowText, QPalette::Text})
                quiet.palette.setColor(role, secondaryText(option->palette));
            quiet.state &= ~State_On; // no bold caption for the column of the selection
            return QProxyStyle::drawControl(element, &quiet, painter, widget);
        }
        [[fallthrough]];
    default: QProxyStyle::drawControl(element, option, painter, widget);
    }
}

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const
{
    switch (metric) {
    case PM_HeaderMargin: return 6;
    case PM_SplitterWidth: return 1;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    case PM_ToolTipLabelFrameWidth: return 6;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int FlatStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const
{
    switch (hint) {
    case SH_EtchDisabledText: return 0;
    case SH_ItemView_ActivateItemOnSingleClick: return 0;
    case SH_UnderlineShortcut: return 1;
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

} // namespace switchyard::views
