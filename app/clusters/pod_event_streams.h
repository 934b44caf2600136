// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// core/v1 Events about Pods, and those in which electors tell who leads, watched where that is permitted and nowhere else. What becomes
// of these watches touches nothing else: no cluster is stale and no context unwell for want of them.
#include "app/kube/watch.h"

#include <map>

namespace switchyard {

class PodEventStreams : public QObject
{
    Q_OBJECT
public:
    PodEventStreams(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent = nullptr);
    ~PodEventStreams() override;
    void start();
    void stop();
    void relist();
    void retryNow();
    void setElectors(bool wanted) { m_electors = wanted; } // before the first setPermitted()
    // May Events of the namespace be listed and watched? Not permitted is told once, as such.
    void setPermitted(const QString &ns, bool permitted);

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);

private:
    struct Pair
    {
        std::unique_ptr<kube::Watch> pods, electors;
        bool permitted() const { return pods != nullptr; }
    };
    std::unique_ptr<kube::Watch> make(const QString &ns, const QString &fields);
    template<class Do>
    void each(Do action);
    void tellRefused(const QString &ns);
    void tellOne(const Observation &observation);

    kube::Client *m_client;
    kube::Clock m_clock;
    kube::WatchTimes m_times;
    bool m_running = false, m_electors = false;
    std::map<QString, Pair> m_watches; // none: not permitted
};

} // namespace switchyard
