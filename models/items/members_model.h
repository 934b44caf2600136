// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Members of one cluster; merges by Pod name.
#include "models/items/roles.h"
#include "models/patroni/cluster.h"

#include <QAbstractTableModel>

namespace switchyard::items {

class MembersModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Name, Role, State, Timeline, ReceiveLsn, ReceiveLag, ReplayLag, Node, Version, Tags, PendingRestart, StatusAge, ColumnCount };
    explicit MembersModel(QObject *parent = nullptr);
    void update(const patroni::Cluster &cluster, Now now);
    void clear();
    void tick(Now now);
    const patroni::Member *memberAt(int row) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<patroni::Member> m_members;
    patroni::ViewState m_view;
    Now m_now;
};

} // namespace switchyard::items
