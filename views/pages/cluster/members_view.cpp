// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/members_view.h"

#include "views/pages/cluster/fit_columns.h"
#include "views/style/metrics.h"
#include "views/widgets/shown_table.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QAction>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>

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
    setRecords(this, ExportRequest::What::Members);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this,
            [this] { m_sizedByHand = m_sizedByHand || (!m_fitting && QGuiApplication::mouseButtons().testFlag(Qt::LeftButton)); });
    connect(&m_model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &, const QModelIndex &, const QList<int> &roles) {
        if (roles.contains(items::ChangedAtRole))
            QTimer::singleShot(glowMilliseconds + 50, viewport(), qOverload<>(&QWidget::update));
    });
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &MembersView::openMenu);
    look();
}

namespace {

QString memberAction(rules::ActionKind kind, const QString &member)
{
    switch (kind) {
    case rules::ActionKind::Switchover: return MembersView::tr("&Switch over to %1\u2026").arg(member);
    case rules::ActionKind::Failover: return MembersView::tr("&Fail over to %1\u2026").arg(member);
    case rules::ActionKind::Restart: return MembersView::tr("&Restart %1\u2026").arg(member);
    case rules::ActionKind::CancelRestart: return MembersView::tr("Ca&ncel the scheduled restart of %1\u2026").arg(member);
    case rules::ActionKind::Reload: return MembersView::tr("Re&load %1\u2026").arg(member);
    default: return MembersView::tr("Re&initialize %1\u2026").arg(member);
    }
}

} // namespace

QMenu *MembersView::memberMenu(const QString &name)
{
    if (!m_cluster || !m_whyNot)
        return nullptr;
    const auto found = std::find_if(m_cluster->members.begin(), m_cluster->members.end(),
                                    [&](const patroni::Member &m) { return text(m.record.name) == name; });
    if (found == m_cluster->members.end())
        return nullptr;
    auto *menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    using rules::ActionKind;
    for (const ActionKind kind : {ActionKind::Switchover, ActionKind::Failover, ActionKind::Restart, ActionKind::CancelRestart,
                                  ActionKind::Reload, ActionKind::Reinitialize}) {
        if (kind == ActionKind::CancelRestart && !found->record.scheduledRestart)
            continue;
        const QString ofCluster = m_whyNot(kind);
        const QString why = ofCluster.isEmpty() ? whyNotMember(*m_cluster, *found, kind) : ofCluster;
        QAction *action = menu->addAction(memberAction(kind, QString(name).replace(u'&', u"&&"_s)));
        action->setEnabled(why.isEmpty());
        action->setToolTip(why.isEmpty() ? explained(kind) : why);
        action->setStatusTip(action->toolTip());
        connect(action, &QAction::triggered, this, [this, kind, name] { Q_EMIT actionRequested(kind, name); });
    }
    menu->addSeparator();
    menu->addActions(actions()); // copying
    return menu;
}

void MembersView::openMenu(const QPoint &at)
{
    const QModelIndex row = indexAt(at);
    QMenu *menu = row.isValid() ? memberMenu(row.siblingAtColumn(MembersModel::Name).data(items::RawRole).toString()) : nullptr;
    if (!menu)
        return;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(viewport()->mapToGlobal(at));
}

void MembersView::showCluster(const patroni::Cluster &cluster, Now now)
{
    m_cluster = cluster;
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
    m_cluster.reset();
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
