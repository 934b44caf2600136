// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Fusion without gradients: flat headers, buttons and fields with one hairline, one focus ring.
#include <QProxyStyle>

namespace switchyard::views {

class FlatStyle : public QProxyStyle
{
    Q_OBJECT
public:
    FlatStyle();
    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter, const QWidget *widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option, QPainter *painter,
                            const QWidget *widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex *option, SubControl part, const QWidget *widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption *option, const QWidget *widget) const override;
    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget, QStyleHintReturn *data) const override;

private:
    void drawButton(const QStyleOption *option, QPainter *painter, const QWidget *widget) const;
    void drawField(const QStyleOption *option, QPainter *painter, bool fill) const;
    void drawMenuBarItem(const QStyleOption *option, QPainter *painter) const;
    void drawTab(const QStyleOption *option, QPainter *painter) const;
    void drawScrollBar(const QStyleOptionComplex *option, QPainter *painter, const QWidget *widget) const;
    void drawHeader(const QStyleOption *option, QPainter *painter) const;
};

} // namespace switchyard::views
