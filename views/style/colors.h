// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours of states, as two tables (light and dark ground). A state is never told by its colour alone: see shapes.h.
#include "models/patroni/cluster.h"

#include <QColor>
#include <QPalette>

namespace switchyard::views {

// How a state feels. Every coloured thing of the window is one of these.
// Free: nobody has it, and nothing is wrong with that.
enum class Tone { Good, Warning, Bad, Unknown, Paused, Leader, Neutral, Free };

Tone toneOf(patroni::Health h);
Tone toneOf(patroni::LockState s, bool late);
Tone toneOf(patroni::Freshness f);
Tone toneOf(patroni::Outcome o);
Tone toneOf(const patroni::Member &member);

bool isDark(const QPalette &palette); // by lightness: Qt 6.4 has no colour scheme to ask
QColor toneColor(Tone tone, const QPalette &palette);
QColor accentColor(const QPalette &palette);
QColor secondaryText(const QPalette &palette); // labels, units, captions; at least 4.5:1 on Window and Base
QColor hairline(const QPalette &palette);      // lines between things
QColor cardGround(const QPalette &palette);
QColor badgeGround(Tone tone, const QPalette &palette); // quiet tint behind a word of that tone

double contrastRatio(const QColor &a, const QColor &b); // 1 to 21, as WCAG 2 defines it
// `color` mixed towards `ground` to 60 %, but never below 4.5:1 where the colour itself reaches that.
QColor dimmed(const QColor &color, const QColor &ground);
// `color`, mixed towards `text` only as far as 4.5:1 on `ground` asks: for state colours on a selected row.
QColor readableOn(const QColor &color, const QColor &ground, const QColor &text);

} // namespace switchyard::views
