// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/history_model.h"

#include "models/items/fleet_model.h"
#include "models/store/record_key.h"

using namespace Qt::StringLiterals;

namespace switchyard::items {

namespace {

QVariant optionalText(const std::optional<std::string> &s)
{
    return s ? QVariant(QString::fromStdString(*s)) : QVariant();
}

// The timeline that runs now. Only one member can be primary on a timeline, so where the history does not name its leader the
// present holder of the lock does; a standby cluster moves its lock without a new timeline, so there it proves nothing.
TimelineSpan currentSpan(const patroni::Cluster &cluster, const std::vector<patroni::HistoryEntry> &entries, std::int64_t timeline)
{
    TimelineSpan span{.timeline = timeline, .leader = {}, .from = {}, .to = {}, .current = true, .endLsn = {}, .reason = {}};
    if (!entries.empty() && entries.back().timeline + 1 == timeline) {
        span.leader = entries.back().newLeader;
        span.from = entries.back().endedAt;
    }
    if (!span.leader && !cluster.standby())
        span.leader = cluster.leaderName;
    if (!span.from && span.leader && span.leader == cluster.leaderName)
        span.from = cluster.lock.acquireTime;
    return span;
}

// Our own silence and a lost lock both end what is known of the newest leader. nullopt: somebody else holds the lock, or nothing tells.
std::optional<Boot> ledUntil(const patroni::Cluster &cluster)
{
    const auto &entries = cluster.config->history.entries;
    if (entries.empty() || !entries.back().newLeader || cluster.lock.holder != entries.back().newLeader)
        return std::nullopt;
    return cluster.view.freshness != patroni::Freshness::Live ? cluster.view.lastContact : cluster.lock.changedNotAfter;
}

bool leadsNow(const patroni::Cluster &cluster)
{
    const auto &entries = cluster.config->history.entries;
    return cluster.view.freshness == patroni::Freshness::Live && cluster.leaderName && !entries.empty()
        && cluster.leaderName == entries.back().newLeader;
}

} // namespace

std::vector<TimelineSpan> timelineSpans(const patroni::Cluster &cluster)
{
    std::vector<TimelineSpan> spans;
    if (!cluster.config || !cluster.config->history.readable)
        return spans;
    const auto &entries = cluster.config->history.entries;
    const patroni::HistoryEntry *before = nullptr;
    for (const auto &entry : entries) {
        TimelineSpan span{.timeline = entry.timeline,
                          .leader = {},
                          .from = {},
                          .to = entry.endedAt,
                          .current = false,
                          .endLsn = entry.lsn,
                          .reason = entry.reason};
        if (before) {
            span.leader = before->newLeader;
            span.from = before->endedAt;
        }
        spans.push_back(std::move(span));
        before = &entry;
    }
    if (const auto timeline = cluster.timeline ? cluster.timeline : cluster.config->history.currentTimeline)
        spans.push_back(currentSpan(cluster, entries, *timeline));
    return spans;
}

HistoryModel::HistoryModel(QObject *parent)
    : MergingTableModel(parent)
{}

void HistoryModel::update(const patroni::Cluster &cluster, Now now)
{
    if (cluster.names.key != m_key)
        clear();
    m_key = cluster.names.key;
    m_view = cluster.view;
    m_now = now;
    m_leadsNow = cluster.config && leadsNow(cluster);
    m_ledUntil = cluster.config ? ledUntil(cluster) : std::nullopt;
    std::vector<Row> target;
    if (cluster.config) {
        const auto &entries = cluster.config->history.entries;
        for (std::size_t i = entries.size(); i-- > 0;) {
            const bool last = i + 1 == entries.size();
            target.push_back(
                {entries[i], i > 0 ? entries[i - 1].newLeader : std::nullopt, last ? std::nullopt : entries[i + 1].endedAt, last});
        }
    }
    mergeRows(
        m_rows, std::move(target), [](const Row &r) { return std::pair(r.entry.timeline, r.entry.lsn); },
        [this](int row, const Row &) {
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1), {RawRole, SortRole, CodeRole, FilterRole});
        });
    tick(now);
}

void HistoryModel::tick(Now now)
{
    m_now = now;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, LedFor), index(0, LedFor), {RawRole, SortRole});
}

void HistoryModel::clear()
{
    removeRange(m_rows, 0, static_cast<int>(m_rows.size()) - 1);
    m_key = {};
    m_view = {};
}

const patroni::HistoryEntry *HistoryModel::entryAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].entry : nullptr;
}

int HistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryModel::raw(const Row &row, int column) const
{
    const auto &e = row.entry;
    switch (static_cast<Column>(column)) {
    case Timeline: return QVariant::fromValue<qlonglong>(e.timeline);
    case Lsn: return QString::fromStdString(formatLsn(e.lsn));
    case LsnNumber: return QVariant::fromValue<qulonglong>(e.lsn);
    case Reason: return QString::fromStdString(e.reason);
    case EndedAt: return e.endedAt ? QVariant::fromValue<qlonglong>(e.endedAt->time_since_epoch().count()) : QVariant();
    case NewLeader: return optionalText(e.newLeader);
    case LedFor: {
        const auto until = !row.newest ? row.nextEnd
            : m_leadsNow               ? std::optional(m_now.wall)
            : m_ledUntil               ? std::optional(m_now.toWall(*m_ledUntil))
                                       : std::nullopt;
        return e.endedAt && until ? QVariant::fromValue<qlonglong>((*until - *e.endedAt).count()) : QVariant();
    }
    case Leader: return optionalText(row.leader);
    case ColumnCount: break;
    }
    return {};
}

QString HistoryModel::cellCode(const Row &row, int column) const
{
    const bool known = raw(row, column).isValid();
    if (column == NewLeader || column == Leader)
        return known ? u"known"_s : u"not-recorded"_s;
    if (column == LedFor && known)
        return !row.newest ? u"ended"_s : m_leadsNow ? u"current"_s : u"at-least"_s;
    return known ? u"known"_s : u"unknown"_s;
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole: return raw(row, index.column());
    case SortRole: return index.column() == Lsn ? raw(row, LsnNumber) : raw(row, index.column());
    case FilterRole:
        return (raw(row, Timeline).toString() + u' ' + raw(row, Lsn).toString() + u' ' + raw(row, Reason).toString() + u' '
                + raw(row, NewLeader).toString())
            .toLower();
    case CodeRole: return cellCode(row, index.column());
    case StaleRole: return m_view.freshness != patroni::Freshness::Live;
    case AsOfRole: return m_view.lastContact ? QVariant::fromValue<qlonglong>(m_view.lastContact->time_since_epoch().count()) : QVariant();
    case KeyRole: return QVariant::fromValue(m_key);
    case RecordRole: return QVariant::fromValue(recordKey(m_key, row.entry));
    default: return {};
    }
}

} // namespace switchyard::items
