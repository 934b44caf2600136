// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/audit_model.h"

#include "models/items/fleet_model.h"

namespace switchyard::items {

using namespace Qt::StringLiterals;

namespace {

QVariant orInvalid(const QString &text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

QVariant raw(const AuditRow &row, int column)
{
    switch (column) {
    case AuditModel::At: return row.at ? QVariant(qint64(row.at->time_since_epoch().count())) : QVariant();
    case AuditModel::Who: return orInvalid(row.osUser);
    case AuditModel::Account: return orInvalid(row.asUser.isEmpty() ? row.kubeUser : row.asUser);
    case AuditModel::Context: return orInvalid(text(row.cluster.context));
    case AuditModel::Cluster: return orInvalid(text(row.cluster.text()));
    case AuditModel::Action: return orInvalid(row.action);
    case AuditModel::Request: return orInvalid(row.request);
    case AuditModel::Result: return orInvalid(row.result);
    case AuditModel::Outcome: return orInvalid(row.outcome);
    default: return {};
    }
}

QString filterText(const AuditRow &row)
{
    return QStringList{row.osUser,
                       row.kubeUser,
                       row.asUser,
                       row.server,
                       text(row.cluster.context),
                       text(row.cluster.text()),
                       row.action,
                       row.request,
                       row.member,
                       row.object,
                       row.result,
                       row.outcome,
                       row.detail}
        .join(u' ')
        .toLower();
}

} // namespace

RecordKey auditKey(const AuditRow &row)
{
    return {row.cluster, row.id.toStdString()};
}

void AuditModel::set(std::vector<AuditRow> rows)
{
    if (m_rows.empty() && !rows.empty()) { // a whole file at once
        beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
        m_rows = std::move(rows);
        endInsertRows();
        return;
    }
    mergeRows(
        m_rows, std::move(rows), [](const AuditRow &row) -> const QString & { return row.id; },
        [this](int row, const AuditRow &) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); });
}

const AuditRow *AuditModel::rowAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const AuditRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole:
    case SortRole: return raw(row, index.column());
    case FilterRole: return filterText(row);
    case CodeRole:
        return index.column() == Action || index.column() == Result || index.column() == Outcome ? raw(row, index.column()) : QVariant();
    case StaleRole: return false; // what was done stays done
    case KeyRole: return QVariant::fromValue(row.cluster);
    case RecordRole: return QVariant::fromValue(auditKey(row));
    default: return {};
    }
}

} // namespace switchyard::items
