// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All clusters of all opened contexts, one row each. Merges by key: insert, remove, dataChanged with roles; never a reset after the first fill.
#include "models/items/sorted_table_model.h"
#include "models/patroni/cluster.h"

#include <memory>

namespace switchyard::items {

class FleetModel : public SortedTableModel
{
    Q_OBJECT
public:
    enum Column {
        Health,
        Context,
        Namespace,
        Scope,
        Leader,
        InOffice,
        Lock,
        Timeline,
        Members,
        WorstLag,
        Sync,
        Paused,
        Request,
        LastChange,
        ColumnCount
    };
    explicit FleetModel(QObject *parent = nullptr);
    ~FleetModel() override;

    void update(const std::vector<const patroni::Cluster *> &clusters, Now now); // the whole fleet, any order
    void updateSome(const std::vector<const patroni::Cluster *> &changed, const std::vector<patroni::ClusterKey> &removed, Now now);
    void tick(Now now); // ages and countdowns: dataChanged for the time columns only
    // As a table needs it: without snapshots, renewals, transitions and objects.
    const patroni::Cluster *clusterAt(int row) const;
    Now now() const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override; // RawRole: the column; words in views

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::items

Q_DECLARE_METATYPE(switchyard::patroni::ClusterKey)
