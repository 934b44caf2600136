// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/style/icons.h"

#include <QFile>
#include <QLoggingCategory>
#include <QPainter>
#include <QSvgRenderer>

// A static library's resources are linked only when something names their initializer; the macro must stand outside any namespace.
static void registerResources()
{
    Q_INIT_RESOURCE(switchyard);
}

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

Q_LOGGING_CATEGORY(lcIcons, "switchyard.views.icons")

QByteArray read(const QString &name)
{
    registerResources();
    QFile file(u":/switchyard/icons/%1.svg"_s.arg(name));
    if (!file.open(QIODevice::ReadOnly)) {
        qCWarning(lcIcons) << "no icon" << name;
        return {};
    }
    return file.readAll();
}

QIcon render(const QByteArray &svg, std::initializer_list<int> sizes)
{
    QIcon result;
    QSvgRenderer renderer(svg);
    if (!renderer.isValid())
        return result;
    for (const int size : sizes) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        renderer.render(&painter, QRectF(0, 0, size, size));
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

} // namespace

QIcon icon(const QString &name, const QColor &color)
{
    QByteArray svg = read(name);
    svg.replace("currentColor", color.name().toLatin1());
    return render(svg, {16, 24, 32, 48});
}

QIcon icon(const QString &name, const QPalette &palette)
{
    QIcon result = icon(name, palette.color(QPalette::Active, QPalette::ButtonText));
    const QIcon off = icon(name, palette.color(QPalette::Disabled, QPalette::ButtonText));
    for (const int size : {16, 24, 32, 48})
        result.addPixmap(off.pixmap(size), QIcon::Disabled);
    return result;
}

QIcon applicationIcon()
{
    return render(read(u"switchyard"_s), {16, 24, 32, 48, 64, 128, 256});
}

} // namespace switchyard::views
