// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/fleet_model.h"

#include "models/items/fleet_values.h"

#include <algorithm>
#include <array>
#include <limits>

namespace switchyard::items {

using patroni::Cluster;
using patroni::ClusterKey;

namespace {

struct Row
{
    Cluster cluster;
    std::array<std::optional<Boot>, FleetModel::ColumnCount> changedAt{};
};

bool byKey(const Row &row, const ClusterKey &key)
{
    return row.cluster.names.key < key;
}

const QList<int> &allRoles()
{
    static const QList<int> roles{Qt::DisplayRole, RawRole, SortRole, FilterRole, CodeRole, StaleRole, AsOfRole, ChangedAtRole};
    return roles;
}

} // namespace

struct FleetModel::Impl
{
    std::vector<Row> rows; // sorted by key
    Now now;

    // Notes which cells differ. Values that merely age are compared by their code.
    void replace(Row &row, const Cluster &cluster) const
    {
        for (int column = 0; column < ColumnCount; ++column)
            if (fleetCellIdentity(row.cluster, column) != fleetCellIdentity(cluster, column))
                row.changedAt[static_cast<std::size_t>(column)] = now.boot;
        row.cluster = cluster;
    }
};

FleetModel::FleetModel(QObject *parent)
    : QAbstractTableModel(parent)
    , d(std::make_unique<Impl>())
{}

FleetModel::~FleetModel() = default;

void FleetModel::update(const std::vector<const Cluster *> &clusters, Now now)
{
    std::set<ClusterKey> wanted;
    for (const Cluster *c : clusters)
        wanted.insert(c->names.key);
    std::vector<ClusterKey> gone;
    for (const Row &row : d->rows)
        if (!wanted.contains(row.cluster.names.key))
            gone.push_back(row.cluster.names.key);
    updateSome(clusters, gone, now);
}

void FleetModel::updateSome(const std::vector<const Cluster *> &changed, const std::vector<ClusterKey> &removed, Now now)
{
    d->now = now;
    for (const ClusterKey &key : removed) {
        const auto at = std::lower_bound(d->rows.begin(), d->rows.end(), key, byKey);
        if (at == d->rows.end() || at->cluster.names.key != key)
            continue;
        const int row = static_cast<int>(at - d->rows.begin());
        beginRemoveRows({}, row, row);
        d->rows.erase(at);
        endRemoveRows();
    }
    for (const Cluster *cluster : changed) {
        const auto at = std::lower_bound(d->rows.begin(), d->rows.end(), cluster->names.key, byKey);
        const int row = static_cast<int>(at - d->rows.begin());
        if (at != d->rows.end() && at->cluster.names.key == cluster->names.key) {
            if (at->cluster == *cluster)
                continue;
            d->replace(*at, *cluster);
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1), allRoles());
            continue;
        }
        beginInsertRows({}, row, row);
        d->rows.insert(at, Row{*cluster, {}});
        endInsertRows();
    }
}

void FleetModel::tick(Now now)
{
    d->now = now;
    if (d->rows.empty())
        return;
    const int last = rowCount() - 1;
    // All ages grow alike: no order changes, so SortRole is not named and a sorting proxy has nothing to do.
    const QList<int> roles{Qt::DisplayRole, Qt::ToolTipRole, RawRole};
    for (const int column : {int(InOffice), int(Lock), int(Request), int(LastChange)})
        Q_EMIT dataChanged(index(0, column), index(last, column), roles);
    for (int row = 0; row <= last; ++row) // their age is told in words
        if (d->rows[static_cast<std::size_t>(row)].cluster.view.freshness != patroni::Freshness::Live)
            Q_EMIT dataChanged(index(row, Health), index(row, Health), roles);
}

const Cluster *FleetModel::clusterAt(int row) const
{
    return row >= 0 && row < rowCount() ? &d->rows[static_cast<std::size_t>(row)].cluster : nullptr;
}

Now FleetModel::now() const
{
    return d->now;
}

int FleetModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(d->rows.size());
}

int FleetModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FleetModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row &row = d->rows[static_cast<std::size_t>(index.row())];
    const Cluster &cluster = row.cluster;
    switch (role) {
    case RawRole: return fleetRaw(cluster, index.column(), d->now);
    case SortRole: return fleetSort(cluster, index.column(), d->now);
    case FilterRole: return fleetFilter(cluster);
    case CodeRole: return fleetCode(cluster, index.column());
    case StaleRole: return cluster.view.freshness != patroni::Freshness::Live;
    case AsOfRole: return cluster.view.lastContact ? QVariant(qint64(cluster.view.lastContact->time_since_epoch().count())) : QVariant();
    case KeyRole: return QVariant::fromValue(cluster.names.key);
    case ChangedAtRole: {
        const auto &at = row.changedAt[static_cast<std::size_t>(index.column())];
        return at ? QVariant(qint64(at->time_since_epoch().count())) : QVariant();
    }
    default: return {};
    }
}

QVariant FleetModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == RawRole && section >= 0 && section < ColumnCount)
        return section;
    return {};
}

} // namespace switchyard::items
