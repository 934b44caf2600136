// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table that paints only the cells that changed. Qt's own paints everything as soon as two cells change, in sight or not.
#include <QTableView>

namespace switchyard::views {

class CellwiseTable : public QTableView
{
    Q_OBJECT
public:
    using QTableView::QTableView;

protected:
    void dataChanged(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles = {}) override;
};

} // namespace switchyard::views
