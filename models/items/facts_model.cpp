// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/facts_model.h"

#include <algorithm>

namespace switchyard::items {

FactsModel::FactsModel(int columns, QObject *parent)
    : QAbstractTableModel(parent)
    , m_columns(columns)
{}

void FactsModel::set(QList<FactRow> rows)
{
    const auto common = std::min(m_rows.size(), rows.size());
    qsizetype head = 0, tail = 0;
    while (head < common && m_rows[head] == rows[head])
        ++head;
    while (tail < common - head && m_rows[m_rows.size() - 1 - tail] == rows[rows.size() - 1 - tail])
        ++tail;
    const auto before = m_rows.size() - head - tail, after = rows.size() - head - tail, same = std::min(before, after);
    const auto at = [](qsizetype row) { return static_cast<int>(row); };
    if (before > after) {
        beginRemoveRows({}, at(head + same), at(head + before - 1));
        m_rows.remove(head + same, before - same);
        endRemoveRows();
    }
    for (qsizetype i = head; i < head + same; ++i)
        m_rows[i] = rows[i];
    if (same > 0)
        Q_EMIT dataChanged(index(at(head), 0), index(at(head + same - 1), m_columns - 1), {RawRole, SortRole, FilterRole, CodeRole});
    if (after > before) {
        beginInsertRows({}, at(head + same), at(head + after - 1));
        m_rows = std::move(rows);
        endInsertRows();
    }
}

int FactsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FactsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_columns;
}

QVariant FactsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FactRow &row = m_rows[index.row()];
    switch (role) {
    case RawRole:
    case SortRole: return row.cells.value(index.column());
    case CodeRole: return row.code;
    case FilterRole: {
        QString text = row.code;
        for (const QVariant &cell : row.cells)
            text += u' ' + cell.toString().toLower();
        return text;
    }
    default: return {};
    }
}

} // namespace switchyard::items
