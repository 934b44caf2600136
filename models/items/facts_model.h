// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of plain values: the table beside a picture. A new state is announced as what differs between the first and the last row that
// do; long lists that grow at their end cost little.
#include "models/items/roles.h"

#include <QAbstractTableModel>

namespace switchyard::items {

struct FactRow
{
    QVariantList cells; // raw; invalid: unknown, or does not apply
    QString code{};
    bool operator==(const FactRow &) const = default;
};

class FactsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    explicit FactsModel(int columns, QObject *parent = nullptr);
    void set(QList<FactRow> rows);
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override; // RawRole, SortRole, FilterRole, CodeRole

private:
    int m_columns;
    QList<FactRow> m_rows;
};

} // namespace switchyard::items
