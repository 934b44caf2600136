// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Everything that is watched in one namespace (or in all): Endpoints, ConfigMaps and Pods.
//
//   all listed ─► clusters with one scope label? ─► watches with that label as selector, a scan every minute of what it leaves out
//        ▲                                                                   │ something of interest is hidden
//        └───────────────────────── without selector ◄──────────────────────┘
// Of interest are the objects of clusters, and those that other leader elections hang on.
// Where there was no cluster, the scan that decides on a selector comes with the first one.
// Where list is forbidden, the objects of named clusters are read one by one (NamedPoller), and the list is tried again by and by.
#include "app/clusters/named_poller.h"
#include "app/kube/list_job.h"

#include <array>

namespace switchyard {

// A cluster named by the user: it is read object by object where lists are forbidden.
struct NamedCluster
{
    QString ns, scope;
    std::optional<QString> group;                                          // Citus
    QString base() const { return group ? scope + u'-' + *group : scope; } // stem of its objects' names
    bool operator==(const NamedCluster &) const = default;
};

class NamespaceStreams : public QObject
{
    Q_OBJECT
public:
    struct Setup
    {
        kube::Client *client = nullptr;
        QString ns;
        kube::Clock clock;
        kube::WatchTimes times;
        std::chrono::milliseconds namedEvery{5000}; // a round of the named clusters' objects
        std::vector<NamedCluster> named;            // those of this namespace
    };
    explicit NamespaceStreams(Setup setup, QObject *parent = nullptr);
    ~NamespaceStreams() override;

    void start();
    void stop();
    void relist();
    void retryNow();
    QString ns() const { return m_setup.ns; }
    kube::Watch *watch(Resource resource) const;
    std::vector<Resource> listedInstead() const;        // watch is forbidden, list is not
    std::string labelKey() const { return m_labelKey; } // of the selector in use; empty: none
    std::optional<std::chrono::milliseconds> retryIn() const;
    void scan();              // now: what does the selector leave out?
    void doWithoutSelector(); // from now on: single objects may not be read

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);
    void stateChanged();

private:
    struct Stream
    {
        std::unique_ptr<kube::Watch> watch;
        std::unique_ptr<NamedPoller> poller;
        std::optional<std::vector<KubeObject>> outlines; // of a whole list, until a selector was decided on
        std::vector<KubeObject> locks;                   // of those, the ones that other elections than Patroni's hang on
        bool unreadable = false;                         // refused: nothing of it can be hidden
    };
    void onObserved(Stream &stream, const Observation &observation);
    bool pollsInstead(Stream &stream, const Observation &observation);
    void learn(const Observation &observation);
    void learnMembers(const KubeObject &object);
    void choose();
    void use(const std::string &labelKey);
    void scanLater();
    void scanNext();
    void decide(const std::vector<const KubeObject *> &scannedObjects);
    void onScanned(const ObjectList &list);
    void onScanFailed(const Error &error);

    Setup m_setup;
    std::array<Stream, 3> m_streams;
    std::set<NamedPoller::Place> m_stateNames[2], m_memberNames; // of named clusters
    std::string m_labelKey;
    QTimer m_scanTimer;
    QPointer<kube::ListJob> m_scan;
    std::vector<KubeObject> m_scanned, m_scannedLocks;
    int m_scanStep = 0;
    int m_scanFailures = 0; // in a row
    bool m_mayNotGet = false;
};

} // namespace switchyard
