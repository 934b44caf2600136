// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Base of table models that take a whole new state and announce only what differs: removed, moved, inserted, changed rows.
#include <QAbstractTableModel>

#include <algorithm>
#include <iterator>
#include <vector>

namespace switchyard::items {

class MergingTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

protected:
    // Brings rows to target, row by row by key. changed(row, old) is called for each row that stayed but differs, after it was
    // replaced: it emits dataChanged. Equal keys are told apart by their order.
    template<class Row, class KeyOf, class Changed>
    void mergeRows(std::vector<Row> &rows, std::vector<Row> target, KeyOf keyOf, Changed changed)
    {
        removeUnwanted(rows, target, keyOf);
        for (std::size_t i = 0; i < target.size(); ++i) {
            const auto here = rows.begin() + std::min(static_cast<std::ptrdiff_t>(i), std::ssize(rows));
            const auto found = std::find_if(here, rows.end(), [&](const Row &r) { return keyOf(r) == keyOf(target[i]); });
            const int row = static_cast<int>(i);
            if (found == rows.end()) {
                beginInsertRows({}, row, row);
                rows.insert(here, std::move(target[i]));
                endInsertRows();
                continue;
            }
            if (const int from = static_cast<int>(found - rows.begin()); from != row) {
                beginMoveRows({}, from, from, {}, row);
                std::rotate(here, found, std::next(found));
                endMoveRows();
            }
            if (!(rows[i] == target[i])) {
                const Row old = std::exchange(rows[i], std::move(target[i]));
                changed(row, old);
            }
        }
        removeRange(rows, static_cast<int>(target.size()), static_cast<int>(rows.size()) - 1);
    }

    template<class Row>
    void removeRange(std::vector<Row> &rows, int first, int last)
    {
        if (last < first)
            return;
        beginRemoveRows({}, first, last);
        rows.erase(rows.begin() + first, rows.begin() + last + 1);
        endRemoveRows();
    }

private:
    template<class Row, class KeyOf>
    void removeUnwanted(std::vector<Row> &rows, const std::vector<Row> &target, KeyOf keyOf)
    {
        for (int row = static_cast<int>(rows.size()) - 1; row >= 0; --row) {
            const auto key = keyOf(rows[static_cast<std::size_t>(row)]);
            if (std::none_of(target.begin(), target.end(), [&](const Row &r) { return keyOf(r) == key; }))
                removeRange(rows, row, row);
        }
    }
};

} // namespace switchyard::items
