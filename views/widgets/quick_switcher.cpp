// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/quick_switcher.h"

#include "models/items/fleet_model.h"
#include "views/style/metrics.h"
#include "views/widgets/cell_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace switchyard::views {

using items::FleetModel;

QuickSwitcher::QuickSwitcher(QAbstractItemModel *words, QWidget *parent)
    : QDialog(parent)
    , m_proxy(new FilterProxy(this))
    , m_edit(new QLineEdit(this))
    , m_list(new QTableView(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Find cluster"));
    resize(640, 400);
    m_proxy->setSourceModel(words);
    m_proxy->sort(FleetModel::Health);
    m_edit->setPlaceholderText(tr("Part of a cluster, namespace, context or member name"));
    m_edit->setAccessibleName(tr("Find cluster"));
    m_list->setModel(m_proxy);
    m_list->setItemDelegate(new CellDelegate(m_list));
    for (const int column : {int(FleetModel::Context), int(FleetModel::Namespace), int(FleetModel::Scope), int(FleetModel::Leader)})
        m_list->setItemDelegateForColumn(column, new NameDelegate(m_list));
    m_list->setAccessibleName(tr("Clusters found"));
    styleTable(m_list);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->horizontalHeader()->setVisible(false);
    for (int column = 0; column < FleetModel::ColumnCount; ++column)
        m_list->setColumnHidden(column, column > FleetModel::Leader);
    m_list->horizontalHeader()->moveSection(FleetModel::Health, FleetModel::Leader);
    for (const int column : {int(FleetModel::Context), int(FleetModel::Namespace), int(FleetModel::Scope), int(FleetModel::Leader)})
        m_list->setColumnWidth(column, 105);
    m_list->horizontalHeader()->setStretchLastSection(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(grid, grid, grid, grid);
    layout->addWidget(m_edit);
    layout->addWidget(m_list);
    m_edit->installEventFilter(this);
    m_list->selectRow(0);
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_proxy->setWords(text);
        m_list->selectRow(0);
    });
    connect(m_edit, &QLineEdit::returnPressed, this, &QuickSwitcher::choose);
    connect(m_list, &QAbstractItemView::activated, this, &QuickSwitcher::choose);
}

bool QuickSwitcher::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : key == Qt::Key_PageDown ? 10 : key == Qt::Key_PageUp ? -10 : 0;
        if (step != 0 && m_proxy->rowCount() > 0) {
            m_list->selectRow(qBound(0, m_list->currentIndex().row() + step, m_proxy->rowCount() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void QuickSwitcher::choose()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid())
        return;
    const auto key = index.data(items::KeyRole).value<patroni::ClusterKey>();
    accept();
    Q_EMIT chosen(key);
}

} // namespace switchyard::views
