// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/members_model.h"

#include "models/items/fleet_model.h"
#include "models/patroni/freshness.h"
#include "models/store/record_key.h"

#include <QStringList>

using namespace Qt::StringLiterals;

namespace switchyard::items {

namespace {

QString text(const std::string &s)
{
    return QString::fromStdString(s);
}

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QVariant optionalText(const std::optional<std::string> &s)
{
    return s ? QVariant(text(*s)) : QVariant();
}

QVariant number(const std::optional<std::uint64_t> &n)
{
    return n ? QVariant::fromValue<qulonglong>(*n) : QVariant();
}

bool leads(const patroni::Member &m)
{
    return m.role == patroni::Role::Leader || m.role == patroni::Role::StandbyLeader;
}

bool streams(const patroni::Member &m)
{
    return m.shownState == "streaming" || m.record.replicationState == "streaming";
}

// One position only (before 4.1): it stands for receive while streaming and for replay otherwise, as in patronictl.
bool onePosition(const patroni::Member &m)
{
    return !m.record.receiveLsn && !m.record.replayLsn && m.lsn;
}

std::optional<std::uint64_t> receiveLag(const patroni::Member &m)
{
    if (leads(m))
        return std::nullopt;
    return m.receiveLag || !onePosition(m) || !streams(m) ? m.receiveLag : m.lag;
}

std::optional<std::uint64_t> replayLag(const patroni::Member &m)
{
    if (leads(m))
        return std::nullopt;
    return m.replayLag || !onePosition(m) || streams(m) ? m.replayLag : m.lag;
}

QString lagCode(const patroni::Member &m, bool receive)
{
    if (leads(m))
        return u"leader"_s;
    if (receive ? receiveLag(m) : replayLag(m))
        return onePosition(m) ? u"combined"_s : u"known"_s;
    return onePosition(m) && receive != streams(m) ? u"not-reported"_s : u"unknown"_s;
}

QStringList tagList(const patroni::Member &m)
{
    QStringList list;
    for (const auto &[key, value] : m.record.tags)
        list << text(key) + u'=' + text(value);
    return list;
}

std::optional<Boot> statusSince(const patroni::Member &m)
{
    return m.statusChangedAt ? m.statusChangedAt : m.statusSeenAt;
}

} // namespace

MembersModel::MembersModel(QObject *parent)
    : MergingTableModel(parent)
{}

void MembersModel::update(const patroni::Cluster &cluster, Now now)
{
    if (cluster.names.key != m_key)
        clear();
    m_key = cluster.names.key;
    m_now = now;
    const bool stale = patroni::freshnessOf(cluster) != patroni::Freshness::Live;
    const bool viewChanged = m_stale != stale || m_view.lastContact != cluster.view.lastContact;
    m_view = cluster.view;
    m_stale = stale;
    std::vector<Row> target;
    for (const auto &member : cluster.members)
        target.push_back({member});
    mergeRows(
        m_rows, std::move(target), [](const Row &r) -> const std::string & { return r.member.record.name; },
        [this](int row, const Row &old) { rowChanged(row, old); });
    if (viewChanged && !m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {StaleRole, AsOfRole, CodeRole});
}

void MembersModel::rowChanged(int row, const Row &old)
{
    Row &now = m_rows[static_cast<std::size_t>(row)];
    now.changedAt = old.changedAt;
    for (int column = 0; column < ColumnCount; ++column) {
        const auto c = static_cast<std::size_t>(column);
        if (raw(old.member, column) == raw(now.member, column) && cellCode(old.member, column) == cellCode(now.member, column)
            && column != PendingRestart && column != Name)
            continue;
        if (column != StatusAge && column != PendingRestart && column != Name)
            now.changedAt[c] = m_now.boot;
        Q_EMIT dataChanged(index(row, column), index(row, column), {RawRole, SortRole, CodeRole, FilterRole, ChangedAtRole});
    }
}

void MembersModel::clear()
{
    removeRange(m_rows, 0, static_cast<int>(m_rows.size()) - 1);
    m_key = {};
    m_view = {};
    m_stale = true;
}

void MembersModel::tick(Now now)
{
    m_now = now;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, StatusAge), index(rowCount() - 1, StatusAge), {RawRole, SortRole});
}

