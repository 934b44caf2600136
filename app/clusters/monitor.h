// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The running program's view of the world: one Connection per context feeding one ClusterStore and one ElectionStore, time passing,
// changes announced.
#include "app/clusters/connection.h"
#include "models/election/election_store.h"
#include "models/store/cluster_store.h"

#include <QObject>
#include <QTimer>

namespace switchyard {

// Of both stores, by time.
std::vector<Event> mergedEvents(const std::vector<Event> &ofClusters, const std::vector<Event> &ofElections);

class Monitor : public QObject
{
    Q_OBJECT
public:
    explicit Monitor(kube::Clock clock, QObject *parent = nullptr);
    ~Monitor() override;

    // namespaces: empty = the context's own; one entry "" = all namespaces.
    Connection *open(const kube::ContextConfig &config, const ConnectionOptions &options, kube::WatchTimes times = {});
    void close(const QString &context);
    std::vector<Connection *> connections() const;
    Connection *connection(const QString &context) const;

    // Clusters on screen or with a request of ours under way, of all contexts: see Connection::follow.
    void follow(const std::vector<patroni::ClusterKey> &clusters);

    // A replay has no connections: observations are fed by hand.
    void feed(const Observation &observation);
    void replay(const std::vector<Observation> &observations); // a whole recording, time passing between its lines, then up to now
    void startOver(); // everything that is known is forgotten, and nobody told: whoever shows it has to show all of it anew
    void advance();   // by the clock, and set the timer for the next deadline
    void tick();      // every second: notice that the machine slept or a clock was set; advance()

    const ClusterStore &store() const { return m_store; }
    const election::ElectionStore &elections() const { return m_elections; }
    std::vector<Event> events() const; // of both, by time
    Now now() const { return m_clock.now(); }

Q_SIGNALS:
    void changed(const switchyard::StoreChanges &changes); // at once, every change
    void electionsChanged(const switchyard::election::Changes &changes);
    void observed(const switchyard::Observation &observation); // before it is applied

private:
    void announce(const StoreChanges &changes);
    void announce(const election::Changes &changes);
    void wantNodes(const election::Changes &changes);
    void ask(const Probe &wanted, Now now);
    void schedule();
    void probe();
    void tellServer(const kube::ContextConfig &config);
    void followIn(Connection &connection) const;

    kube::Clock m_clock;
    ClusterStore m_store;
    election::ElectionStore m_elections;
    std::vector<std::unique_ptr<Connection>> m_connections;
    QTimer m_deadline;
    QTimer m_second;
    std::optional<Now> m_lastTick;
    std::vector<patroni::ClusterKey> m_followed;
    std::map<std::string, Boot> m_probing;                    // objects with a GET under way or lately done
    std::map<std::string, std::set<election::Key>> m_forLife; // by context: locks whose fate depends on Nodes
};

} // namespace switchyard
