// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/filter_proxy.h"

#include "models/items/fleet_model.h"

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;

FilterProxy::FilterProxy(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(items::SortRole);
    setDynamicSortFilter(true);
}

void FilterProxy::refilter()
{
    invalidateFilter();
}

void FilterProxy::setWords(const QString &text)
{
    const QStringList list = text.toLower().split(u' ', Qt::SkipEmptyParts);
    if (list == m_words)
        return;
    m_words = list;
    refilter();
}

void FilterProxy::setPlace(const QString &context, const QString &ns)
{
    if (context == m_context && ns == m_ns)
        return;
    m_context = context;
    m_ns = ns;
    refilter();
}

void FilterProxy::setCode(int column, const QString &code)
{
    if (column == m_codeColumn && code == m_code)
        return;
    m_codeColumn = column;
    m_code = code;
    refilter();
}

QString FilterProxy::place() const
{
    return m_ns.isEmpty() ? m_context : m_context + u" / "_s + m_ns;
}

bool FilterProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant a = left.data(items::SortRole), b = right.data(items::SortRole);
    if (!a.isValid() || !b.isValid()) // a descending sort asks with the sides changed
        return a.isValid() != b.isValid() && (a.isValid() == (sortOrder() == Qt::AscendingOrder));
    const QPartialOrdering order = QVariant::compare(a, b);
    if (order != QPartialOrdering::Equivalent)
        return order == QPartialOrdering::Less;
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

bool FilterProxy::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (!filters()) // asked of every row each second
        return true;
    const QModelIndex first = sourceModel()->index(row, 0, parent);
    if (!m_context.isEmpty()) {
        const auto key = first.data(items::KeyRole).value<patroni::ClusterKey>();
        if (QString::fromStdString(key.context) != m_context || (!m_ns.isEmpty() && QString::fromStdString(key.ns) != m_ns))
            return false;
    }
    if (!m_code.isEmpty() && sourceModel()->index(row, m_codeColumn, parent).data(items::CodeRole).toString() != m_code)
        return false;
    if (m_words.isEmpty())
        return true;
    const QString text = first.data(items::FilterRole).toString();
    return std::all_of(m_words.begin(), m_words.end(), [&text](const QString &word) { return text.contains(word); });
}

} // namespace switchyard::views
