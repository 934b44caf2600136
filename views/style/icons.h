// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Icons of the resources, drawn at run time in a colour of the palette (their SVG says "currentColor").
#include <QIcon>
#include <QPalette>

namespace switchyard::views {

// name: file in resources/icons without ".svg", e.g. u"search". Null icon and a warning for an unknown name.
QIcon icon(const QString &name, const QPalette &palette);
QIcon icon(const QString &name, const QColor &color);
QIcon applicationIcon();

} // namespace switchyard::views
