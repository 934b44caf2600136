// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small tables: what an empty one says; and column widths: as wide as their content, and when that is too wide for the view, the elastic ones give way.
#include <QList>
#include <QString>

class QTableView;

namespace switchyard::views {

void fitColumns(QTableView *table, const QList<int> &elastic, int widest = 260, int narrowest = 90);

// A value that counts on must not be cut: the column grows (and never shrinks, so that nothing jitters).
void growColumn(QTableView *table, int column);

// What an empty table says, where its rows would be. Nothing while there are rows.
void paintEmpty(QTableView *table, const QString &words);

} // namespace switchyard::views
