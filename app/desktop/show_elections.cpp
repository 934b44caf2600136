// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Elections: from the monitor to their page, which is kept current while it is looked at, and made anew when it is turned to.
#include "app/desktop/archive_elections.h"
#include "app/desktop/desktop.h"

#include "views/pages/elections_page.h"

#include <algorithm>

namespace switchyard::desktop {

using election::Election;

namespace {

std::optional<Election> wholeElection(const Monitor &monitor, const election::Key &key)
{
    if (key.family != election::Family::Patroni) {
        const Election *found = monitor.elections().find(key);
        return found ? std::optional(*found) : std::nullopt;
    }
    const patroni::Cluster *cluster = clusterOf(monitor.store(), key);
    return cluster ? std::optional(election::fromCluster(*cluster)) : std::nullopt;
}

std::vector<const Election *> pointers(const std::vector<Election> &all)
{
    std::vector<const Election *> result;
    std::transform(all.begin(), all.end(), std::back_inserter(result), [](const Election &e) { return &e; });
    return result;
}

} // namespace

void Desktop::wireElections()
{
    connect(m_monitor.get(), &Monitor::electionsChanged, &m_electionThrottle, &ElectionThrottle::add);
    connect(&m_electionThrottle, &ElectionThrottle::flushed, this, &Desktop::refreshElections);
    m_window->electionsPage()->setLookup([this](const election::Key &key) { return wholeElection(*m_monitor, key); });
    connect(m_window.get(), &views::MainWindow::pageShown, this, [this](views::Page page) {
        if (page == views::Page::Elections)
            showAllElections();
    });
}

namespace {

void showLateTogether(const Monitor &monitor, views::ElectionsPage *page)
{
    page->setLateTogether(monitor.store().lateTogether(), monitor.elections().lateTogether());
}

} // namespace

void Desktop::refreshElections(const election::Changes &changes)
{
    m_events.append(changes.events);
    if (m_window->currentPage() != views::Page::Elections)
        return;
    const election::ElectionStore &store = m_monitor->elections();
    std::vector<const Election *> changed;
    for (const election::Key &key : changes.elections)
        if (const Election *e = store.find(key))
            changed.push_back(e);
    m_window->electionsPage()->update(changed, {changes.removed.begin(), changes.removed.end()}, m_monitor->now());
    if (changes.sources)
        m_window->electionsPage()->setSources(store.sources());
    showLateTogether(*m_monitor, m_window->electionsPage());
}

void Desktop::refreshPatroniLocks(const StoreChanges &changes)
{
    if (m_window->currentPage() != views::Page::Elections)
        return;
    std::vector<Election> changed;
    std::vector<election::Key> removed;
    for (const patroni::ClusterKey &key : changes.clusters) {
        const patroni::Cluster *cluster = m_monitor->store().find(key);
        if (!cluster)
            continue;
        changed.push_back(election::fromCluster(*cluster));
        m_patroniLocks[key] = changed.back().key;
    }
    for (const patroni::ClusterKey &key : changes.removed) {
        if (const auto at = m_patroniLocks.find(key); at != m_patroniLocks.end()) {
            removed.push_back(at->second);
            m_patroniLocks.erase(at);
        }
    }
    m_window->electionsPage()->update(pointers(changed), removed, m_monitor->now());
    showLateTogether(*m_monitor, m_window->electionsPage());
}

void Desktop::showAllElections()
{
    std::vector<Election> locks;
    m_patroniLocks.clear();
    for (const patroni::Cluster *cluster : m_monitor->store().clusters()) {
        locks.push_back(election::fromCluster(*cluster));
        m_patroniLocks[cluster->names.key] = locks.back().key;
    }
    std::vector<const Election *> all = m_monitor->elections().elections();
    const auto own = pointers(locks);
    all.insert(all.end(), own.begin(), own.end());
    m_window->electionsPage()->updateAll(all, m_monitor->now());
    m_window->electionsPage()->setSources(m_monitor->elections().sources());
    showLateTogether(*m_monitor, m_window->electionsPage());
}

} // namespace switchyard::desktop
