// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/table_copy.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString rowText(const QTableView *table, int row)
{
    QStringList cells;
    const QHeaderView *header = table->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual) {
        const int column = header->logicalIndex(visual);
        if (!header->isSectionHidden(column))
            cells << table->model()->index(row, column).data().toString();
    }
    return cells.join(u'\t');
}

void copyRows(const QTableView *table)
{
    QList<int> rows;
    for (const QModelIndex &index : table->selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const int row : std::as_const(rows))
        lines << rowText(table, row);
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void copyCell(const QTableView *table)
{
    if (table->currentIndex().isValid())
        QGuiApplication::clipboard()->setText(table->currentIndex().data().toString());
}

} // namespace

QList<QAction *> addCopyActions(QTableView *table)
{
    auto *row = new QAction(QCoreApplication::translate("TableCopy", "Copy row"), table);
    row->setShortcut(QKeySequence::Copy);
    auto *cell = new QAction(QCoreApplication::translate("TableCopy", "Copy cell"), table);
    cell->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
    for (QAction *action : {row, cell}) {
        action->setShortcutContext(Qt::WidgetShortcut);
        table->addAction(action);
    }
    QObject::connect(row, &QAction::triggered, table, [table] { copyRows(table); });
    QObject::connect(cell, &QAction::triggered, table, [table] { copyCell(table); });
    return {row, cell};
}

} // namespace switchyard::views
