// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/words_presenter.h"

#include "models/items/roles.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"
#include "views/widgets/table_copy.h"

#include <QHeaderView>
#include <QTableView>

namespace switchyard::views {

WordsPresenter::WordsPresenter(QAbstractItemModel *model, QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSourceModel(model);
    setSortRole(items::SortRole);
}

void WordsPresenter::setFont(const QFont &font)
{
    m_font = font;
    m_mono = monospaceFont(font);
    m_digits = tabularFont(font);
}

void WordsPresenter::present(QTableView *table, const QString &name)
{
    styleTable(table);
    table->setItemDelegate(new CellDelegate(table));
    table->addActions(addCopyActions(table));
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    table->setModel(this);
    table->setAccessibleName(name);
    table->setSortingEnabled(true);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table->horizontalHeader()->setSortIndicatorClearable(true);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setTextElideMode(Qt::ElideMiddle);
}

bool WordsPresenter::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const bool knownLeft = left.data(items::SortRole).isValid(), knownRight = right.data(items::SortRole).isValid();
    if (knownLeft != knownRight)
        return (sortOrder() == Qt::AscendingOrder) == knownLeft;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace switchyard::views
