// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline history of one cluster, newest first, with who led each timeline and for how long.
#include "models/items/roles.h"
#include "models/patroni/cluster.h"

#include <QAbstractTableModel>

namespace switchyard::items {

// One timeline: who led it, from when to when. Timeline 1's leader is not recorded by Patroni.
struct TimelineSpan
{
    std::int64_t timeline = 0;
    std::optional<std::string> leader;     // nullopt: not recorded
    std::optional<Instant> from, to;       // nullopt from: unknown; nullopt to: still going on (current) or unknown
    bool current = false;
    std::optional<Lsn> endLsn;
    std::string reason;
    bool operator==(const TimelineSpan &) const = default;
};
// Pure: spans oldest first, the current one last.
std::vector<TimelineSpan> timelineSpans(const patroni::Cluster &cluster);

class HistoryModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Timeline, Lsn, LsnNumber, Reason, EndedAt, NewLeader, LedFor, ColumnCount };
    explicit HistoryModel(QObject *parent = nullptr);
    void update(const patroni::Cluster &cluster, Now now);
    void clear();
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<patroni::HistoryEntry> m_entries;
    std::vector<TimelineSpan> m_spans;
    Now m_now;
};

} // namespace switchyard::items
