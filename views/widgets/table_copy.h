// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Copying from tables: Ctrl+C the rows (tab-separated, as shown), Ctrl+Shift+C the cell; both also in the context menu.
#include <QList>

class QAction;
class QTableView;

namespace switchyard::views {

// Adds both actions to the table (shortcuts work while it has the focus) and returns them for a context menu.
QList<QAction *> addCopyActions(QTableView *table);

} // namespace switchyard::views
