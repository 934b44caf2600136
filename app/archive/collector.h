// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What of the store's news goes into the archive: each thing when it is new or says more than before. Pure.
#include "app/archive/records.h"
#include "models/election/election_store.h"
#include "models/store/cluster_store.h"

#include <functional>

namespace switchyard::archive {

class Collector
{
public:
    // The API server of a context.
    using Servers = std::function<ServerId(const std::string &context)>;
    explicit Collector(Servers servers);

    Records collect(const ClusterStore &store, const StoreChanges &changes, Now now);
    // Not of heartbeats and identities, of which there may be thousands.
    Records collect(const election::ElectionStore &store, const election::Changes &changes, Now now);
    // How a cluster is called in the archive. cluster: nullptr when it is not known at present.
    ClusterId identify(const patroni::ClusterKey &key, const patroni::Cluster *cluster) const;
    ClusterId identify(const election::Key &key) const; // not of Patroni's own, which is its cluster's

private:
    struct Minute
    {
        Boot renewal{};       // the last one that was counted
        RenewRecord counts{}; // of the minute that is under way
    };
    struct Past
    {
        std::map<std::string, patroni::Transition> transitions;
        std::map<std::string, patroni::RequestReport> requests;
        std::map<std::string, std::string> versions; // object -> the newest that was kept
        std::map<std::int64_t, patroni::HistoryEntry> timelines;
        std::string incarnation;
        std::optional<std::string> config;
        Minute minute;
    };
    void collectCluster(const patroni::Cluster &cluster, Now now, Records &to);
    static void addTransitions(const patroni::Cluster &cluster, const ClusterId &id, Past &past, Records &to);
    static void addRequests(const patroni::Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to);
    static void addSnapshots(const patroni::Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to);
    static void addTimelines(const patroni::Cluster &cluster, const ClusterId &id, Now now, Past &past, Records &to);
    template<class Samples>
    static void addRenewals(const Samples &samples, const ClusterId &id, Now now, Minute &minute, Records &to);

    Servers m_servers;
    std::map<patroni::ClusterKey, Past> m_past;
    std::map<election::Key, Minute> m_elections;
};

} // namespace switchyard::archive
