// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The colours with which a user marks contexts. They are kept as codes and say nothing of a state.
#include <QColor>
#include <QPalette>
#include <QStringList>

namespace switchyard::views {

QColor markColour(const QString &code, const QPalette &palette); // invalid: no mark
// Made of the context's name, where the user gave it none: the same in every dialog and in every run.
QColor contextColor(const QString &context, const QPalette &palette);
QString markName(const QString &code); // in words
QStringList markCodes();               // in the order of the menu

} // namespace switchyard::views
