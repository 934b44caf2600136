// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Helpers for tests of widgets: pictures on demand (SWITCHYARD_SHOTS=folder), and the rule that whatever takes the focus has a name.
#include "views/style/theme.h"

#include <QAccessible>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QTest>
#include <QWidget>

namespace switchyard::made {

inline int pixelsLike(const QImage &image, const QColor &color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            count += image.pixelColor(x, y) == color ? 1 : 0;
    return count;
}

// Saves the widget light and dark, at 1280x720 and 1920x1080 (dialogs: at their own size).
inline void shoot(QWidget &widget, const QString &name, bool ownSize = false)
{
    const QString folder = qEnvironmentVariable("SWITCHYARD_SHOTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    for (const auto theme : {views::Theme::Light, views::Theme::Dark}) {
        views::applyTheme(*qApp, theme);
        const auto save = [&](const QString &size) {
            QCoreApplication::processEvents();
            QTest::qWait(10);
            widget.grab().save(
                QStringLiteral("%1/%2-%3-%4.png")
                    .arg(folder, name, size, theme == views::Theme::Dark ? QStringLiteral("dark") : QStringLiteral("light")));
        };
        if (ownSize) {
            save(QStringLiteral("own"));
            continue;
        }
        for (const QSize size : {QSize(1100, 660), QSize(1740, 1020)}) { // what a window of 1280x720 or 1920x1080 leaves for a page
            widget.resize(size);
            save(QString::number(size.width()));
        }
    }
    views::applyTheme(*qApp, views::Theme::Light);
}

// Widgets that take the focus without telling a screen reader what they are.
inline QStringList namelessWidgets(QWidget &root)
{
    QStringList result;
    for (QWidget *w : root.findChildren<QWidget *>()) {
        if (w->focusPolicy() == Qt::NoFocus || !w->isVisibleTo(&root) || w->focusProxy()
            || w->objectName().startsWith(QLatin1String("qt_")))
            continue;
        auto *accessible = QAccessible::queryAccessibleInterface(w);
        if (!accessible || accessible->text(QAccessible::Name).isEmpty())
            result << QStringLiteral("%1 %2").arg(QLatin1String(w->metaObject()->className()), w->objectName());
    }
    return result;
}

// All the words that a widget shows, one label or button a line.
inline QString shownWords(QWidget &root)
{
    QStringList lines;
    for (QWidget *w : root.findChildren<QWidget *>()) {
        if (!w->isVisibleTo(&root))
            continue;
        if (auto *label = qobject_cast<QLabel *>(w))
            lines << label->text();
        else if (!w->accessibleName().isEmpty())
            lines << w->accessibleName();
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace switchyard::made
