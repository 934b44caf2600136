// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a word proxy tells the cell delegate beside the text.
#include <Qt>

namespace switchyard::views {

enum CellRole {
    ToneRole = Qt::UserRole + 100, // int(Tone): the shape before the text, and the colour of the emphasized part
    EmphasisRole,                  // int: so many leading characters in the tone's colour; the rest is secondary. Invalid: plain
    FractionRole,                  // double 0..1: a bar of that share before the text
    GlowRole,                      // bool: the cell changed a moment ago
    SecondaryRole,                 // bool: quiet text (unknown, none)
};

} // namespace switchyard::views
