// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The members table: words, shapes and alignment over the raw values of MembersModel.
#include "models/items/members_model.h"
#include "models/rules/action.h"
#include "views/style/colors.h"
#include "views/widgets/words_presenter.h"

#include <QTableView>

#include <functional>

class QMenu;

namespace switchyard::views {

class MembersPresenter : public WordsPresenter
{
    Q_OBJECT
public:
    explicit MembersPresenter(items::MembersModel *model, QObject *parent = nullptr);
    void setNow(Now now);
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const patroni::Member &member, const QModelIndex &source) const;
    QString lag(const QModelIndex &source) const;
    QString toolTip(const patroni::Member &member, const QModelIndex &source) const;
    bool glows(const QModelIndex &source) const;
    Tone toneAt(const patroni::Member &member, const QModelIndex &source) const;
    QString spoken(const patroni::Member &member, const QModelIndex &source) const;

    items::MembersModel *m_model;
    Now m_now;
};

class MembersView : public QTableView
{
    Q_OBJECT
public:
    explicit MembersView(QWidget *parent = nullptr);
    void showCluster(const patroni::Cluster &cluster, Now now);
    void tick(Now now);
    void clear();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // Why an action cannot be asked of the cluster; without it, the rows have no actions.
    void setWhyNot(std::function<QString(rules::ActionKind)> whyNot) { m_whyNot = std::move(whyNot); }
    QMenu *memberMenu(const QString &member); // nullptr: no such member. The caller deletes it

Q_SIGNALS:
    void actionRequested(switchyard::rules::ActionKind kind, const QString &member);

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void look();
    void fit();
    void openMenu(const QPoint &at);
    std::function<QString(rules::ActionKind)> m_whyNot;
    std::optional<patroni::Cluster> m_cluster;

    items::MembersModel m_model;
    MembersPresenter m_presenter;
    patroni::ClusterKey m_key;
    int m_rows = 0;
    bool m_fitting = false, m_sizedByHand = false;
};

} // namespace switchyard::views
