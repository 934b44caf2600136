// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Locks that are late at once, by API server. Contexts of one server are counted together, and a cluster that several of them show
// once: it is late when none of them saw it renewed in time.
#include "models/core/time.h"
#include "models/patroni/discovery.h"

#include <map>
#include <set>
#include <vector>

namespace switchyard {

class LateLocks
{
public:
    // Which server a context talks to; a context of which that is not known counts alone.
    void setServer(const std::string &context, const std::string &server);
    struct Sight
    {
        bool held = false, late = false;
        bool operator==(const Sight &) const = default;
    };
    // How the cluster's lock is seen now; not held: nobody has it, or nobody knows.
    void set(const patroni::ClusterKey &cluster, Sight sight);
    void forget(const std::string &context);
    struct News
    {
        std::vector<std::string> contexts; // of the server
        int late = 0, of = 0;
        std::optional<Duration> lasted; // nullopt: it begins
    };
    // Episodes that begin or end, each once. One whose locks are no longer seen neither goes on nor ends until they are seen again.
    std::vector<News> judge(Boot now);

private:
    struct Lock
    {
        int held = 0, late = 0; // in how many contexts
    };
    struct Server
    {
        std::set<std::string> contexts;
        std::map<patroni::ClusterKey, Lock> locks; // by keys without a context; only those that somebody holds
        int late = 0;
        std::optional<Boot> since; // of an episode
        int ofThen = 0;            // locks that were held when it began
        bool moved = false;
    };
    std::string serverOf(const std::string &context) const;
    void count(const patroni::ClusterKey &cluster, const Sight &before, const Sight &now);
    static std::optional<News> judge(Server &server, Boot now);

    std::map<std::string, std::string> m_told; // context -> server
    std::map<std::string, Server> m_servers;
    std::map<std::string, std::map<patroni::ClusterKey, Sight>> m_sights; // by context; only those that are held
};

} // namespace switchyard
