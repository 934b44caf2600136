// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/late_locks.h"

#include "models/rules/episodes.h"

#include <utility>

namespace switchyard {

using patroni::ClusterKey;

// A space is in no address: a context's name is never taken for one.
static constexpr const char *alone = "context ";

std::string LateLocks::serverOf(const std::string &context) const
{
    const auto told = m_told.find(context);
    return told == m_told.end() || told->second.empty() ? alone + context : told->second;
}

void LateLocks::setServer(const std::string &context, const std::string &server)
{
    if (m_told.contains(context) && m_told.at(context) == server)
        return;
    const auto known = m_sights.find(context);
    const auto sights = known == m_sights.end() ? std::map<ClusterKey, Sight>{} : known->second;
    for (const auto &[key, sight] : sights)
        set(key, {});
    forget(context);
    m_told[context] = server;
    for (const auto &[key, sight] : sights)
        set(key, sight);
}

void LateLocks::set(const ClusterKey &cluster, Sight sight)
{
    if (!sight.held)
        sight.late = false;
    auto &sights = m_sights[cluster.context];
    const auto known = sights.find(cluster);
    const Sight before = known == sights.end() ? Sight{} : known->second;
    if (before == sight)
        return;
    if (!sight.held)
        sights.erase(known);
    else
        sights[cluster] = sight;
    count(cluster, before, sight);
}

void LateLocks::count(const ClusterKey &cluster, const Sight &before, const Sight &now)
{
    Server &server = m_servers[serverOf(cluster.context)];
    server.contexts.insert(cluster.context);
    server.moved = true;
    ClusterKey key = cluster;
    key.context.clear();
    Lock &lock = server.locks[key];
    const auto isLate = [&lock] { return lock.held > 0 && lock.late == lock.held ? 1 : 0; };
    server.late -= isLate();
    lock.held += static_cast<int>(now.held) - static_cast<int>(before.held);
    lock.late += static_cast<int>(now.late) - static_cast<int>(before.late);
    server.late += isLate();
    if (lock.held == 0)
        server.locks.erase(key);
}

void LateLocks::forget(const std::string &context)
{
    const auto known = m_sights.find(context);
    const auto sights = known == m_sights.end() ? std::map<ClusterKey, Sight>{} : std::exchange(known->second, {});
    for (const auto &[key, sight] : sights)
        count(key, sight, {});
    m_sights.erase(context);
    if (const auto server = m_servers.find(serverOf(context)); server != m_servers.end()) {
        server->second.contexts.erase(context);
        if (server->second.contexts.empty())
            m_servers.erase(server);
    }
    m_told.erase(context);
}

LateLocks::Sight LateLocks::sight(bool held, bool late, const std::optional<Boot> &ranOutAt, Boot now)
{
    if (ranOutAt && rules::isAbandoned(now - *ranOutAt))
        return {};
    return {held, held && late};
}

std::optional<Boot> LateLocks::nextSight(const std::optional<Boot> &ranOutAt, Boot now)
{
    const Duration tick(1);
    if (!ranOutAt || rules::isAbandoned(now - *ranOutAt))
        return std::nullopt;
    return *ranOutAt + rules::abandonedAfter + tick;
}

LateLocks::Together LateLocks::together(const std::string &name, const Server &server, int late, int of)
{
    const bool known = !name.starts_with(alone);
    return {known ? name : std::string(), {server.contexts.begin(), server.contexts.end()}, late, of};
}

std::optional<LateLocks::News> LateLocks::judge(const std::string &name, Server &server, Boot now)
{
    const int of = static_cast<int>(server.locks.size());
    const bool begins = !server.since && rules::manyLate(server.late, of);
    const bool ends = server.since && rules::manyLateIsOver(server.late, of, server.ofThen);
    if (rules::manyLate(server.late, of)) {
        server.lateSaid = server.late;
        server.ofSaid = of;
    }
    if (!begins && !ends)
        return std::nullopt;
    News news{together(name, server, server.late, of), {}};
    if (ends)
        news.lasted = now - *server.since;
    server.since = begins ? std::optional(now) : std::nullopt;
    server.ofThen = of;
    return news;
}

std::vector<LateLocks::News> LateLocks::judge(Boot now)
{
    std::vector<News> all;
    for (auto &[name, server] : m_servers) {
        if (!std::exchange(server.moved, false))
            continue;
        if (auto news = judge(name, server, now))
            all.push_back(std::move(*news));
    }
    return all;
}

std::vector<LateLocks::Together> LateLocks::underWay() const
{
    std::vector<Together> all;
    for (const auto &[name, server] : m_servers) {
        if (server.since)
            all.push_back(together(name, server, server.lateSaid, server.ofSaid));
    }
    return all;
}

} // namespace switchyard
