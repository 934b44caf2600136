// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/shown_table.h"

#include "models/items/roles.h"
#include "views/widgets/filter_proxy.h"
#include "views/widgets/table_copy.h"
#include "views/words.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <numeric>

namespace switchyard::views {

using tables::CellType;

namespace {

constexpr const char *recordsProperty = "switchyardRecords";

// What makes the words, below what only filters and sorts.
const QAbstractItemModel *unfiltered(const QTableView *table)
{
    const QAbstractItemModel *model = table->model();
    while (const auto *proxy = qobject_cast<const FilterProxy *>(model))
        model = proxy->sourceModel();
    return model;
}

QList<int> shownColumns(const QTableView *table)
{
    QList<int> columns;
    const QHeaderView *header = table->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual) {
        if (const int column = header->logicalIndex(visual); !header->isSectionHidden(column))
            columns << column;
    }
    return columns;
}

QList<int> selectedRows(const QTableView *table)
{
    QList<int> rows;
    if (!table->selectionModel())
        return rows;
    for (const QModelIndex &index : table->selectionModel()->selectedRows())
        rows << index.row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

const QAbstractItemModel *modelOf(const QTableView *table, RowChoice choice)
{
    return choice == RowChoice::All ? unfiltered(table) : table->model();
}

// Of modelOf().
QList<int> rowsOf(const QTableView *table, RowChoice choice)
{
    if (choice == RowChoice::Selected)
        return selectedRows(table);
    QList<int> rows(modelOf(table, choice)->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

// Up to 15 digits, which every program keeps; no zeros in front, which would be lost.
bool isInteger(const std::string &text)
{
    constexpr std::size_t longest = 15;
    const std::string digits = text.starts_with('-') ? text.substr(1) : text;
    const bool allDigits = !digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos;
    return allDigits && digits.size() <= longest && (digits.size() == 1 || digits.front() != '0') && text != "-0";
}

void makeNumbers(tables::Table &table, std::size_t column, const std::string &unknown)
{
    const auto at = [column](tables::Row &row) -> std::string & { return std::get<std::string>(row[column]); };
    const auto fits = [&](tables::Row &row) { return at(row) == unknown || isInteger(at(row)); };
    const auto isKnown = [&](tables::Row &row) { return at(row) != unknown; };
    if (!std::all_of(table.rows.begin(), table.rows.end(), fits) || !std::any_of(table.rows.begin(), table.rows.end(), isKnown))
        return;
    table.columns[column].type = CellType::Integer;
    for (tables::Row &row : table.rows)
        row[column] = isKnown(row) ? tables::Cell(std::int64_t(std::stoll(at(row)))) : tables::Cell();
}

} // namespace

qsizetype countRows(const QTableView *table, RowChoice choice)
{
    if (!table->model())
        return 0;
    switch (choice) {
    case RowChoice::Shown: return table->model()->rowCount();
    case RowChoice::Selected: return selectedRows(table).size();
    case RowChoice::All: return unfiltered(table)->rowCount();
    }
    return 0;
}

tables::Table shownTable(const QTableView *table, RowChoice choice)
{
    tables::Table result;
    if (!table->model())
        return result;
    const QAbstractItemModel *model = modelOf(table, choice);
    const QList<int> columns = shownColumns(table);
    for (const int column : columns)
        result.columns.push_back({model->headerData(column, Qt::Horizontal).toString().toStdString(), CellType::Text});
    for (const int row : rowsOf(table, choice)) {
        tables::Row cells;
        for (const int column : columns)
            cells.emplace_back(model->index(row, column).data().toString().toStdString());
        result.rows.push_back(std::move(cells));
    }
    for (std::size_t i = 0; i < result.columns.size(); ++i)
        makeNumbers(result, i, unknownText().toStdString());
    return result;
}

void setRecords(QTableView *table, ExportRequest::What kind)
{
    table->setProperty(recordsProperty, int(kind));
}

std::optional<ExportRequest::What> recordsIn(const QTableView *table)
{
    const QVariant kind = table->property(recordsProperty);
    return kind.isValid() ? std::optional(static_cast<ExportRequest::What>(kind.toInt())) : std::nullopt;
}

std::vector<RecordKey> recordKeys(const QTableView *table, RowChoice choice)
{
    std::vector<RecordKey> keys;
    if (!table->model())
        return keys;
    const QAbstractItemModel *model = modelOf(table, choice);
    for (const int row : rowsOf(table, choice))
        keys.push_back(model->index(row, 0).data(items::RecordRole).value<RecordKey>());
    return keys;
}

QList<QTableView *> exportableTables(const QWidget *in)
{
    QList<QTableView *> found;
    for (QTableView *table : in->findChildren<QTableView *>()) {
        if (table->property(exportableProperty).toBool())
            found << table;
    }
    return found;
}

QString tableTitle(const QTableView *table)
{
    return table->accessibleName();
}

QTableView *tableAtHand(const QWidget *page)
{
    const QList<QTableView *> tables = exportableTables(page);
    const auto visible = [](const QTableView *table) { return table->isVisible(); };
    const auto focused = std::find_if(tables.begin(), tables.end(), [](const QTableView *table) { return table->hasFocus(); });
    const auto first = focused != tables.end() ? focused : std::find_if(tables.begin(), tables.end(), visible);
    return first != tables.end() ? *first : nullptr;
}

} // namespace switchyard::views
