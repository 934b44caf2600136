// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/flat_style.h"

#include "views/style/colors.h"

#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>

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

void drawSortArrow(const QStyleOption *option, QPainter *painter)
{
    const auto *header = qstyleoption_cast<const QStyleOptionHeader *>(option);
    if (!header)
        return;
    const QPointF c(option->rect.center().x(), option->rect.center().y() + 3);
    const qreal tip = header->sortIndicator == QStyleOptionHeader::SortUp ? 2.5 : -2.5;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(secondaryText(option->palette));
    painter->drawPolygon(QPolygonF({{c.x() - 4, c.y() + tip}, {c.x() + 4, c.y() + tip}, {c.x(), c.y() - tip}}));
    painter->restore();
}

} // namespace

FlatStyle::FlatStyle()
    : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
{}

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
        ground = palette.color(QPalette::Midlight).lightness() > ground.lightness() ? palette.color(QPalette::Midlight)
                                                                                    : palette.color(QPalette::Mid);
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

void FlatStyle::drawMenuBarItem(const QStyleOption *option, QPainter *painter) const
{
    const auto *item = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
    if (!item)
        return;
    const bool active = item->state & (State_Selected | State_Sunken);
    painter->fillRect(item->rect, item->palette.color(active ? QPalette::Highlight : QPalette::Window));
    drawItemText(painter, item->rect, int(Qt::AlignCenter) | Qt::TextHideMnemonic | Qt::TextSingleLine, item->palette,
                 item->state & State_Enabled, item->text, active ? QPalette::HighlightedText : QPalette::WindowText);
}

void FlatStyle::drawTab(const QStyleOption *option, QPainter *painter) const
{
    const QRect underline(option->rect.left(), option->rect.bottom() - 1, option->rect.width(), 2);
    if (option->state & State_Selected)
        painter->fillRect(underline, accentColor(option->palette));
    else if (option->state & State_MouseOver)
        painter->fillRect(underline, border(option->palette));
    if (option->state & State_HasFocus) {
        painter->setPen(accentColor(option->palette));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(1, 2, -2, -4));
    }
}

void FlatStyle::drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const
{
    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    const QRect slider = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const bool held = option->activeSubControls & SC_ScrollBarSlider && option->state & (State_Sunken | State_MouseOver);
    painter->setBrush(held ? secondaryText(option->palette)
                           : option->palette.color(isDark(option->palette) ? QPalette::Light : QPalette::Dark));
    painter->drawRoundedRect(QRectF(slider).adjusted(3, 3, -3, -3), 3, 3);
    painter->restore();
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                                   const QWidget *widget) const
{
    if (control == CC_ScrollBar)
        return drawScrollBar(option, painter, widget);
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect FlatStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const
{
    const auto *bar = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider *>(option) : nullptr;
    if (!bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    // No arrow buttons: the slider has the whole length.
    const bool lies = bar->orientation == Qt::Horizontal;
    const int length = lies ? bar->rect.width() : bar->rect.height();
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    const int slider = range > 0 ? qMax(int(qint64(length) * bar->pageStep / (range + bar->pageStep)), qMin(length, 24)) : length;
    const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - slider, bar->upsideDown);
    const auto piece = [&](int from, int size) {
        const QRect r = lies ? QRect(from, 0, size, bar->rect.height()) : QRect(0, from, bar->rect.width(), size);
        return visualRect(bar->direction, bar->rect, r.translated(bar->rect.topLeft()));
    };
    switch (part) {
    case SC_ScrollBarSlider: return piece(start, slider);
    case SC_ScrollBarGroove: return piece(0, length);
    case SC_ScrollBarSubPage: return piece(0, start);
    case SC_ScrollBarAddPage: return piece(start + slider, length - start - slider);
    default: return {};
    }
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const
{
    switch (element) {
    case PE_PanelButtonCommand: return drawButton(option, painter, widget);
    case PE_PanelLineEdit: return drawField(option, painter, true);
    case PE_FrameLineEdit: return drawField(option, painter, false);
    case PE_PanelStatusBar: // flat: the window lays its own hairline
    case PE_FrameStatusBarItem: return;
    case PE_FrameTabBarBase:
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), border(option->palette));
        return;
    case PE_FrameTabWidget:
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1), border(option->palette));
        return;
    case PE_IndicatorHeaderArrow: return drawSortArrow(option, painter);
    case PE_IndicatorCheckBox: // boxes of tables too
        if (const auto *box = qstyleoption_cast<const QStyleOptionButton *>(option); box && isDark(option->palette)) {
            QStyleOptionButton lifted = *box; // drawn in the colour of the ground, it would not be seen
            lifted.palette.setColor(QPalette::Base, option->palette.color(QPalette::Light));
            lifted.palette.setColor(QPalette::Window, option->palette.color(QPalette::Light));
            return QProxyStyle::drawPrimitive(element, &lifted, painter, widget);
        }
        return QProxyStyle::drawPrimitive(element, option, painter, widget);
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
    case CE_MenuBarItem: return drawMenuBarItem(option, painter);
    case CE_TabBarTabShape: return drawTab(option, painter);
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
    case PM_HeaderMarkSize: return 8;
    case PM_ScrollBarExtent: return 13;
    case PM_MenuBarPanelWidth: return 0;
    case PM_MenuBarVMargin: return 2;
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
    case SH_DialogButtonBox_ButtonsHaveIcons: return 0; // no decoration: the words say it
    default: return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

} // namespace switchyard::views
