// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All clusters in one table, worst first.
#include "models/items/fleet_model.h"
#include "views/main_window.h"
#include "views/widgets/filter_box.h"
#include "views/widgets/filter_proxy.h"
#include "views/widgets/fleet_words.h"

#include <QStackedWidget>
#include <QTableView>

#include <array>

class QLabel;
class QToolButton;

namespace switchyard {
class Trails;
}

namespace switchyard::views {

class Banner;
class EmptyState;
class HealthPane;
class Sentence;

class FleetPage : public QWidget
{
    Q_OBJECT
public:
    explicit FleetPage(items::FleetModel *fleet, QWidget *parent = nullptr);
    void setNotice(const QString &text);
    void setContexts(const std::vector<ContextStatus> &contexts);
    void focusTable();
    void setPlace(const QString &context, const QString &ns);
    void tick(Now now);
    void focusFilter();
    const patroni::Cluster *selected() const;
    std::vector<patroni::ClusterKey> selectedKeys() const; // in the table's order
    std::vector<patroni::ClusterKey> shown() const;
    bool filtered() const { return m_proxy->filters(); }
    FleetWords *words() const { return m_words; }
    QTableView *table() const { return m_table; }
    void setTrails(const Trails *trails); // of what the health was; outlives the page
    void showHealth(bool over);           // over time, instead of the table

Q_SIGNALS:
    void opened(const switchyard::patroni::ClusterKey &key);
    void selectionChanged();
    void menuRequested(const QPoint &globalPos, const QList<QAction *> &copyActions);
    void pictureRequested(const QString &file, const QByteArray &bytes);

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildTable();
    void describe();
    void describeEmpty();
    void buildHealth();
    void refreshHealth();
    void showPlace();
    void fitColumns();
    void fade();
    void measureAllAgain() { m_unmeasured.fill(true); }
    bool measure(bool anew); // true: a column needs more room than before
    bool oneContext() const;
    int idealWidth(int column, bool anew) const;
    int headerWidth(int column) const;
    void openCurrent();

    items::FleetModel *m_fleet;
    FleetWords *m_words;
    FilterProxy *m_proxy;
    Sentence *m_sentence;
    Banner *m_notices, *m_refused;
    FilterBox *m_filter;
    QToolButton *m_place;
    QLabel *m_count;
    QStackedWidget *m_stack;
    QTableView *m_table;
    EmptyState *m_empty;
    HealthPane *m_health;
    QToolButton *m_overTime;
    QString m_notice, m_refusedText;
    std::map<QString, QString> m_aliases; // of contexts
    QString m_placeContext, m_placeNs;
    std::vector<ContextStatus> m_silent; // contexts that are not live: they may hold any number of clusters
    QTimer m_later;
    bool m_fitting = false, m_resizedByUser = false;
    int m_fittedRows = -1;
    QFont m_fittedFont;
    std::array<int, items::FleetModel::ColumnCount> m_ideal{};
    std::array<bool, items::FleetModel::ColumnCount> m_unmeasured{}; // something in these columns changed
    QString m_contexts;                                              // " Context staging is stale."; empty: all answer
};

} // namespace switchyard::views
