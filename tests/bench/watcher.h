// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Looks on while the window works: when bytes came, when their change was on the screen, how long the GUI thread was busy.
#include "app/desktop/desktop.h"
#include "models/items/fleet_model.h"

#include <QApplication>
#include <QTableView>

#include <atomic>
#include <map>
#include <set>
#include <thread>

namespace switchyard::bench {

using Nanoseconds = std::int64_t;
Nanoseconds steady();
Nanoseconds wallClock();
double cpuSeconds(); // of the whole process
long memoryKib(const char *field);

class Watcher;

// Every event of the GUI thread passes through here.
class Application : public QApplication
{
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override;
    Watcher *watcher = nullptr;
    Nanoseconds longest = 0; // time spent on one event

private:
    int m_depth = 0; // events are sent within events
};

struct Samples
{
    std::vector<double> milliseconds;
    double quantile(double q) const;
    QByteArray json() const; // count, p50, p95, p99, max
};

class Watcher : public QObject
{
    Q_OBJECT
public:
    Watcher(desktop::Desktop *desktop, int clusters);
    ~Watcher() override;

    void look(); // from now on: changes, paints, stalls
    void pause() { m_looking = false; }

    // From Application
    void bytesCame() { m_bytesAt = steady(); }
    void painted(QObject *receiver);
    void windowUpdated();

    bool complete() const { return m_complete; }
    QByteArray report() const;

Q_SIGNALS:
    void fleetComplete();

private:
    struct Pending
    {
        Nanoseconds bytesAt;
        std::optional<Instant> written;
        bool urgent;
    };
    void changed(const StoreChanges &changes);
    void applied(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles);
    void checkComplete();
    void record();
    std::set<patroni::ClusterKey> visible() const;
    void beat(); // a thread that asks the GUI thread for a sign of life

    desktop::Desktop *m_desktop;
    QTableView *m_table = nullptr;
    items::FleetModel *m_fleet = nullptr;
    int m_clusters;
    bool m_complete = false, m_looking = false, m_tablePainted = false;
    Nanoseconds m_bytesAt = 0, m_since = 0;
    std::map<patroni::ClusterKey, Pending> m_pending;
    std::set<patroni::ClusterKey> m_applied;
    Samples m_toPainted, m_leaderToPainted, m_writeToPainted, m_leaderWriteToPainted, m_answers;
    qint64 m_observations = 0, m_paints = 0;
    std::thread m_beat;
    std::atomic<bool> m_stop = false;
};

} // namespace switchyard::bench
