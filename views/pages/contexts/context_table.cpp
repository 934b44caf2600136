// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/contexts/context_table.h"

#include "views/style/marks.h"
#include "views/style/metrics.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScopedValueRollback>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::ContextRow;
using items::ContextsModel;

namespace {

constexpr int sampleRows = 100;

QPainterPath star(const QRectF &box)
{
    QPainterPath path;
    for (int i = 0; i < 10; ++i) {
        const double radius = box.width() / 2 * (i % 2 ? 0.45 : 1.0);
        const double angle = -std::numbers::pi / 2 + i * std::numbers::pi / 5;
        const QPointF at = box.center() + QPointF(radius * std::cos(angle), radius * std::sin(angle));
        i == 0 ? path.moveTo(at) : path.lineTo(at);
    }
    path.closeSubpath();
    return path;
}

int starSide(const QFontMetrics &metrics)
{
    return qMax(10, qRound(metrics.height() * 0.8));
}

} // namespace

bool ContextsProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const auto favourite = [](const QModelIndex &index) {
        return index.siblingAtColumn(ContextsModel::Mark).data(items::RawRole).toBool();
    };
    if (const bool a = favourite(left), b = favourite(right); a != b) // a descending sort asks with the sides changed
        return a == (sortOrder() == Qt::AscendingOrder);
    return FilterProxy::lessThan(left, right);
}

void ContextMarkDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    CellDelegate::initStyleOption(option, index);
    option->text.clear(); // drawn
}

void ContextMarkDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    CellDelegate::paint(painter, option, index);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const int side = starSide(option.fontMetrics);
    if (const QColor colour = markColour(index.data(ContextColourRole).toString(), option.palette); colour.isValid())
        painter->fillRect(QRectF(option.rect.left(), option.rect.top() + 2, 5, option.rect.height() - 4), colour);
    const bool favourite = index.data(items::RawRole).toBool();
    const QColor ink = favourite ? toneColor(Tone::Warning, option.palette) : secondaryText(option.palette);
    painter->setPen(QPen(ink, 1));
    painter->setBrush(favourite ? QBrush(ink) : Qt::NoBrush);
    if (!favourite)
        painter->setOpacity(0.55);
    painter->drawPath(star(QRectF(option.rect.left() + 10, option.rect.center().y() + 0.5 - side / 2.0, side, side)));
    painter->restore();
}

QSize ContextMarkDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {starSide(QFontMetrics(option.font)) + 18, rowHeight(option.font)};
}

ContextTable::ContextTable(ContextsModel *contexts, QWidget *parent)
    : QTableView(parent)
    , m_contexts(contexts)
    , m_words(new ContextsWords(contexts, this))
    , m_proxy(new ContextsProxy(this))
{
    m_proxy->setSourceModel(m_words);
    setModel(m_proxy);
    setFont(tabularFont(font()));
    setAccessibleName(tr("Contexts of the kubeconfig"));
    styleTable(this);
    setItemDelegate(new CellDelegate(this));
    setItemDelegateForColumn(ContextsModel::Mark, new ContextMarkDelegate(this));
    for (const int column : {int(ContextsModel::Name), int(ContextsModel::Server), int(ContextsModel::User)})
        setItemDelegateForColumn(column, new NameDelegate(this));
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setSortingEnabled(true);
    sortByColumn(ContextsModel::State, Qt::AscendingOrder);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this] { m_resizedByUser = m_resizedByUser || (!m_fitting && isVisible()); });
}

const ContextRow *ContextTable::rowAt(const QModelIndex &index) const
{
    return index.isValid() ? m_contexts->rowAt(m_proxy->mapToSource(index).row()) : nullptr;
}

std::vector<const ContextRow *> ContextTable::chosen() const
{
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    std::vector<const ContextRow *> result;
    for (const QModelIndex &index : rows)
        if (const ContextRow *row = rowAt(index))
            result.push_back(row);
    return result;
}

void ContextTable::measure()
{
    QStyleOptionViewItem option;
    option.font = font();
    const QFontMetrics headerMetrics(horizontalHeader()->font());
    for (int column = 0; column < ContextsModel::ColumnCount; ++column) {
        int width = headerMetrics.horizontalAdvance(m_words->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 14
            + (horizontalHeader()->sortIndicatorSection() == column ? headerMetrics.height() + 10 : 0);
        QAbstractItemDelegate *delegate = itemDelegateForIndex(m_proxy->index(0, column));
        for (int row = 0; delegate && row < std::min(sampleRows, m_proxy->rowCount()); ++row)
            width = std::max(width, delegate->sizeHint(option, m_proxy->index(row, column)).width());
        int &known = m_ideal[static_cast<std::size_t>(column)];
        known = std::max(known, width); // widths only grow, so that nothing jitters
    }
}

// The state's words take what is left; where room is short, first they, then names give way, never a number.
void ContextTable::fitColumns()
{
    if (m_resizedByUser || m_proxy->rowCount() == 0)
        return;
    const int em = fontMetrics().height();
    auto width = m_ideal;
    int excess = std::accumulate(width.begin(), width.end(), 0) - viewport()->width();
    const auto shrink = [&](int column, int least) {
        int &w = width[static_cast<std::size_t>(column)];
        const int by = std::clamp(w - least, 0, std::max(0, excess));
        w -= by;
        excess -= by;
    };
    for (const int column : {int(ContextsModel::Server), int(ContextsModel::User)})
        shrink(column, 14 * em);
    shrink(ContextsModel::State, 26 * em);
    for (const int least : {16 * em, 12 * em, 9 * em, 7 * em, 5 * em}) {
        for (const int column : {int(ContextsModel::Server), int(ContextsModel::User), int(ContextsModel::Namespaces)})
            shrink(column, least);
        shrink(ContextsModel::Name, std::max(least, 9 * em));
        shrink(ContextsModel::State, 2 * least);
    }
    if (excess < 0)
        width[ContextsModel::State] -= excess;
    const QScopedValueRollback fitting(m_fitting, true);
    for (int column = 0; column < ContextsModel::ColumnCount; ++column)
        setColumnWidth(column, width[static_cast<std::size_t>(column)]);
}

void ContextTable::mouseReleaseEvent(QMouseEvent *event)
{
    QTableView::mouseReleaseEvent(event);
    const QModelIndex at = indexAt(event->position().toPoint());
    if (event->button() != Qt::LeftButton || event->modifiers() != Qt::NoModifier || at.column() != ContextsModel::Mark)
        return;
    if (const ContextRow *row = rowAt(at))
        Q_EMIT starClicked(row->name, !row->favourite);
}

void ContextTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void ContextTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_proxy) {
        m_ideal = {};
        measure();
        fitColumns();
    }
}

void ContextTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT chosenChanged();
}

} // namespace switchyard::views
