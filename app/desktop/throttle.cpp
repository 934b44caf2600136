// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/throttle.h"

#include <utility>

namespace switchyard::desktop {

namespace {

// The last word on something wins: it cannot be both changed and gone.
template<class Keys>
void gather(Keys &changed, Keys &removed, const Keys &changedNow, const Keys &removedNow)
{
    for (const auto &key : changedNow) {
        changed.insert(key);
        removed.erase(key);
    }
    for (const auto &key : removedNow) {
        removed.insert(key);
        changed.erase(key);
    }
}

} // namespace

Throttle::Throttle(std::chrono::milliseconds period, QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(period);
    connect(&m_timer, &QTimer::timeout, this, &Throttle::flush);
}

void Throttle::add(const StoreChanges &changes)
{
    gather(m_gathered.clusters, m_gathered.removed, changes.clusters, changes.removed);
    m_gathered.urgent.insert(changes.urgent.begin(), changes.urgent.end());
    m_gathered.contexts.insert(changes.contexts.begin(), changes.contexts.end());
    m_gathered.events.insert(m_gathered.events.end(), changes.events.begin(), changes.events.end());
    if (!changes.urgent.empty())
        flush();
    else if (!m_timer.isActive())
        m_timer.start();
}

void Throttle::flush()
{
    m_timer.stop();
    const StoreChanges gathered = std::exchange(m_gathered, {});
    if (!gathered.empty())
        Q_EMIT flushed(gathered);
}

ElectionThrottle::ElectionThrottle(std::chrono::milliseconds period, QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(period);
    connect(&m_timer, &QTimer::timeout, this, &ElectionThrottle::flush);
}

void ElectionThrottle::add(const election::Changes &changes)
{
    gather(m_gathered.elections, m_gathered.removed, changes.elections, changes.removed);
    m_gathered.sources = m_gathered.sources || changes.sources;
    m_gathered.events.insert(m_gathered.events.end(), changes.events.begin(), changes.events.end());
    if (!m_timer.isActive())
        m_timer.start();
}

void ElectionThrottle::flush()
{
    const election::Changes gathered = std::exchange(m_gathered, {});
    if (!gathered.empty())
        Q_EMIT flushed(gathered);
}

} // namespace switchyard::desktop
