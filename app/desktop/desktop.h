// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Composes the window: sources, monitor, models, pages, the write flow. Holds no rules and makes no requests of its own.
#include "app/clusters/rights_book.h"
#include "app/desktop/context_book.h"
#include "app/desktop/throttle.h"
#include "app/headless/selector.h"
#include "app/headless/tables.h"
#include "app/headless/time_spec.h"
#include "models/store/trails.h"
#include "views/main_window.h"

#include <QDateTime>
#include <QSize>

#include <memory>

namespace switchyard::simulator {
class Simulator;
}

namespace switchyard::desktop {

class ArchiveControl;
class Dossiers;
class LogQuotes;
class RecordControl;
class ReplayControl;
class WriteFlow;

struct DesktopOptions
{
    QString kubeconfig;
    QStringList contexts;   // empty: those of last time, else the current one
    QStringList namespaces; // empty: each context's own
    bool allNamespaces = false;
    kube::Overrides overrides;
    ConnectionOptions connection; // all but namespaces
    bool trustExec = false;
    QString trustFile;                   // which programs may run for credentials; empty: the user's own
    std::optional<QString> settingsFile; // nullopt: the user's own; empty: nothing is remembered
    bool demo = false;
    QString replayFile;
    std::optional<headless::TimeSpec> replayAt; // nullopt: its end
    bool readOnly = false;
    QString archive; // where it is kept what is seen; empty: in the user's folder of data
    bool noArchive = false;
    std::optional<std::chrono::hours> archiveKeep;
    std::optional<std::int64_t> archiveMost;
    QString screenshotFile; // empty: a window to work with
    views::Page page = views::Page::Fleet;
    QString picture; // of that page, by its code; empty: the first
    std::optional<headless::ClusterSelector> cluster;
    QSize size{1280, 720};
    std::chrono::milliseconds after{0}; // screenshot: how long to look first, after the first lists
};

class Desktop : public QObject
{
    Q_OBJECT
public:
    explicit Desktop(DesktopOptions options, QObject *parent = nullptr);
    ~Desktop() override;

    void start();
    views::MainWindow *window() { return m_window.get(); }
    Monitor *monitor() { return m_monitor.get(); }
    RightsBook *rights() { return m_rights.get(); }
    simulator::Simulator *simulator() { return m_simulator.get(); }
    ContextBook *book() { return m_book.get(); }
    QString auditPath() const;

private:
    void openSources();
    void openDemo();
    void openReplay();
    void forgetShown(); // the recording is played anew
    void openBook();
    void makeBook();
    void bookChanged();
    QString settingsFile() const;
    void wire();
    void refresh(const StoreChanges &changes);
    void showContexts();
    void wireRights();
    void showRights();
    void wirePictures();
    void wireElections();
    void refreshElections(const election::Changes &changes);
    void refreshPatroniLocks(const StoreChanges &changes); // they are elections, too
    void showAllElections();
    void saveFile(const QString &file, const QByteArray &bytes); // and say so
    QString mayNotAsk(const patroni::ClusterKey &key) const;     // why its members are not asked; empty: they are
    bool rightsAsked();
    void everySecond();
    void follow();
    void openCluster(const patroni::ClusterKey &key);
    void wireArchive();
    void wireElectionArchive();
    void showPastRenewals(const patroni::ClusterKey &key);
    void showCluster(const patroni::Cluster &cluster, Now now); // with what the archive remembers of it
    void wireAudit();
    void showAudit(); // reads the file anew
    void followAudit();
    Result<headless::KeyedTable> auditTable(bool wholeFile) const;
    void demoAction(views::DemoAction action, const patroni::ClusterKey &asked);
    // Screenshots
    void notice(const QString &text);
    void waitForPicture();
    bool listedOrFailed() const;
    void takePicture();
    void savePicture();

    DesktopOptions m_options;
    std::unique_ptr<simulator::Simulator> m_simulator;
    items::FleetModel m_fleet;
    items::EventsModel m_events;
    items::ContextsModel m_contexts;
    Trails m_trails;
    std::unique_ptr<Monitor> m_monitor;
    std::unique_ptr<RightsBook> m_rights;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ContextBook> m_book; // none for a recording
    std::unique_ptr<views::MainWindow> m_window;
    WriteFlow *m_flow = nullptr;
    ArchiveControl *m_archive = nullptr; // none of demos, recordings and pictures
    LogQuotes *m_logs = nullptr;
    Dossiers *m_dossiers = nullptr;
    ReplayControl *m_replay = nullptr; // whose clock counts while something is played
    RecordControl *m_record = nullptr;
    Throttle m_throttle;
    ElectionThrottle m_electionThrottle;
    std::map<patroni::ClusterKey, election::Key> m_patroniLocks; // as the page Elections shows them
    QTimer m_second;
    QTimer m_picture;
    std::optional<Boot> m_pictureSince; // when we began to wait for it
    int m_exitCode = 0;
    std::pair<qint64, QDateTime> m_auditRead{-1, {}}; // size and time of the audit file when it was read
    std::vector<patroni::ClusterKey> m_followed;      // as the monitor was told
    std::optional<Boot> m_pictureFrom;                // when everything had been listed
};

} // namespace switchyard::desktop
