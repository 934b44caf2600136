// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Locks that are late at once, by API server: the one rule for the events that say so and the banner that shows it. Contexts of one server
// are counted together, and a lock that several of them show once: it is late when none of them saw it renewed in time.
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
    // How a lock counts. late: its renewal is late, or it ran out (ranOutAt). What ran out long ago was abandoned, and says nothing of the
    // API server now: it is not counted at all.
    static Sight sight(bool held, bool late, const std::optional<Boot> &ranOutAt, Boot now);
    // When that changes by itself; nullopt: not any more.
    static std::optional<Boot> nextSight(const std::optional<Boot> &ranOutAt, Boot now);
    // How the cluster's lock is seen now; not held: nobody has it, or nobody knows.
    void set(const patroni::ClusterKey &cluster, Sight sight);
    void forget(const std::string &context);
    // An episode.
    struct Together
    {
        std::string server;                // its address; empty: not known
        std::vector<std::string> contexts; // of the server
        int late = 0, of = 0;
        bool operator==(const Together &) const = default;
    };
    struct News : Together
    {
        std::optional<Duration> lasted; // nullopt: it begins
    };
    // Episodes that begin or end, each once. One whose locks are no longer seen neither goes on nor ends until they are seen again.
    std::vector<News> judge(Boot now);
    // Those that go on, as they were judged last; with the last numbers that were many.
    std::vector<Together> underWay() const;

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
        std::optional<Boot> since;    // of an episode
        int ofThen = 0;               // locks that were held when it began
        int lateSaid = 0, ofSaid = 0; // the last numbers that were many
        bool moved = false;
    };
    static Together together(const std::string &name, const Server &server, int late, int of);
    std::string serverOf(const std::string &context) const;
    void count(const patroni::ClusterKey &cluster, const Sight &before, const Sight &now);
    static std::optional<News> judge(const std::string &name, Server &server, Boot now);

    std::map<std::string, std::string> m_told; // context -> server
    std::map<std::string, Server> m_servers;
    std::map<std::string, std::map<patroni::ClusterKey, Sight>> m_sights; // by context; only those that are held
};

} // namespace switchyard
