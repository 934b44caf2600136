// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps of what it sees, and shows again.
#include "app/desktop/archive_control.h"
#include "app/desktop/desktop.h"
#include "app/desktop/dossiers.h"
#include "views/pages/elections/election_detail.h"
#include "views/pages/elections_page.h"
#include "views/pages/history_page.h"

namespace switchyard::desktop {

// The demo's clusters are nobody's, a recording was kept by somebody else, and a picture leaves nothing behind.
void Desktop::wireArchive()
{
    const bool forgets = m_options.settingsFile && m_options.settingsFile->isEmpty() && m_options.archive.isEmpty();
    if (m_options.noArchive || m_options.demo || !m_options.replayFile.isEmpty() || !m_options.screenshotFile.isEmpty() || forgets)
        return;
    archive::ArchiveOptions options;
    options.location = m_options.archive.isEmpty() ? archive::Archive::standardPath() : m_options.archive;
    options.keep = m_options.archiveKeep.value_or(options.keep);
    options.most = m_options.archiveMost.value_or(options.most);
    m_archive = new ArchiveControl(options, m_monitor.get(), m_window.get(), &m_events, auditPath(), this);
    connect(m_archive, &ArchiveControl::remembered, this, [this](const patroni::ClusterKey &key) {
        if (const patroni::Cluster *cluster = m_monitor->store().find(key))
            showCluster(*cluster, m_monitor->now());
        const archive::Past &past = m_archive->past(key);
        m_window->historyPage()->setPast(key, past.events, past.lookedSince, past.timelines);
        showPastRenewals(key);
    });
    connect(m_archive, &ArchiveControl::renewed, this, &Desktop::showPastRenewals);
    wireElectionArchive();
    m_archive->setFirstLook([this](const patroni::ClusterKey &key) {
        const Now now = m_monitor->now();
        const ClusterTrail *trail = m_trails.find(key);
        return trail && trail->lookedSince ? now.toWall(*trail->lookedSince) : now.wall;
    });
    m_dossiers->setRemember([this](const patroni::Cluster &cluster) {
        const patroni::ClusterKey &key = cluster.names.key;
        return Dossiers::Remembered{m_archive->shown(cluster), m_archive->past(key).events, m_archive->objects(key)};
    });
    m_dossiers->setNotes([this](const patroni::ClusterKey &key, const std::string &transition) {
        std::vector<DossierNote> notes;
        for (const archive::NoteRecord &note : m_archive->notes(key, transition))
            notes.push_back({note.at, note.author, note.text});
        return notes;
    });
    m_archive->start();
}

void Desktop::showPastRenewals(const patroni::ClusterKey &key)
{
    const auto &renewals = m_archive->past(key).renewals;
    m_window->historyPage()->setPastRenewals(key, {renewals.begin(), renewals.end()});
}

void Desktop::wireElectionArchive()
{
    views::ElectionsPage *page = m_window->electionsPage();
    connect(page, &views::ElectionsPage::shownInDetail, m_archive, [this](const election::Key &key) { m_archive->opened(key); });
    connect(m_archive, &ArchiveControl::electionRemembered, page, [this, page] {
        const archive::ElectionPast &past = m_archive->elections().past();
        std::map<std::size_t, QStringList> notes;
        for (const auto &[place, all] : past.notes)
            for (const archive::NoteRecord &note : all)
                notes[place] << tr("note of %1: %2").arg(QString::fromStdString(note.author), QString::fromStdString(note.text));
        page->setPast(m_archive->elections().key(), {past.changes, notes, {past.renewals.begin(), past.renewals.end()}});
    });
}

void Desktop::showCluster(const patroni::Cluster &cluster, Now now)
{
    if (m_archive && m_window->openedCluster() == cluster.names.key)
        m_window->clusterChanged(m_archive->shown(cluster), now);
    else
        m_window->clusterChanged(cluster, now);
}

} // namespace switchyard::desktop
