// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads the objects of named clusters one by one, where lists are forbidden: one kind of object in one namespace (or all of them).
//
//   round: a GET for each name ──all answered (404: not there)──► one list of just these names ─► wait `every`
//                              └──one failed──► the loss, whole ─► wait longer each time
#include "app/kube/watch.h"

#include <QPointer>
#include <QTimer>

#include <set>
#include <tuple>

namespace switchyard {

class NamedPoller : public QObject
{
    Q_OBJECT
public:
    struct Place // of one object
    {
        QString ns, name;
        bool operator<(const Place &other) const { return std::tie(ns, name) < std::tie(other.ns, other.name); }
    };
    // ns: of the stream that the objects belong to; empty: all namespaces.
    NamedPoller(kube::Client *client, Resource resource, QString ns, kube::Clock clock, kube::WatchTimes times, QObject *parent = nullptr);

    void setPlaces(const std::set<Place> &places); // none: nothing is read and nothing told
    void start();                                  // a round, now
    void stop();
    bool running() const { return m_running; }
    std::optional<std::chrono::milliseconds> retryIn() const; // while waiting after a failure

Q_SIGNALS:
    void observed(const switchyard::Observation &observation);

private:
    void round();
    void onAnswer(const Place &place, const kube::Response &response);
    void finish();
    void fail(const Error &error);
    void tell(decltype(Observation::what) what);

    QPointer<kube::Client> m_client;
    Resource m_resource;
    QString m_ns;
    kube::Clock m_clock;
    kube::WatchTimes m_times;
    std::set<Place> m_places, m_asked;
    std::vector<KubeObject> m_found;
    std::optional<Error> m_error; // first of the round
    Boot m_askedAt{};             // when the round began
    std::size_t m_open = 0;       // answers of the round that are still to come
    quint64 m_round = 0;          // guards those of an earlier one
    int m_failures = 0;
    bool m_running = false;
    QTimer m_timer;
};

} // namespace switchyard
