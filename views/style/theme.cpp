// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/theme.h"

#include "views/style/colors.h"
#include "views/style/flat_style.h"

#include <QApplication>
#include <QEvent>
#include <QPointer>

namespace switchyard::views {

namespace {

struct Colors
{
    QRgb window, windowText, base, alternate, text, button, buttonText, highlight, highlightedText, link, placeholder, disabled, light,
        midlight, mid, dark, shadow, tip, tipText;
};

constexpr Colors lightColors{0xfff6f8fa, 0xff1f2328, 0xffffffff, 0xfff6f8fa, 0xff1f2328, 0xfff3f5f7, 0xff1f2328,
                             0xffd9e9fb, 0xff1f2328, 0xff0969da, 0xff656d76, 0xff8c959f, 0xffffffff, 0xfff3f5f7,
                             0xffc8d1da, 0xffafb8c1, 0xff6e7781, 0xff24292f, 0xffffffff};
constexpr Colors darkColors{0xff161b22, 0xffe6edf3, 0xff0d1117, 0xff12171e, 0xffe6edf3, 0xff21262d, 0xffe6edf3,
                            0xff18395c, 0xffe6edf3, 0xff58a6ff, 0xff8b949e, 0xff6e7681, 0xff3d444d, 0xff2d333b,
                            0xff30363d, 0xff0d1117, 0xff010409, 0xff2d333b, 0xffe6edf3};

QPalette build(const Colors &c)
{
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, QRgb rgb) { p.setColor(role, QColor::fromRgb(rgb)); };
    set(QPalette::Window, c.window);
    set(QPalette::WindowText, c.windowText);
    set(QPalette::Base, c.base);
    set(QPalette::AlternateBase, c.alternate);
    set(QPalette::Text, c.text);
    set(QPalette::Button, c.button);
    set(QPalette::ButtonText, c.buttonText);
    set(QPalette::BrightText, c.highlightedText);
    set(QPalette::Highlight, c.highlight);
    set(QPalette::HighlightedText, c.highlightedText);
    set(QPalette::Link, c.link);
    set(QPalette::LinkVisited, c.link);
    set(QPalette::PlaceholderText, c.placeholder);
    set(QPalette::Light, c.light);
    set(QPalette::Midlight, c.midlight);
    set(QPalette::Mid, c.mid);
    set(QPalette::Dark, c.dark);
    set(QPalette::Shadow, c.shadow);
    set(QPalette::ToolTipBase, c.tip);
    set(QPalette::ToolTipText, c.tipText);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, QColor::fromRgb(c.disabled));
    p.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(c.mid));
    return p;
}

// The desktop's own palette, under ours.
bool systemIsDark(QApplication &app)
{
    app.setPalette(QPalette()); // Qt gives the desktop's palette again
    return isDark(QApplication::palette());
}

// Follows the desktop while the theme is System. Qt 6.4 tells of a change only by this event.
class ThemeFollower : public QObject
{
public:
    using QObject::QObject;
    Theme theme = Theme::System;
    bool applying = false;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::ThemeChange && theme == Theme::System && !applying)
            QMetaObject::invokeMethod(
                this, [this] { applyTheme(*static_cast<QApplication *>(QApplication::instance()), theme); }, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }
};

ThemeFollower *follower(QApplication &app)
{
    static QPointer<ThemeFollower> instance;
    if (!instance) {
        instance = new ThemeFollower(&app);
        app.installEventFilter(instance);
    }
    return instance;
}

} // namespace

QPalette lightPalette()
{
    static const QPalette palette = build(lightColors);
    return palette;
}

QPalette darkPalette()
{
    static const QPalette palette = build(darkColors);
    return palette;
}

void applyTheme(QApplication &app, Theme theme)
{
    ThemeFollower *follow = follower(app);
    follow->theme = theme;
    follow->applying = true;
    if (qobject_cast<FlatStyle *>(app.style()) == nullptr)
        QApplication::setStyle(new FlatStyle);
    const bool dark = theme == Theme::Dark || (theme == Theme::System && systemIsDark(app));
    app.setPalette(dark ? darkPalette() : lightPalette());
    follow->applying = false;
}

} // namespace switchyard::views
