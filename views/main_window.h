// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window: pages, side list, status bar, menus. Shows models, emits requests; knows no network and no rules.
#include "models/core/skew.h"
#include "models/items/contexts_model.h"
#include "models/items/events_model.h"
#include "models/items/fleet_model.h"
#include "models/items/permissions_model.h"
#include "models/rules/action.h"
#include "views/export_request.h"

#include <QMainWindow>

#include <memory>

class QDialog;
class QTableView;

namespace switchyard {
class Trails;
}

namespace switchyard::views {

// In the order of the top bar.
enum class Page { Fleet, Cluster, History, Events, Elections, Contexts, Permissions, Audit, Dossier };
constexpr int pageCount = 9;
// "fleet" "cluster" "history" "events" "elections" "contexts" "permissions" "audit" "dossier", as --page takes them
QString pageCode(Page page);
std::optional<Page> pageFromCode(const QString &code);
// Of the pictures "leaders" "renewals" "lag" "health"; nullopt: there is none of that name.
std::optional<Page> pageOfPicture(const QString &code);

// One context in the status bar and side list.
struct ContextStatus
{
    QString name;
    patroni::Freshness freshness = patroni::Freshness::Connecting;
    std::optional<Boot> lastContact, staleSince;
    std::optional<std::chrono::milliseconds> retryIn;
    QString error;         // one line; empty when live
    QString alias, colour; // shown instead of the name; code of the user's mark
    QStringList refused;   // each watch that may not be read: "namespace payments: list configmaps forbidden"
    std::optional<ClockSkew> skew;
    bool insecure = false;                      // certificate not checked: permanent badge
    bool readOnly = false, isProtected = false; // the user's own guards against writes
    QString server, user;
    QString state; // in words, where the freshness does not say it all: "unauthorized", "waiting for you"
    QString shown() const { return alias.isEmpty() ? name : alias; }
};

enum class DemoAction { CrashLeader, FreezeMember, ThawAll, StopApiServer, StartApiServer };

class AuditPage;
class ContextsPage;
class DossierPage;
class ElectionsPage;
class HistoryPage;
class ReplayBar;

class MainWindow : public QMainWindow
{
    Q_OBJECT
public:
    // Without a model of contexts that page is empty.
    MainWindow(items::FleetModel *fleet, items::EventsModel *events, items::ContextsModel *contexts = nullptr, QWidget *parent = nullptr);
    ~MainWindow() override;

    void setContexts(const std::vector<ContextStatus> &contexts, Now now);
    void setReadOnly(bool readOnly);
    void setDemo(bool demo);             // shows the Demo menu and a badge
    void setReplay(const QString &file); // shows a badge and the bar that plays it: times are the recording's
    ReplayBar *replayBar() const;
    void setRecording(const QString &text, const QString &explanation); // a badge; empty: nothing is recorded
    ContextsPage *contextsPage() const;
    AuditPage *auditPage() const;
    DossierPage *dossierPage() const;
    ElectionsPage *electionsPage() const;
    HistoryPage *historyPage() const;
    void openDossier(const QString &transition); // of the open cluster, by its name there; empty: the newest
    // What the accounts may do: the permissions page, and the buttons of clusters where a right is known to be missing.
    void setRights(const std::vector<items::ContextRights> &rights);
    QString markOf(const QString &context) const; // code of the user's colour; empty: none
    void setNotice(
        const QString &text); // what the empty fleet and contexts pages say: no kubeconfig, unreadable file ... and the next step
    // Every cluster that changed; the window keeps the open one's pages current.
    void clusterChanged(const patroni::Cluster &cluster, Now now);
    void clusterRemoved(const patroni::ClusterKey &key);
    void tick(Now now); // once a second: ages and countdowns

    void openCluster(const patroni::ClusterKey &key, const patroni::Cluster *cluster, Now now);
    void showPage(Page page);
    void showPicture(const QString &code); // and its page
    void setTrails(const Trails *trails);  // outlives the window
    Page currentPage() const;
    std::optional<patroni::ClusterKey> openedCluster() const;
    // What a member's own log says about the decision on a request (its id); secrets are masked already.
    // reason: the rule that refused it, where the lines name it.
    void setLogLines(const patroni::ClusterKey &key, const std::string &request, const std::string &member, const QStringList &lines,
                     std::optional<patroni::Refusal> reason = {});
    void exportTable(QTableView *table); // asks what of it, and into which file
    // Non-modal, copyable; deletes itself when closed.
    QDialog *showMessage(const QString &title, const QString &text, const QString &detail);

Q_SIGNALS:
    void clusterOpened(const switchyard::patroni::ClusterKey &key); // the user chose it; the program answers with openCluster()
    // Something is wanted of a cluster: nothing is decided yet. member: it was asked of its row; empty: none.
    void actionRequested(const switchyard::patroni::ClusterKey &key, switchyard::rules::ActionKind kind, const QString &member);
    // Pause, resume or reload, of several clusters at once.
    void actionForAllRequested(const std::vector<switchyard::patroni::ClusterKey> &keys, switchyard::rules::ActionKind kind);
    void pageShown(switchyard::views::Page page);
    void relistRequested();
    void recordRequested();                                       // start it, or stop it
    void saveRequested(const QString &file, const QString &text); // a Role
    void pictureRequested(const QString &file, const QByteArray &bytes);
    void exportRequested(const switchyard::views::ExportRequest &request);
    void demoActionRequested(switchyard::views::DemoAction action, const switchyard::patroni::ClusterKey &key);

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
