// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/elections/elections_table.h"

#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"

#include <QHeaderView>
#include <QResizeEvent>
#include <QScopedValueRollback>

#include <algorithm>
#include <numeric>

namespace switchyard::views {

using namespace std::chrono_literals;
using election::Election;
using items::ElectionsModel;

void ElectionsProxy::setNoise(bool shown)
{
    if (shown == m_noise)
        return;
    m_noise = shown;
    invalidateFilter();
}

bool ElectionsProxy::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (!m_noise && sourceModel()->index(row, 0, parent).data(ElectionsModel::NoiseRole).toBool())
        return false;
    return FilterProxy::filterAcceptsRow(row, parent);
}

ElectionsTable::ElectionsTable(ElectionsModel *elections, QWidget *parent)
    : CellwiseTable(parent)
    , m_elections(elections)
    , m_words(new ElectionsWords(elections, this))
    , m_proxy(new ElectionsProxy(this))
{
    m_proxy->setSourceModel(m_words);
    setModel(m_proxy);
    setFont(tabularFont(font()));
    setAccessibleName(tr("Elections"));
    styleTable(this);
    setItemDelegate(new CellDelegate(this));
    for (const int column : {int(ElectionsModel::Name), int(ElectionsModel::Holder), int(ElectionsModel::Context)})
        setItemDelegateForColumn(column, new NameDelegate(this));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setSortingEnabled(true);
    sortByColumn(ElectionsModel::State, Qt::AscendingOrder);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this] { m_resizedByUser = m_resizedByUser || (!m_placing && isVisible()); });
}

const Election *ElectionsTable::current() const
{
    const QModelIndex at = currentIndex();
    return at.isValid() ? m_elections->electionAt(m_proxy->mapToSource(at).row()) : nullptr;
}

void ElectionsTable::choose(int sourceRow)
{
    const QModelIndex at = m_proxy->mapFromSource(m_words->index(sourceRow, 0));
    if (!at.isValid())
        return;
    selectRow(at.row());
    scrollTo(at);
}

void ElectionsTable::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    CellwiseTable::currentChanged(current, previous);
    Q_EMIT currentChosen();
}

void ElectionsTable::setContextShown(bool shown)
{
    if (isColumnHidden(ElectionsModel::Context) != shown)
        return;
    const QScopedValueRollback placing(m_placing, true);
    setColumnHidden(ElectionsModel::Context, !shown);
}

void ElectionsTable::fit()
{
    measure();
    place();
}

void ElectionsTable::measure()
{
    QStyleOptionViewItem option;
    option.font = font();
    const QFontMetrics headings(horizontalHeader()->font());
    const int top = std::max(0, rowAt(0)), end = rowAt(viewport()->height() - 1);
    const int bottom = end < 0 ? m_proxy->rowCount() - 1 : end;
    for (int column = 0; column < ElectionsModel::ColumnCount; ++column) {
        int width = headings.horizontalAdvance(m_words->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 14
            + (horizontalHeader()->sortIndicatorSection() == column ? headings.height() + 10 : 0);
        const QAbstractItemDelegate *delegate = itemDelegateForIndex(m_proxy->index(0, column));
        for (int row = top; delegate && row <= bottom; ++row)
            width = std::max(width, delegate->sizeHint(option, m_proxy->index(row, column)).width());
        int &known = m_ideal.at(static_cast<std::size_t>(column));
        known = std::max(known, width); // widths only grow, so that nothing jitters
    }
}

// Where room is short, names give way; they can be read in the details below. Never a state, a number or a time.
void ElectionsTable::place()
{
    if (m_resizedByUser || m_proxy->rowCount() == 0)
        return;
    const int em = fontMetrics().height();
    auto width = m_ideal;
    for (int column = 0; column < ElectionsModel::ColumnCount; ++column)
        if (isColumnHidden(column))
            width.at(static_cast<std::size_t>(column)) = 0;
    int excess = std::accumulate(width.begin(), width.end(), 0) - viewport()->width();
    for (const int least : {16, 12, 10, 8, 6, 5})
        for (const int column : {int(ElectionsModel::Holder), int(ElectionsModel::Pod), int(ElectionsModel::Context),
                                 int(ElectionsModel::Name), int(ElectionsModel::Namespace)}) {
            int &w = width.at(static_cast<std::size_t>(column));
            const int by = std::clamp(w - least * em, 0, std::max(0, excess));
            w -= by;
            excess -= by;
        }
    if (excess < 0)
        width.at(ElectionsModel::Pod) -= excess;
    const QScopedValueRollback placing(m_placing, true);
    for (int column = 0; column < ElectionsModel::ColumnCount; ++column)
        if (!isColumnHidden(column))
            setColumnWidth(column, width.at(static_cast<std::size_t>(column)));
}

void ElectionsTable::fade()
{
    const auto since = (m_elections->now().boot - ElectionsWords::glowTime - 2s).time_since_epoch().count();
    const int end = rowAt(viewport()->height() - 1);
    const int last = end < 0 ? m_proxy->rowCount() - 1 : end;
    for (int row = std::max(0, rowAt(0)); row <= last; ++row)
        for (int column = 0; column < ElectionsModel::ColumnCount; ++column) {
            const QModelIndex cell = m_proxy->index(row, column);
            if (const QVariant at = cell.data(items::ChangedAtRole); at.isValid() && at.toLongLong() > since)
                update(cell);
        }
}

void ElectionsTable::resizeEvent(QResizeEvent *event)
{
    CellwiseTable::resizeEvent(event);
    place();
}

void ElectionsTable::changeEvent(QEvent *event)
{
    CellwiseTable::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_proxy) {
        m_ideal = {};
        fit();
    }
}

} // namespace switchyard::views