const patroni::Member *MembersModel::memberAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].member : nullptr;
}

int MembersModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MembersModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MembersModel::raw(const patroni::Member &m, int column) const
{
    switch (static_cast<Column>(column)) {
    case Name: return text(m.record.name);
    case Role: return text(code(m.role));
    case State: return optionalText(m.shownState ? m.shownState : m.record.state);
    case Timeline: return m.record.timeline ? QVariant::fromValue<qlonglong>(*m.record.timeline) : QVariant();
    case ReceiveLsn: return number(m.record.receiveLsn ? m.record.receiveLsn : m.lsn);
    case ReceiveLag: return number(receiveLag(m));
    case ReplayLag: return number(replayLag(m));
    case Node: return optionalText(m.record.pod.nodeName);
    case Version: return optionalText(m.record.version);
    case Tags: return tagList(m);
    case PendingRestart: return m.record.pendingRestart;
    case StatusAge: {
        const auto since = statusSince(m);
        return since ? QVariant::fromValue<qlonglong>((m_now.boot - *since).count()) : QVariant();
    }
    case ColumnCount: break;
    }
    return {};
}

QString MembersModel::cellCode(const patroni::Member &m, int column) const
{
    switch (static_cast<Column>(column)) {
    case Name: return standing(m);
    case Role: return text(code(m.role));
    case Timeline: return m.oldTimeline ? u"old"_s : m.record.timeline ? u"current"_s : u"unknown"_s;
    case ReceiveLag: return lagCode(m, true);
    case ReplayLag: return lagCode(m, false);
    case PendingRestart: return m.record.scheduledRestart ? u"scheduled"_s : m.record.pendingRestart ? u"pending"_s : u"none"_s;
    case StatusAge: return m.statusChangedAt ? u"changed"_s : m.statusSeenAt ? u"unchanged"_s : u"unknown"_s;
    case State:
    case ReceiveLsn:
    case Node:
    case Version:
    case Tags:
    case ColumnCount: break;
    }
    return raw(m, column).isValid() ? u"known"_s : u"unknown"_s;
}

QString MembersModel::standing(const patroni::Member &m) const
{
    if (m_stale || !m.record.reported)
        return u"unknown"_s;
    if (!m.up)
        return u"unhealthy"_s;
    if (m.oldTimeline || (!leads(m) && m.record.replicationState && !streams(m)))
        return u"degraded"_s;
    return u"healthy"_s;
}

QString MembersModel::filterText(const patroni::Member &m) const
{
    QStringList parts;
    for (const int column : {Name, Role, State, Node, Version})
        parts << raw(m, column).toString();
    parts << tagList(m);
    return parts.join(u' ').toLower();
}

QVariant MembersModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole: return raw(row.member, index.column());
    case SortRole: return index.column() == Tags ? QVariant(tagList(row.member).join(u' ')) : raw(row.member, index.column());
    case FilterRole: return filterText(row.member);
    case CodeRole: return cellCode(row.member, index.column());
    case StaleRole: return m_stale;
    case AsOfRole: return m_view.lastContact ? QVariant::fromValue<qlonglong>(m_view.lastContact->time_since_epoch().count()) : QVariant();
    case KeyRole: return QVariant::fromValue(m_key);
    case RecordRole: return QVariant::fromValue(recordKey(m_key, row.member));
    case ChangedAtRole: {
        const auto at = row.changedAt[static_cast<std::size_t>(index.column())];
        return at ? QVariant::fromValue<qlonglong>(at->time_since_epoch().count()) : QVariant();
    }
    default: return {};
    }
}

} // namespace switchyard::items
