// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/followed.h"

#include "app/kube/retire.h"

namespace switchyard {

using namespace Qt::StringLiterals;

Followed::Followed(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clock(std::move(clock))
    , m_times(times)
{}

std::unique_ptr<kube::Watch> Followed::make(const Key &key)
{
    const auto &[resource, ns, name] = key;
    auto watch = std::make_unique<kube::Watch>(m_client, resource, ns, m_clock, m_times);
    watch->setScope({.labelKey = {}, .name = name, .metadataOnly = true});
    connect(watch.get(), &kube::Watch::observed, this, &Followed::observed);
    if (m_running)
        watch->start();
    return watch;
}

void Followed::follow(const std::vector<NamedCluster> &clusters)
{
    std::map<Key, std::unique_ptr<kube::Watch>> next;
    for (const NamedCluster &cluster : clusters) {
        for (const Resource resource : {Resource::Endpoints, Resource::ConfigMaps}) {
            const Key key{resource, cluster.ns, cluster.base() + u"-failover"_s};
            if (next.contains(key))
                continue;
            const auto known = m_watches.find(key);
            next.emplace(key, known != m_watches.end() ? std::move(known->second) : make(key));
        }
    }
    for (auto &[key, watch] : m_watches)
        kube::retire(watch, this);
    m_watches = std::move(next);
}

void Followed::start()
{
    m_running = true;
    for (const auto &[key, watch] : m_watches)
        watch->start();
}

void Followed::stop()
{
    m_running = false;
    for (const auto &[key, watch] : m_watches)
        watch->stop();
}

void Followed::relist()
{
    for (const auto &[key, watch] : m_watches)
        watch->relist();
}

void Followed::retryNow()
{
    for (const auto &[key, watch] : m_watches)
        watch->retryNow();
}

} // namespace switchyard
