// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/contexts_model.h"

#include <algorithm>

namespace switchyard::items {

using namespace Qt::StringLiterals;

namespace {

QVariant orInvalid(const QString &text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

QVariant raw(const ContextRow &row, int column)
{
    switch (column) {
    case ContextsModel::Mark: return row.favourite;
    case ContextsModel::Name: return row.shown();
    case ContextsModel::State: return standingCode(row.standing);
    case ContextsModel::Namespaces: return row.namespaces;
    case ContextsModel::Server: return orInvalid(row.server);
    case ContextsModel::User: return orInvalid(row.user);
    case ContextsModel::Version: return orInvalid(row.version);
    case ContextsModel::Latency: return row.latency ? QVariant(qint64(row.latency->count())) : QVariant();
    case ContextsModel::Skew: return row.skew && row.skew->certain() ? QVariant(qint64(row.skew->offset.count())) : QVariant();
    case ContextsModel::LastContact: return row.lastContact ? QVariant(qint64(row.lastContact->time_since_epoch().count())) : QVariant();
    default: return {};
    }
}

// What is open comes first, worst first; then what could be opened, kubectl's own first.
QString standingOrder(const ContextRow &row)
{
    return QString::number(int(row.standing)) + (row.current ? u'0' : u'1') + row.shown().toLower();
}

QVariant sortValue(const ContextRow &row, int column)
{
    switch (column) {
    case ContextsModel::Mark: return QString((row.favourite ? u"0"_s : u"1"_s) + row.colour + u' ' + standingOrder(row));
    case ContextsModel::Name: return row.shown().toLower();
    case ContextsModel::State: return standingOrder(row);
    case ContextsModel::Namespaces: return row.namespaces.join(u' ');
    default: return raw(row, column);
    }
}

QString filterText(const ContextRow &row)
{
    return QStringList{row.name,
                       row.alias,
                       row.server,
                       row.address,
                       row.user,
                       row.cluster,
                       standingCode(row.standing),
                       row.namespaces.join(u' '),
                       row.readOnly ? u"read-only"_s : QString(),
                       row.isProtected ? u"protected"_s : QString()}
        .join(u' ')
        .toLower();
}

} // namespace

QString standingCode(Standing standing)
{
    switch (standing) {
    case Standing::Unauthorized: return u"unauthorized"_s;
    case Standing::Forbidden: return u"forbidden"_s;
    case Standing::Stale: return u"stale"_s;
    case Standing::Waiting: return u"waiting"_s;
    case Standing::Connecting: return u"connecting"_s;
    case Standing::Live: return u"live"_s;
    case Standing::Closed: return u"closed"_s;
    case Standing::Unusable: break;
    }
    return u"unusable"_s;
}

bool isNamespaceName(const QString &name)
{
    const auto plain = [](QChar c) { return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9'); };
    return !name.isEmpty() && name.size() <= 63 && plain(name.front()) && plain(name.back())
        && std::all_of(name.begin(), name.end(), [&](QChar c) { return plain(c) || c == u'-'; });
}

void ContextsModel::set(std::vector<ContextRow> rows, Now now)
{
    m_now = now;
    if (m_rows.empty() && !rows.empty()) { // hundreds at once
        beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
        m_rows = std::move(rows);
        endInsertRows();
        return;
    }
    if (std::equal(m_rows.begin(), m_rows.end(), rows.begin(), rows.end(),
                   [](const ContextRow &a, const ContextRow &b) { return a.name == b.name; })) {
        replaceRows(std::move(rows));
        return;
    }
    mergeRows(
        m_rows, std::move(rows), [](const ContextRow &row) -> const QString & { return row.name; },
        [this](int row, const ContextRow &) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); });
}

// The same contexts as before, as every second: no search.
void ContextsModel::replaceRows(std::vector<ContextRow> rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (m_rows[i] == rows[i])
            continue;
        m_rows[i] = std::move(rows[i]);
        const int row = static_cast<int>(i);
        Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
    }
}

void ContextsModel::tick(Now now)
{
    m_now = now;
    for (int row = 0; row < rowCount(); ++row) {
        if (!m_rows[static_cast<std::size_t>(row)].open())
            continue;
        Q_EMIT dataChanged(index(row, State), index(row, State), {Qt::DisplayRole, AsOfRole});
        Q_EMIT dataChanged(index(row, LastContact), index(row, LastContact), {Qt::DisplayRole});
    }
}

const ContextRow *ContextsModel::rowAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

const ContextRow *ContextsModel::find(const QString &name) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const ContextRow &row) { return row.name == name; });
    return found == m_rows.end() ? nullptr : &*found;
}

int ContextsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ContextsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ContextsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ContextRow &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole: return raw(row, index.column());
    case SortRole: return sortValue(row, index.column());
    case FilterRole: return filterText(row);
    case CodeRole: return index.column() == State ? QVariant(standingCode(row.standing)) : QVariant();
    case StaleRole: return row.standing == Standing::Stale;
    case AsOfRole: return row.lastContact ? QVariant(qint64(row.lastContact->time_since_epoch().count())) : QVariant();
    default: return {};
    }
}

} // namespace switchyard::items
