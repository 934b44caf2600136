// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Connection to a MadeApi, the store it feeds, and all that it observed.
#include "app/clusters/connection.h"
#include "models/store/cluster_store.h"
#include "tests/kube/made_cluster.h"

namespace switchyard::test {

class Connected
{
public:
    explicit Connected(ConnectionOptions options_ = {QStringList{QStringLiteral("db")}})
        : options(std::move(options_))
    {
        options.elections = false; // watches and requests are counted
        times.backoffMin = std::chrono::milliseconds(10);
        times.backoffMax = std::chrono::milliseconds(40);
        times.refusedMin = std::chrono::milliseconds(60000);
        times.refusedMax = std::chrono::milliseconds(300000);
        times.shortestPoll = std::chrono::milliseconds(50);
        acme.create();
    }
    void open()
    {
        connection = std::make_unique<Connection>(api.server.config(), options, kube::Clock{[this] { return now; }}, times);
        QObject::connect(connection.get(), &Connection::observed, connection.get(), [this](const Observation &o) {
            seen.push_back(o);
            store.apply(o);
        });
        connection->start();
    }
    bool live() const
    {
        const auto contexts = store.contexts();
        return !contexts.empty() && contexts.front().streams.size() >= 3 && contexts.front().freshness == patroni::Freshness::Live;
    }
    StreamState stream(Resource resource) const
    {
        for (const ContextState &context : store.contexts()) {
            for (const StreamState &s : context.streams) {
                if (s.resource == resource)
                    return s;
            }
        }
        return {};
    }
    const patroni::Cluster *cluster(const std::string &scope = "acme") const
    {
        for (const patroni::Cluster *c : store.clusters()) {
            if (c->names.key.scope == scope)
                return c;
        }
        return nullptr;
    }
    int requests(const QString &part, bool watch) const // whose path ends so
    {
        int n = 0;
        for (const Request &r : api.server.requests())
            n += r.path().endsWith(part) && r.isWatch() == watch ? 1 : 0;
        return n;
    }
    bool watches(const QString &line) const { return api.openWatches().contains(line); }

    Now now{Boot(std::chrono::hours(5)), *parseInstant("2031-02-01T06:00:00Z")};
    MadeApi api{FakeApiServer::Mode::Http};
    MadeCluster acme{&api, &now, QStringLiteral("endpoints"), QStringLiteral("db"), QStringLiteral("acme")};
    ConnectionOptions options;
    kube::WatchTimes times;
    ClusterStore store;
    std::vector<Observation> seen;
    std::unique_ptr<Connection> connection;
};

} // namespace switchyard::test
