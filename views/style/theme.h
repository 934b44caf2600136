// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Light and dark. System keeps the desktop's palette and takes the nearer of our two, so that state colours keep their contrast.
#include <QPalette>

class QApplication;

namespace switchyard::views {

enum class Theme { System, Light, Dark };

QPalette lightPalette();
QPalette darkPalette();
// Flat Fusion style and palette. May be called again at any time; System also follows later changes of the desktop.
void applyTheme(QApplication &app, Theme theme);

} // namespace switchyard::views
