// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The audit trail as rows, newest first: one for each write that was about to be sent, with its answer where there is one.
#include "models/core/time.h"
#include "models/items/merging_table_model.h"
#include "models/items/roles.h"
#include "models/patroni/discovery.h"
#include "models/store/record_key.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace switchyard::items {

struct AuditRow
{
    QString id; // ties an answer to its intent; the key
    std::optional<Instant> at, answeredAt;
    QString osUser, kubeUser, asUser, server;
    QStringList asGroups;
    patroni::ClusterKey cluster;
    QString action;        // code: "switchover", "pause" ...
    QString request;       // the summary of what was asked
    QString verb, object;  // "patch endpoints acme-failover": what was written
    QString path, body;    // exact
    QString preflight;     // what was shown before it was confirmed
    QString member;        // of a REST call: whose server
    QString versionBefore; // resourceVersions; empty: not known, or the object was created
    QString versionAfter;
    QString result;  // code of the answer: "done" ...; empty: no answer was noted, so the outcome is not known
    QString detail;  // the server's words
    QString outcome; // code of what came of it in the cluster, where that is known
    QString outcomeDetail, dryRun;
    std::optional<Instant> outcomeAt;
    int httpStatus = 0;
    bool operator==(const AuditRow &) const = default;
};
RecordKey auditKey(const AuditRow &row);

class AuditModel : public MergingTableModel
{
    Q_OBJECT
public:
    enum Column { At, Who, Account, Context, Cluster, Action, Request, Result, Outcome, ColumnCount };
    using MergingTableModel::MergingTableModel;

    void set(std::vector<AuditRow> rows); // newest first
    const AuditRow *rowAt(int row) const;
    const std::vector<AuditRow> &rows() const { return m_rows; }
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    // RawRole: At qint64 microseconds of UTC; all others text, invalid where nothing is known. CodeRole: Action, Result, Outcome.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<AuditRow> m_rows; // newest first
};

} // namespace switchyard::items
