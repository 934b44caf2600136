// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One context: a client, its watches (Endpoints, ConfigMaps, Pods per namespace) and the confirming GETs of leader objects.
#include "app/kube/watch.h"

#include <memory>
#include <vector>

namespace switchyard {

class Connection : public QObject
{
    Q_OBJECT
public:
    Connection(const kube::ContextConfig &config, QStringList namespaces, kube::Clock clock, kube::WatchTimes times,
               QObject *parent = nullptr);
    ~Connection() override;

    QString context() const;
    QStringList namespaces() const; // "" = all
    bool insecure() const;          // insecure-skip-tls-verify: shown as a badge
    kube::Client *client() { return &m_client; }
    const kube::ContextConfig &config() const { return m_client.config(); }

    void start();
    void stop();
    void relist();
    // Reads one leader object by name, limit 5 s, and reports it as Confirmed or ProbeFailed. A newer version than `known`
    // means that the watch is dead: it is resumed.
    void probe(Resource resource, const QString &ns, const QString &name, const std::string &known);
    // Seconds until the next attempt of the stream that waits longest; nullopt when none waits.
    std::optional<std::chrono::milliseconds> retryIn() const;

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);
    void stateChanged();

private:
    kube::Watch *watchFor(Resource resource, const QString &ns) const;

    kube::Clock m_clock;
    kube::Client m_client;
    kube::Client m_probeClient; // own connections: never queued behind a list
    QStringList m_namespaces;
    std::vector<std::unique_ptr<kube::Watch>> m_watches;
};

} // namespace switchyard
