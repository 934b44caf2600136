// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All elections of all opened contexts, one row each, Patroni's locks among them. Merges by key: a thousand renewals announce their own
// cells and no more.
#include "models/election/election.h"
#include "models/items/sorted_table_model.h"

#include <QString>

#include <array>
#include <memory>

namespace switchyard::items {

// What deserves a look first has the lower rank.
int electionRank(const election::Election &election);

// Seconds since the record was last seen to change, by our clock; nullopt: no change seen yet, or nothing is known now.
std::optional<Duration> recordAge(const election::Election &election, Now now);

class ElectionsModel : public SortedTableModel
{
    Q_OBJECT
public:
    enum Column { State, Name, Namespace, Kind, Holder, Pod, Record, Renewed, Lasts, Transitions, Rate, Context, ColumnCount };
    enum ElectionRole { NoiseRole = KeyRole + 100 }; // bool: a node's heartbeat or an API server's identity

    explicit ElectionsModel(QObject *parent = nullptr);
    ~ElectionsModel() override;

    void update(const std::vector<const election::Election *> &all, Now now); // whatever is not among them goes
    void updateSome(const std::vector<const election::Election *> &changed, const std::vector<election::Key> &removed, Now now);
    void tick(Now now); // ages and countdowns
    // As a table needs it: without records, renewals, changes and raw text.
    const election::Election *electionAt(int row) const;
    int rowOf(const election::Key &key) const; // -1: none
    Now now() const;
    // Leaders seen to change since the election was first seen, and for how long it was looked at.
    int takeoversAt(int row) const;
    std::optional<Duration> watchedFor(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    // RawRole: State, Kind codes; Name, Namespace, Context, Holder, Pod text (Holder "": known to be nobody; invalid: unknown);
    // Record double, seconds to expiry where it is counted down, else the record's age; Renewed qint64 microseconds since the epoch;
    // Lasts, Transitions qint64; Rate double, new leaders an hour, unknown before ten minutes have been seen.
    // KeyRole: a ClusterKey with context and namespace only. CodeRole: State, Kind.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    using Columns = std::array<bool, ColumnCount>;
    struct Row;
    struct Table;
    QVariant raw(const Row &row, int column) const;
    QVariant sortValue(const Row &row, int column) const;

    std::vector<Row> m_rows; // sorted by key
    Now m_now;
};

} // namespace switchyard::items
