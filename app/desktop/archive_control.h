// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window's archive: what is seen goes into it, what it remembers of before comes back, its state is shown in the status bar.
#include "app/archive/archive.h"
#include "app/archive/archive_reads.h"
#include "app/archive/collector.h"
#include "app/archive/past.h"
#include "app/desktop/archive_elections.h"
#include "app/desktop/archive_servers.h"
#include "models/events/dossier.h"
#include "models/items/events_model.h"
#include "views/dialogs/archive_dialog.h"
#include "views/main_window.h"

#include <QDateTime>
#include <QToolButton>

namespace switchyard::desktop {

class ArchiveControl : public QObject
{
    Q_OBJECT
public:
    ArchiveControl(const archive::ArchiveOptions &options, Monitor *monitor, views::MainWindow *window, items::EventsModel *events,
                   QString auditPath, QObject *parent = nullptr);
    ~ArchiveControl() override;

    void start();
    const archive::Archive &archive() const { return m_archive; }
    // The cluster with the transitions that only the archive remembers; as it is until they were read.
    patroni::Cluster shown(const patroni::Cluster &cluster) const;
    void opened(const patroni::ClusterKey &key); // reads what is kept of it
    // When this run looked at a cluster first: what is kept of the time before is its past.
    using FirstLook = std::function<Instant(const patroni::ClusterKey &key)>;
    void setFirstLook(FirstLook firstLook) { m_firstLook = std::move(firstLook); }
    const archive::Past &past(const patroni::ClusterKey &key) const; // of an opened cluster
    void opened(const election::Key &key);
    const ArchiveElections &elections() const { return m_elections; }             // the past of the one that was opened last
    const std::vector<SeenObject> &objects(const patroni::ClusterKey &key) const; // the newest that are kept, credentials masked
    // Of an opened cluster, oldest first.
    std::vector<archive::NoteRecord> notes(const patroni::ClusterKey &key, const std::string &transition) const;
    void addNote(const patroni::ClusterKey &key, const std::string &transition, const QString &text);
    void openSearch();
    void import(const QString &location); // another archive's rows; what came of it is told

Q_SIGNALS:
    void remembered(const switchyard::patroni::ClusterKey &key); // all of these have more to say
    void renewed(const switchyard::patroni::ClusterKey &key);    // its past, of another minute
    void electionRemembered();

private:
    void collect(const StoreChanges &changes);
    void keep(archive::Records records);
    void askAgain();
    void showState();
    void readOlder();
    void copyAudit();
    void search(const QString &words, bool more);
    void offerImport();
    void askImport();
    void showNotes(const views::ArchiveHit &hit);

    struct Memory
    {
        std::vector<patroni::Transition> transitions;
        std::vector<archive::NoteRecord> notes;
        archive::Past past;
        std::vector<SeenObject> objects;
    };
    static Result<Memory> remember(archive::ArchiveReader &reader, const archive::ClusterId &id, const patroni::ClusterKey &key,
                                   Instant firstLook);
    Monitor *m_monitor;
    views::MainWindow *m_window;
    items::EventsModel *m_events;
    QString m_auditPath;
    ArchiveServers m_servers;
    archive::Collector m_collector;
    archive::Archive m_archive;
    archive::ArchiveReads m_reads;
    ArchiveElections m_elections;
    std::map<patroni::ClusterKey, Memory> m_memory;
    std::map<patroni::ClusterKey, archive::ClusterId> m_asked; // by which name each was asked for
    FirstLook m_firstLook;
    QToolButton *m_button;
    views::ArchiveDialog *m_dialog = nullptr;
    QString m_words; // what was searched for last
    std::optional<archive::Mark> m_next;
    QTimer m_second;
    std::pair<qint64, QDateTime> m_auditCopied{-1, {}};
    bool m_olderRead = false;
    archive::ArchiveState::Step m_step{};
};

} // namespace switchyard::desktop
