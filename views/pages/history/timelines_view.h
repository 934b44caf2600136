// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline table: words over the raw values of HistoryModel.
#include "models/items/history_model.h"
#include "views/widgets/words_presenter.h"

#include <QTableView>

#include <set>

namespace switchyard::views {

class HistoryPresenter : public WordsPresenter
{
    Q_OBJECT
public:
    explicit HistoryPresenter(items::HistoryModel *model, QObject *parent = nullptr);
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void setArchived(std::set<std::int64_t> timelines) { m_archived = std::move(timelines); }

private:
    QString cell(const QModelIndex &source) const;
    QString toolTip(const QModelIndex &source) const;

    items::HistoryModel *m_model;
    std::set<std::int64_t> m_archived; // timelines that only an archive tells of
};

class TimelinesView : public QTableView
{
    Q_OBJECT
public:
    explicit TimelinesView(QWidget *parent = nullptr);
    // Before showCluster(): which of its timelines only an archive tells of.
    void setArchived(std::set<std::int64_t> timelines) { m_presenter.setArchived(std::move(timelines)); }
    void showCluster(const patroni::Cluster &cluster, Now now);
    void tick(Now now);
    void clear();
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void look();
    void fit();

    items::HistoryModel m_model;
    HistoryPresenter m_presenter;
    QString m_empty;
    bool m_fitted = false;
};

} // namespace switchyard::views
