// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/members_view.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTimer>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::MembersModel;

namespace {

constexpr int mostRowsWithoutScrolling = 10;
constexpr int widestColumn = 260;
constexpr int glowMilliseconds = 1500;

} // namespace

MembersView::MembersView(QWidget *parent)
    : QTableView(parent)
    , m_presenter(&m_model)
{
    styleTable(this);
    setModel(&m_presenter);
    setAccessibleName(tr("Members"));
    setSortingEnabled(true);
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setStretchLastSection(true);
    setTextElideMode(Qt::ElideMiddle);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &, const QModelIndex &, const QList<int> &roles) {
        if (roles.contains(items::ChangedAtRole))
            QTimer::singleShot(glowMilliseconds + 50, viewport(), qOverload<>(&QWidget::update));
    });
    look();
}

void MembersView::showCluster(const patroni::Cluster &cluster, Now now)
{
    m_presenter.setNow(now);
    m_model.update(cluster, now);
    look();
    if (m_key != cluster.names.key && m_model.rowCount() > 0) {
        m_key = cluster.names.key;
        fitColumns();
    }
    if (m_rows != m_model.rowCount()) {
        m_rows = m_model.rowCount();
        updateGeometry();
    }
}

void MembersView::tick(Now now)
{
    m_presenter.setNow(now);
    m_model.tick(now);
}

void MembersView::clear()
{
    m_model.clear();
    m_key = {};
}

// Once for each cluster: columns that jump under the pointer are worse than columns that are a little too wide.
void MembersView::fitColumns()
{
    for (int column = 0; column < MembersModel::ColumnCount; ++column) {
        const int wanted = qMax(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        setColumnWidth(column, qMin(wanted + grid, widestColumn));
    }
}

QSize MembersView::sizeHint() const
{
    const int rows = qBound(1, m_rows, mostRowsWithoutScrolling);
    const int bar = horizontalScrollBar()->sizeHint().height();
    return {80 * grid, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + bar + 2};
}

QSize MembersView::minimumSizeHint() const
{
    return {40 * grid, sizeHint().height()};
}

void MembersView::look()
{
    verticalHeader()->setDefaultSectionSize(views::rowHeight(font()));
    m_presenter.setLook(palette(), font(), isDimmed(this));
}

void MembersView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        look();
}

} // namespace switchyard::views
