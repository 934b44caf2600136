// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Copying from tables: Ctrl+C the selected rows (tab-separated, as shown), Ctrl+Shift+C the cell; as CSV and as Markdown with their
// headings; Export. All of them in the context menu.
#include <QList>

class QAction;
class QTableView;

namespace switchyard::views {

inline constexpr const char *exportableProperty = "switchyardExportable";

// Adds the actions to the table (shortcuts work while it has the focus) and returns them for a context menu. The table has an accessible
// name: it is the title of what is exported. Its window is the main window when it is used.
QList<QAction *> addCopyActions(QTableView *table);

} // namespace switchyard::views
