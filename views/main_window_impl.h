// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the window is made of; for main_window*.cpp only.
#include "views/main_window.h"
#include "views/widgets/quick_switcher.h"
#include "views/widgets/window_actions.h"
#include "views/words_actions.h"

#include <QMap>
#include <QPointer>

#include <set>

class QLabel;
class QSplitter;
class QStackedWidget;

namespace switchyard::views {

class Banner;
class ClusterPage;
class ContextBar;
class ElectionsPage;
class EventsPage;
class FleetPage;
class HistoryPage;
class PermissionsPage;
class SideTree;
class TopBar;

struct MainWindow::Impl
{
    Impl(MainWindow *window, items::FleetModel *fleetModel, items::EventsModel *eventsModel, items::ContextsModel *allContexts);
    void layOut();
    void connectActions();
    void connectPages();
    void connectCluster();
    void connectElections();
    void connectDemo();

    void choose(const patroni::ClusterKey &key); // the user wants it: open it and go to its page
    const patroni::Cluster *atHand() const;      // what the cluster menu is about
    void showTitle();
    void refreshActions();
    QString missingRight(const patroni::Cluster *c, rules::ActionKind kind) const; // which one is known to be missing for it; empty: none
    ActionGate gateOf(const patroni::Cluster *c) const;
    QString whyNot(const patroni::Cluster *c, rules::ActionKind kind) const;
    void ask(rules::ActionKind kind);
    void showMarks();  // of the open cluster's context
    void showRescue(); // clusters that are down because of a request
    void addForAll(QMenu *menu);
    QStringList notForAll(const std::vector<patroni::ClusterKey> &chosen, rules::ActionKind kind) const;
    void find();
    void exportData(ExportRequest::What what, QTableView *table = nullptr);
    QMap<int, QTableView *> recordTables() const;
    void contextMenu(const QPoint &at, const QList<QAction *> &copy);
    ExportRequest::What whatToExport() const;

    MainWindow *q;
    items::FleetModel *fleet;
    items::EventsModel *events;
    items::ContextsModel *contextsModel;
    WindowActions actions;
    TopBar *top;
    SideTree *side;
    QSplitter *splitter;
    QStackedWidget *stack;
    FleetPage *fleetPage;
    ClusterPage *clusterPage;
    HistoryPage *historyPage;
    EventsPage *eventsPage;
    ElectionsPage *electionsPage;
    AuditPage *auditPage;
    DossierPage *dossierPage;
    ContextsPage *contextsPage;
    PermissionsPage *permissionsPage;
    ReplayBar *replayBar;
    ContextBar *contexts;
    QLabel *zone;
    Page page = Page::Fleet;
    std::optional<patroni::ClusterKey> key;
    std::optional<patroni::Cluster> cluster; // as last seen; nullopt: not known (yet, or any more)
    std::vector<ContextStatus> contextStatus;
    Banner *rescue;
    std::set<patroni::ClusterKey> down; // clusters that wait for a rescue
    bool readOnly = false, replay = false;
    std::vector<items::ContextRights> rights;
    QPointer<QuickSwitcher> switcher;
};

} // namespace switchyard::views
