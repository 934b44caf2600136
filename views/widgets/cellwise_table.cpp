// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/cellwise_table.h"

#include <QAccessible>

namespace switchyard::views {

void CellwiseTable::dataChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles)
{
    const bool whole = !first.isValid() || !last.isValid() || first == last;
    if (whole || QAccessible::isActive() || state() == EditingState)
        return QTableView::dataChanged(first, last, roles);
    const int end = rowAt(viewport()->height() - 1);
    const int top = qMax(first.row(), rowAt(0));
    const int bottom = end < 0 ? last.row() : qMin(last.row(), end);
    if (top > bottom)
        return;
    QRect changed;
    for (int column = first.column(); column <= last.column(); ++column) {
        changed |= visualRect(first.siblingAtColumn(column).siblingAtRow(top));
        changed |= visualRect(first.siblingAtColumn(column).siblingAtRow(bottom));
    }
    viewport()->update(changed);
}

} // namespace switchyard::views
