// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which members an action is for: a table with a box to tick in each row, kept true while the cluster changes.
#include "models/patroni/cluster.h"

#include <QTableWidget>

#include <functional>
#include <set>

namespace switchyard::views {

class MemberPicker : public QTableWidget
{
    Q_OBJECT
public:
    enum Column { Name, Role, State, Version, Remark, ColumnCount };
    // one: ticking a member unticks the others.
    explicit MemberPicker(bool one, QWidget *parent = nullptr);
    // Why a member cannot be ticked; empty: it can.
    void setWhyNot(std::function<QString(const patroni::Cluster &, const patroni::Member &)> whyNot) { m_whyNot = std::move(whyNot); }
    void show(const patroni::Cluster &cluster, Now now);
    std::vector<std::string> chosen() const; // in the cluster's order; members that are gone are not among them
    void choose(const std::vector<std::string> &members);
    void chooseAll();
    QSize sizeHint() const override;

Q_SIGNALS:
    void choiceChanged();

private:
    void put(int row, int column, const QString &text, const QString &toolTip = {});
    void ticked(QTableWidgetItem *item);

    bool m_one, m_filling = false;
    std::function<QString(const patroni::Cluster &, const patroni::Member &)> m_whyNot;
    std::set<std::string> m_chosen;
};

} // namespace switchyard::views
