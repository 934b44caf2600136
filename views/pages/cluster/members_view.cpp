// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/members_view.h"

#include "views/pages/cluster/fit_columns.h"
#include "views/style/metrics.h"

#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTimer>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using items::MembersModel;

namespace {

constexpr int mostRowsWithoutScrolling = 10;
constexpr int glowMilliseconds = 1500;

} // namespace

MembersView::MembersView(QWidget *parent)
    : QTableView(parent)
    , m_presenter(&m_model)
{
    m_presenter.present(this, tr("Members"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this] { m_sizedByHand = m_sizedByHand || (!m_fitting && QGuiApplication::mouseButtons().testFlag(Qt::LeftButton)); });
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
    if (m_key != cluster.names.key && m_model.rowCount() > 0) {
        m_key = cluster.names.key;
        fit();
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

// As long as nobody sized a column by hand.
void MembersView::fit()
{
    if (m_sizedByHand || m_model.rowCount() == 0)
        return;
    m_fitting = true;
    fitColumns(this, {MembersModel::Name, MembersModel::Node, MembersModel::Tags, MembersModel::State, MembersModel::PendingRestart});
    m_fitting = false;
}

void MembersView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    if (event->size().width() == event->oldSize().width())
        return;
    fit();
    updateGeometry(); // room for a scroll bar comes and goes
}

QSize MembersView::sizeHint() const
{
    const int rows = qBound(1, m_rows, mostRowsWithoutScrolling);
    const int bar = horizontalHeader()->length() > viewport()->width() ? horizontalScrollBar()->sizeHint().height() : 0;
    return {80 * grid, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + bar + 2};
}

QSize MembersView::minimumSizeHint() const
{
    return {40 * grid, sizeHint().height()};
}

void MembersView::paintEvent(QPaintEvent *event)
{
    QTableView::paintEvent(event);
    if (m_model.rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(secondaryText(palette()));
    painter.drawText(viewport()->rect().adjusted(grid, 0, -grid, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("No Pod of this cluster is seen."));
}

void MembersView::look()
{
    verticalHeader()->setDefaultSectionSize(views::rowHeight(font()));
    m_presenter.setFont(font());
}

void MembersView::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        look();
}

} // namespace switchyard::views
