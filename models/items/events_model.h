// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events, newest first, bounded; rows are inserted at the top in blocks and trimmed in blocks.
#include "models/events/event.h"
#include "models/items/roles.h"

#include <QAbstractTableModel>

#include <deque>

namespace switchyard::items {

class EventsModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { At, Type, Context, Namespace, Scope, Object, Detail, ColumnCount };
    explicit EventsModel(int limit = 20000, QObject *parent = nullptr);
    void append(const std::vector<Event> &events);      // in order of happening
    void appendOlder(const std::vector<Event> &events); // newest first, of before the start; those that are there already are left out
    int older() const { return m_older; }               // how many of the rows, the last ones, are of before the start
    void clear();
    const Event *eventAt(int row) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    int m_limit;
    int m_older = 0;
    std::deque<Event> m_events; // newest first
};

} // namespace switchyard::items
