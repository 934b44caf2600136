// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/fit_columns.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"

#include <QHeaderView>
#include <QPainter>
#include <QTableView>

namespace switchyard::views {

namespace {

int wantedWidth(QTableView *table, int column, int widest)
{
    const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
    const int header = table->horizontalHeader()->fontMetrics().horizontalAdvance(title) + 2 * grid;
    return qMin(qMax(table->sizeHintForIndex(table->model()->index(0, column)).width(), header), widest);
}

} // namespace

void fitColumns(QTableView *table, const QList<int> &elastic, int widest, int narrowest)
{
    const int columns = table->model()->columnCount(), rows = qMin(100, table->model()->rowCount());
    QList<int> widths;
    int total = 0;
    for (int column = 0; column < columns; ++column) {
        int width = wantedWidth(table, column, widest);
        for (int row = 1; row < rows; ++row)
            width = qMin(widest, qMax(width, table->sizeHintForIndex(table->model()->index(row, column)).width()));
        widths << width;
        total += width;
    }
    for (int excess = total - table->viewport()->width(); excess > 0;) {
        int victim = -1; // the widest elastic column that can still give
        for (const int column : elastic)
            if (widths[column] > narrowest && (victim < 0 || widths[column] > widths[victim]))
                victim = column;
        if (victim < 0)
            break;
        const int step = qMin(excess, qMin(8, widths[victim] - narrowest));
        widths[victim] -= step;
        excess -= step;
    }
    for (int column = 0; column < columns; ++column)
        table->setColumnWidth(column, widths[column]);
}

void growColumn(QTableView *table, int column)
{
    int width = table->columnWidth(column);
    for (int row = 0; row < qMin(100, table->model()->rowCount()); ++row)
        width = qMax(width, table->sizeHintForIndex(table->model()->index(row, column)).width());
    if (width > table->columnWidth(column))
        table->setColumnWidth(column, width);
}

void paintEmpty(QTableView *table, const QString &words)
{
    if (table->model()->rowCount() > 0)
        return;
    QWidget *place = table->viewport();
    QPainter painter(place);
    painter.setPen(secondaryText(table->palette()));
    painter.drawText(place->rect().adjusted(grid, grid, -grid, -grid), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, words);
}

} // namespace switchyard::views
