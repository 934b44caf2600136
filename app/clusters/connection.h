// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One context: a client, its watches (Endpoints, ConfigMaps, Pods per namespace) and the confirming GETs of leader objects.
#include "app/clusters/election_streams.h"
#include "app/clusters/followed.h"
#include "app/clusters/pod_event_streams.h"
#include "app/clusters/server_facts.h"
#include "app/kube/credentials.h"
#include "app/kube/server_list.h"
#include "models/core/skew.h"

#include <memory>
#include <vector>

namespace switchyard {

// How one context is watched, beside what the kubeconfig says.
struct ConnectionOptions
{
    // NOLINTNEXTLINE(google-explicit-constructor): most callers have nothing but namespaces to say
    ConnectionOptions(QStringList namespaces_ = {})
        : namespaces(std::move(namespaces_))
    {}
    QStringList namespaces;          // empty: the context's own; one entry "": all
    QStringList apiServers;          // by hand, beside the kubeconfig's server: https://host:port
    bool bypassApiService = false;   // also those of Endpoints default/kubernetes
    std::vector<NamedCluster> named; // polled where list is forbidden; their namespaces are watched as well
    // Lists at this interval instead of watches (at least 1 s). Between two lists nothing is heard and nothing is asked: a lock whose
    // time runs out then stays unverified until the next one. Named clusters are polled at this interval too, else every 5 s.
    std::optional<std::chrono::milliseconds> poll;
    std::optional<std::chrono::milliseconds> requestTimeout; // kubectl's --request-timeout
    std::shared_ptr<kube::ExecPool> execPool;                // nullptr: exec plugins are refused
    bool elections = true;                                   // Leases are watched, too
    bool operator==(const ConnectionOptions &) const = default;
};

class Connection : public QObject
{
    Q_OBJECT
public:
    Connection(const kube::ContextConfig &config, ConnectionOptions options, kube::Clock clock, kube::WatchTimes times,
               QObject *parent = nullptr);
    ~Connection() override;

    QString context() const;
    QStringList namespaces() const; // "" = all
    bool insecure() const;          // insecure-skip-tls-verify: shown as a badge
    kube::Client *client() { return &m_client; }
    const kube::ContextConfig &config() const { return m_client.config(); }
    const ConnectionOptions &options() const { return m_options; }

    // The kubeconfig was written anew. True: taken over, requests go on with the new credential. False: another identity or server,
    // the context has to be closed and opened again.
    bool update(const kube::ContextConfig &config);

    std::optional<ClockSkew> skew() const;                    // of the API server's clock; nullopt: not known yet
    std::optional<std::chrono::milliseconds> latency() const; // of the last small answer
    QString serverVersion() const;                            // "v1.31.2"; empty: not known (yet)
    QString server() const;                                   // the address in use; there may be several
    QString notice() const; // what was turned off and why (bypass API service, watches: refused ...); mostly empty

    // Clusters on screen or with a request of ours under way: their failover object is watched by name, in both kinds. Instead of
    // those of the last call.
    void follow(const std::vector<NamedCluster> &clusters);

    // May Events of a watched namespace be read? They are watched from then on, or not any more.
    void setEventsPermitted(const QString &ns, bool permitted) { m_podEvents.setPermitted(ns, permitted); }

    // A lock is there whose fate depends on the state of a Node.
    void setNodesWanted(bool wanted) { m_elections.setNodesWanted(wanted); }
    bool nodesWanted() const { return m_elections.nodesWanted(); }

    void start();
    void stop();
    void relist();
    void restored(); // the server's data was put back to an earlier time
    void retryNow(); // what waits for rights or a credential does not wait any longer
    // Reads one leader object or Lease by name, within WatchTimes::probeLimit, and reports it as Confirmed or ProbeFailed. A newer version
    // than `known` means that the watch is dead: it is resumed. Empty: the watch need not tell of it.
    // whole: a ConfigMap with its data; the object found is told as seen aside.
    void probe(Resource resource, const QString &ns, const QString &name, const std::string &known, bool whole = false);
    // Seconds until the next attempt of the stream that waits longest; nullopt when none waits.
    std::optional<std::chrono::milliseconds> retryIn() const;

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);
    void stateChanged();

private:
    void addStreams(const QString &ns, const kube::WatchTimes &times);
    NamespaceStreams *streamsFor(const QString &ns) const;
    kube::Watch *watchOf(Resource resource, const QString &ns) const;
    void seenAside(Observation observation, const KubeObject &object);
    void seenOutside(NamespaceStreams &streams, const Observation &observation, const KubeObject &object);

    kube::Clock m_clock;
    std::chrono::milliseconds m_probeLimit;
    ConnectionOptions m_options;
    kube::SharedParts m_parts;
    kube::Client m_client;
    kube::Client m_probeClient; // own connections: never queued behind a list
    ServerFacts m_facts;
    QStringList m_namespaces;
    std::vector<std::unique_ptr<NamespaceStreams>> m_streams;
    Followed m_followed;
    PodEventStreams m_podEvents;
    ElectionStreams m_elections;
};

} // namespace switchyard
