// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What elections are read from beside the objects of clusters: Leases of each watched namespace, and Nodes where a lock needs them. What
// becomes of these watches touches nothing else: no cluster is stale and no context unwell for want of them.
//
//   asking where Leases are ──v1, v1beta1──► watching ──404: they are somewhere else now──► asking, after a while
//      │  ▲                └──nowhere──► told as NotSupported; asked again by and by
//      └──┴─no answer
#include "app/clusters/lease_discovery.h"
#include "app/kube/watch.h"

#include <QPointer>
#include <QTimer>

#include <map>

namespace switchyard {

class ElectionStreams : public QObject
{
    Q_OBJECT
public:
    ElectionStreams(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent = nullptr);
    ~ElectionStreams() override;
    void setNamespaces(const QStringList &namespaces); // before start(); "": all
    void start();
    void stop();
    void relist();
    void retryNow();
    // Nodes are watched as long as that is so, and permitted.
    void setNodesWanted(bool wanted);
    bool nodesWanted() const { return m_nodes != nullptr; }

    std::optional<LeaseHome> home() const { return m_home; } // nullopt: not known (yet)
    bool beta() const { return m_home == LeaseHome::V1Beta1; }
    kube::Watch *leases(const QString &ns) const; // which tells of that namespace; nullptr: none

Q_SIGNALS:
    void observed(const switchyard::Observation &observation); // a refusal once, until something else is heard

private:
    void discover();
    void onFound(const Result<LeaseHome> &home);
    void startWatches();
    void stopWatches();
    void onObserved(const Observation &observation);
    void onNodes(const Observation &observation);
    void askLater(const Error &error);
    void tell(const Observation &observation);
    void tellAll(const Error &error);

    QPointer<kube::Client> m_client;
    kube::Clock m_clock;
    kube::WatchTimes m_times;
    bool m_running = false, m_asking = false;
    int m_failures = 0;
    QTimer m_again;
    std::optional<LeaseHome> m_home;
    std::map<QString, std::unique_ptr<kube::Watch>> m_leases; // by namespace
    std::unique_ptr<kube::Watch> m_nodes;
    std::map<std::pair<Resource, std::string>, ErrorKind> m_refused; // told of a stream, nothing heard since
};

} // namespace switchyard
