// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ctrl+K: type a part of a name, Enter opens the cluster.
#include "views/widgets/filter_proxy.h"

#include "models/patroni/cluster.h"

#include <QDialog>
#include <QLineEdit>
#include <QTableView>

namespace switchyard::views {

class QuickSwitcher : public QDialog
{
    Q_OBJECT
public:
    QuickSwitcher(QAbstractItemModel *words, QWidget *parent = nullptr); // words: a FleetWords

Q_SIGNALS:
    void chosen(const switchyard::patroni::ClusterKey &key);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose();

    FilterProxy *m_proxy;
    QLineEdit *m_edit;
    QTableView *m_list;
};

} // namespace switchyard::views
