// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/permissions_model.h"

#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::items {

namespace {

QString text(std::string_view s)
{
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

} // namespace

PermissionsModel::PermissionsModel(QObject *parent)
    : MergingTableModel(parent)
{}

void PermissionsModel::update(const ContextRights &rights)
{
    const std::vector<rules::Loss> losses = rules::losses(rights.scope, rights.answers);
    std::vector<Row> target;
    for (const rules::Right &right : rules::wantedRights(rights.scope, rights.answers)) {
        const auto known = rights.answers.find(right);
        Row row{right, known == rights.answers.end() ? rules::Answer{} : known->second, {}};
        const bool lost = std::any_of(losses.begin(), losses.end(), [&](const rules::Loss &loss) { return loss.missing == right; });
        const bool harmless = row.answer.kind == rules::Answer::Kind::Denied && !lost;
        row.without = harmless ? u"nothing"_s : text(code(rules::effectWithout(rights.answers, right)));
        target.push_back(std::move(row));
    }
    mergeRows(
        m_rows, std::move(target), [](const Row &row) -> const rules::Right & { return row.right; },
        [this](int row, const Row &old) {
            // A round of questions renews the times only.
            const Row &now = m_rows[static_cast<std::size_t>(row)];
            if (old.answer.kind == now.answer.kind && old.answer.reason == now.answer.reason && old.without == now.without)
                return;
            Q_EMIT dataChanged(index(row, Answer), index(row, Without), {RawRole, SortRole, CodeRole, FilterRole});
        });
}

void PermissionsModel::clear()
{
    removeRange(m_rows, 0, static_cast<int>(m_rows.size()) - 1);
}

const rules::Right *PermissionsModel::rightAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].right : nullptr;
}

const rules::Answer *PermissionsModel::answerAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)].answer : nullptr;
}

int PermissionsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PermissionsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString PermissionsModel::raw(const Row &row, int column) const
{
    switch (static_cast<Column>(column)) {
    case What: return text(code(row.right.use));
    case Verb: return text(row.right.verb);
    case Resource: return text(row.right.resource);
    case Namespace: return text(row.right.ns);
    case Object: return text(row.right.name);
    case Answer: return text(code(row.answer.kind));
    case Without: return row.without;
    case ColumnCount: break;
    }
    return {};
}

QVariant PermissionsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case RawRole:
    case SortRole:
    case CodeRole: return raw(row, index.column());
    case FilterRole: {
        QStringList parts;
        for (int column = 0; column < ColumnCount; ++column)
            parts << raw(row, column);
        return parts.join(u' ').toLower();
    }
    case StaleRole: return false;
    default: return {};
    }
}

} // namespace switchyard::items
