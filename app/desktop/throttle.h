// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Gathers the store's changes and hands them on at most every 50 ms: a trailing throttle, started only when idle, so that a steady
// stream of events cannot starve the window. A changed leader, lock state or request outcome goes through at once.
#include "models/election/election_store.h"
#include "models/store/cluster_store.h"

#include <QObject>
#include <QTimer>

namespace switchyard::desktop {

class Throttle : public QObject
{
    Q_OBJECT
public:
    explicit Throttle(std::chrono::milliseconds period = std::chrono::milliseconds(50), QObject *parent = nullptr);
    void add(const StoreChanges &changes);
    void forget() { m_gathered = {}; } // what was gathered is not true any more

Q_SIGNALS:
    void flushed(const switchyard::StoreChanges &gathered);

private:
    void flush();

    QTimer m_timer;
    StoreChanges m_gathered;
};

// The same for elections: nothing of theirs is urgent.
class ElectionThrottle : public QObject
{
    Q_OBJECT
public:
    explicit ElectionThrottle(std::chrono::milliseconds period = std::chrono::milliseconds(50), QObject *parent = nullptr);
    void add(const election::Changes &changes);
    void forget() { m_gathered = {}; }

Q_SIGNALS:
    void flushed(const switchyard::election::Changes &gathered);

private:
    void flush();

    QTimer m_timer;
    election::Changes m_gathered;
};

} // namespace switchyard::desktop
