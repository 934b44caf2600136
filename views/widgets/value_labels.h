// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Labels that hold a value to read and to copy, shown anew again and again.
#include <QLabel>

namespace switchyard::views {

// The same text again would take the selection away under the user's hands.
void put(QLabel *label, const QString &text);
// Plain text that can be selected with the mouse and the keyboard. Returns the label.
QLabel *copyable(QLabel *label);

} // namespace switchyard::views
