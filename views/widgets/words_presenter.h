// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words over the raw values of an item model; sorts by SortRole, unknown values last whichever way one sorts.
#include <QFont>
#include <QSortFilterProxyModel>

class QTableView;

namespace switchyard::views {

class WordsPresenter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit WordsPresenter(QAbstractItemModel *model, QObject *parent = nullptr);
    void setFont(const QFont &font);
    // A table of it that can be sorted and copied from.
    void present(QTableView *table, const QString &name);

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
    QFont m_font, m_mono, m_digits;
};

} // namespace switchyard::views
