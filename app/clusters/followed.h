// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The failover objects of clusters that somebody looks at or waits for: each watched by its name, in both kinds, whatever the other
// watches leave out or miss. What they see is told aside.
#include "app/clusters/namespace_streams.h"

#include <map>

namespace switchyard {

class Followed : public QObject
{
    Q_OBJECT
public:
    Followed(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent = nullptr);
    void follow(const std::vector<NamedCluster> &clusters); // instead of those before
    void start();
    void stop();
    void relist();
    void retryNow();

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);

private:
    using Key = std::tuple<Resource, QString, QString>; // kind, namespace, name
    std::unique_ptr<kube::Watch> make(const Key &key);

    kube::Client *m_client;
    kube::Clock m_clock;
    kube::WatchTimes m_times;
    bool m_running = false;
    std::map<Key, std::unique_ptr<kube::Watch>> m_watches;
};

} // namespace switchyard
