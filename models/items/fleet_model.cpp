// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/fleet_model.h"

#include "models/items/fleet_values.h"
#include "models/store/record_key.h"

#include <algorithm>
#include <array>

namespace switchyard::items {

using patroni::Cluster;
using patroni::ClusterKey;

namespace {

struct Row
{
    Cluster cluster;
    std::array<std::optional<Boot>, FleetModel::ColumnCount> changedAt{};
};

using Columns = std::array<bool, FleetModel::ColumnCount>;

// A renewal, or an offset that moved, changes a cell or two. Whatever else changes may show anywhere in the row.
bool judgedAnew(const Cluster &a, const Cluster &b)
{
    const auto sameView = [](const patroni::ViewState &x, const patroni::ViewState &y) {
        return x.freshness == y.freshness && x.staleSince == y.staleSince && x.reason == y.reason;
    };
    const auto sameMember = [](const patroni::Member &x, const patroni::Member &y) {
        return x.record.name == y.record.name && x.role == y.role && x.up == y.up && x.shownState == y.shownState;
    };
    return !sameView(a.view, b.view) || a.health != b.health || a.leaderName != b.leaderName || a.leaderSince != b.leaderSince
        || a.requests != b.requests || a.failover != b.failover || a.failoverUnseen != b.failoverUnseen || a.config != b.config
        || a.sync != b.sync || a.timeline != b.timeline || a.lastChange != b.lastChange || a.names != b.names
        || a.lock.state != b.lock.state || a.lock.late != b.lock.late
        || !std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(), sameMember);
}

// Without what no table shows and what may be large: a thousand clusters are kept here a second time. Into what is there: a renewal
// finds all its texts allocated.
void takeForTable(Cluster &row, const Cluster &c)
{
    row.names = c.names;
    row.view = c.view;
    row.leader = c.leader;
    row.config = c.config;
    row.failover = c.failover;
    row.failoverUnseen = c.failoverUnseen;
    row.sync = c.sync;
    row.lock = c.lock;
    row.leaderName = c.leaderName;
    row.leaderSince = c.leaderSince;
    row.timeline = c.timeline;
    row.systemId = c.systemId;
    row.members = c.members;
    row.health = c.health;
    row.requests = c.requests;
    row.commonMemberLabels = c.commonMemberLabels;
    row.lastChange = c.lastChange;
}

} // namespace

struct FleetModel::Impl
{
    std::vector<Row> rows; // sorted by key
    Now now;

    static const ClusterKey &keyOf(const Row &row) { return row.cluster.names.key; }
    static const ClusterKey &keyOf(const Cluster &cluster) { return cluster.names.key; }
    static Row make(const Cluster &cluster)
    {
        Row row;
        takeForTable(row.cluster, cluster);
        return row;
    }
    // Notes which cells differ, and says which are to be shown anew. Values that merely age do not differ.
    Columns replace(Row &row, const Cluster &cluster) const
    {
        const bool judged = judgedAnew(row.cluster, cluster);
        Columns shown;
        for (int column = 0; column < ColumnCount; ++column) {
            const bool changed = fleetCellDiffers(row.cluster, cluster, column);
            if (changed)
                row.changedAt[static_cast<std::size_t>(column)] = now.boot;
            shown[static_cast<std::size_t>(column)] = changed || judged;
        }
        shown[Lock] = shown[Lock] || row.cluster.lock != cluster.lock;
        takeForTable(row.cluster, cluster);
        return shown;
    }
};

FleetModel::FleetModel(QObject *parent)
    : SortedTableModel(parent)
    , d(std::make_unique<Impl>())
{}

FleetModel::~FleetModel() = default;

void FleetModel::update(const std::vector<const Cluster *> &clusters, Now now)
{
    d->now = now;
    mergeAll(d->rows, clusters, *d);
}

void FleetModel::updateSome(const std::vector<const Cluster *> &changed, const std::vector<ClusterKey> &removed, Now now)
{
    d->now = now;
    mergeSome(d->rows, changed, removed, *d);
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
    case RecordRole: return QVariant::fromValue(recordKey(cluster.names.key));
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
