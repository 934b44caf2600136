// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Members of one cluster; merges by Pod name. Raw values by role (unknown: an invalid QVariant), words are made in views/.
//
// CodeRole of a column says what kind of value the cell holds:
//   Name          healthy degraded unhealthy unknown    how the member is, as a whole; unknown while stale
//   Role          leader standby_leader sync_standby quorum_standby replica unknown
//   Timeline      current old unknown
//   ReceiveLag, ReplayLag   known, unknown, leader (no lag by definition), combined (one position only, Patroni before 4.1),
//                 not-reported (this version gives one position only, shown in the other column)
//   PendingRestart  none pending scheduled
//   StatusAge     changed (age of the last change seen), unchanged (no change since first seen), unknown
#include "models/items/merging_table_model.h"
#include "models/items/roles.h"
#include "models/patroni/cluster.h"

#include <array>

namespace switchyard::items {

class MembersModel : public MergingTableModel
{
    Q_OBJECT
public:
    enum Column {
        Name,
        Role,
        State,
        Timeline,
        ReceiveLsn,
        ReceiveLag,
        ReplayLag,
        Node,
        Version,
        Tags,
        PendingRestart,
        StatusAge,
        ColumnCount
    };
    explicit MembersModel(QObject *parent = nullptr);
    void update(const patroni::Cluster &cluster, Now now);
    void clear();
    void tick(Now now);
    const patroni::Member *memberAt(int row) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        patroni::Member member;
        std::array<std::optional<Boot>, ColumnCount> changedAt{}; // not compared: a consequence, not content
        bool operator==(const Row &o) const { return member == o.member; }
    };
    void rowChanged(int row, const Row &old);
    QVariant raw(const patroni::Member &member, int column) const;
    QString cellCode(const patroni::Member &member, int column) const;
    QString filterText(const patroni::Member &member) const;
    QString standing(const patroni::Member &member) const;

    std::vector<Row> m_rows;
    patroni::ClusterKey m_key;
    patroni::ViewState m_view;
    bool m_stale = true; // also of a live view whose lock is out of sight
    Now m_now;
};

} // namespace switchyard::items
