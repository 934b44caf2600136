// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Base of table models whose rows are sorted by a key, of which there may be thousands, and of which a few change at a time: announces
// the rows that went, the cells that changed and the rows that came. MergingTableModel is for small tables in an order of their own.
#include "models/items/roles.h"

#include <QAbstractTableModel>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <vector>

namespace switchyard::items {

class SortedTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

protected:
    // A table tells: keyOf(row), keyOf(item), replace(row, item) -> array of bool: the columns to be shown anew, make(item) -> row.
    template<class Row, class Item, class Key, class Table>
    void mergeSome(std::vector<Row> &rows, const std::vector<const Item *> &changed, const std::vector<Key> &removed, const Table &table)
    {
        for (const Key &key : removed) {
            const auto at = find(rows, key, table);
            if (at == rows.end())
                continue;
            const int row = static_cast<int>(at - rows.begin());
            beginRemoveRows({}, row, row);
            rows.erase(at);
            endRemoveRows();
        }
        // So many that sorting all rows once costs less than moving each: a list, not a burst of renewals.
        const std::size_t many = std::max<std::size_t>(32, rows.size() / 4);
        std::vector<const Item *> fresh;
        Changed<decltype(table.replace(rows.front(), *changed.front()))> together;
        for (const Item *item : changed) {
            const auto at = find(rows, table.keyOf(*item), table);
            if (at == rows.end()) {
                fresh.push_back(item);
                continue;
            }
            const int row = static_cast<int>(at - rows.begin());
            const auto columns = table.replace(*at, *item);
            // At once: a sorting proxy takes all other rows to be as it was told. Of many it is to sort once, not once for each.
            if (changed.size() <= many)
                tell(row, row, columns);
            else
                together.add(row, columns);
        }
        if (together.first >= 0)
            tell(together.first, together.last, together.columns);
        insert(rows, std::move(fresh), table);
    }

    // The same, and whatever is not among them goes.
    template<class Row, class Item, class Table>
    void mergeAll(std::vector<Row> &rows, const std::vector<const Item *> &all, const Table &table)
    {
        using Key = std::decay_t<decltype(table.keyOf(*all.front()))>;
        std::set<Key> wanted;
        for (const Item *item : all)
            wanted.insert(table.keyOf(*item));
        std::vector<Key> gone;
        for (const Row &row : rows) {
            if (!wanted.contains(table.keyOf(row)))
                gone.push_back(table.keyOf(row));
        }
        mergeSome(rows, all, gone, table);
    }

    template<class Rows, class Key, class Table>
    static auto find(Rows &rows, const Key &key, const Table &table) // rows: may be const
    {
        const auto at = lowerBound(rows, key, table);
        return at != rows.end() && table.keyOf(*at) == key ? at : rows.end();
    }

private:
    // Rows and columns of one signal.
    template<class Columns>
    struct Changed
    {
        int first = -1, last = -1;
        Columns columns{};
        void add(int row, const Columns &shown)
        {
            if (std::find(shown.begin(), shown.end(), true) == shown.end())
                return;
            first = first < 0 ? row : std::min(first, row);
            last = std::max(last, row);
            std::transform(shown.begin(), shown.end(), columns.begin(), columns.begin(), std::logical_or<>());
        }
    };

    template<class Rows, class Key, class Table>
    static auto lowerBound(Rows &rows, const Key &key, const Table &table)
    {
        return std::lower_bound(rows.begin(), rows.end(), key, [&table](const auto &row, const Key &k) { return table.keyOf(row) < k; });
    }

    // One signal for each run of rows side by side: a thousand may come at once.
    template<class Row, class Item, class Table>
    void insert(std::vector<Row> &rows, std::vector<const Item *> fresh, const Table &table)
    {
        std::sort(fresh.begin(), fresh.end(), [&table](const Item *a, const Item *b) { return table.keyOf(*a) < table.keyOf(*b); });
        for (std::size_t i = 0; i < fresh.size();) {
            const auto at = lowerBound(rows, table.keyOf(*fresh[i]), table);
            std::vector<Row> run;
            for (; i < fresh.size() && (at == rows.end() || table.keyOf(*fresh[i]) < table.keyOf(*at)); ++i)
                run.push_back(table.make(*fresh[i]));
            const int first = static_cast<int>(at - rows.begin());
            beginInsertRows({}, first, first + static_cast<int>(run.size()) - 1);
            rows.insert(at, std::make_move_iterator(run.begin()), std::make_move_iterator(run.end()));
            endInsertRows();
        }
    }

    // One signal for each run of columns side by side.
    template<class Columns>
    void tell(int firstRow, int lastRow, const Columns &columns)
    {
        static const QList<int> roles{Qt::DisplayRole, RawRole, SortRole, FilterRole, CodeRole, StaleRole, AsOfRole, ChangedAtRole};
        for (auto from = columns.begin(); (from = std::find(from, columns.end(), true)) != columns.end();) {
            const auto end = std::find(from, columns.end(), false);
            Q_EMIT dataChanged(index(firstRow, static_cast<int>(from - columns.begin())),
                               index(lastRow, static_cast<int>(end - columns.begin()) - 1), roles);
            from = end;
        }
    }
};

} // namespace switchyard::items
