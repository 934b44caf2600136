// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline history of one cluster, newest first, with who led each timeline and for how long.
#include "models/items/merging_table_model.h"
#include "models/items/roles.h"
#include "models/patroni/cluster.h"

namespace switchyard::items {

// One timeline: who led it, from when to when. Timeline 1's leader is not recorded by Patroni.
struct TimelineSpan
{
    std::int64_t timeline = 0;
    std::optional<std::string> leader; // nullopt: not recorded
    std::optional<Instant> from, to;   // nullopt from: unknown; nullopt to: still going on (current) or unknown
    bool current = false;
    std::optional<Lsn> endLsn;
    std::string reason;
    bool operator==(const TimelineSpan &) const = default;
};
// Pure: spans oldest first, the current one last.
std::vector<TimelineSpan> timelineSpans(const patroni::Cluster &cluster);

// One row an ended timeline. NewLeader and LedFor speak of the timeline that began then; Leader of the one that ended.
// CodeRole: NewLeader, Leader: known not-recorded; LedFor: ended current at-least unknown; EndedAt: known unknown.
class HistoryModel : public MergingTableModel
{
    Q_OBJECT
public:
    enum Column { Timeline, Lsn, LsnNumber, Reason, EndedAt, NewLeader, LedFor, Leader, ColumnCount };
    explicit HistoryModel(QObject *parent = nullptr);
    void update(const patroni::Cluster &cluster, Now now);
    void tick(Now now);
    void clear();
    const patroni::HistoryEntry *entryAt(int row) const;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    struct Row
    {
        patroni::HistoryEntry entry;
        std::optional<std::string> leader; // of the timeline that ended
        std::optional<Instant> nextEnd;    // when the timeline that began then ended in turn
        bool newest = false;               // it has not ended
        bool operator==(const Row &) const = default;
    };
    QVariant raw(const Row &row, int column) const;
    QString cellCode(const Row &row, int column) const;

    std::vector<Row> m_rows;
    patroni::ClusterKey m_key;
    patroni::ViewState m_view;
    bool m_leadsNow = false;        // the newest leader of the history, by a live view
    std::optional<Boot> m_ledUntil; // else: last known to lead then; nullopt: unknown
    Now m_now;
};

} // namespace switchyard::items
