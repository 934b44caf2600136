// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Kubernetes API over the object store: routes, permissions, lists in pages, watches, and the few writes it allows.
#include "app/simulator/http_server.h"
#include "app/simulator/pod_call.h"
#include "app/simulator/simulator.h"
#include "app/simulator/watch_hub.h"

#include <deque>
#include <optional>

namespace switchyard::simulator {

class ApiServer : public QObject
{
    Q_OBJECT
public:
    ApiServer(ObjectStore &store, QByteArray token, std::function<SimTime()> clock, QObject *parent = nullptr);
    HttpServer &http() { return m_http; }
    WatchHub &watches() { return m_watches; }
    // Called after a client changed an object.
    void setWritten(std::function<void(Kind, const std::string &ns, const std::string &name)> written) { m_written = std::move(written); }
    // Who answers for the Pods: their own HTTP servers, and what they log (since, with time stamps).
    using Called = std::function<void(const std::string &ns, const std::string &pod, const PodCall &, const PodDone &)>;
    using Log = std::function<std::string(const std::string &ns, const std::string &pod, SimTime since, bool stamped)>;
    void setPods(Called called, Log log)
    {
        m_called = std::move(called);
        m_log = std::move(log);
    }
    void setLogOutage(int times) { m_logOutage = times; }
    // "patch endpoints payments", "create pods/proxy payments": not permitted, and reviews say so. Can change while clients are connected.
    void setDenied(std::vector<std::string> rules) { m_denied = std::move(rules); }
    void setLeases(LeaseService version) { m_leases = version; }

private:
    struct Route
    {
        Kind kind{};
        std::string ns, name;
        bool collection() const { return name.empty(); }
    };
    struct PodRoute
    {
        std::string ns, pod;
        bool log = false, tls = false;
        int port = 0;
        QString path;
    };
    struct Page
    {
        quint64 id;
        std::int64_t version;
        std::vector<Object> objects;
    };

    void handle(const HttpRequest &request, HttpConnection *connection);
    std::optional<Route> route(const QString &path) const;
    std::optional<Answer> coordination(const QString &path) const; // what there is of that group
    void get(const HttpRequest &request, const Route &route, HttpConnection *connection);
    Answer list(const HttpRequest &request, const Selection &selection);
    void reply(HttpConnection *connection, const Answer &answer);

    // api_pods.cpp
    static std::optional<PodRoute> podRoute(const QString &path);
    std::optional<Answer> podRefusal(const HttpRequest &request, const PodRoute &route) const;
    void handlePod(const HttpRequest &request, const PodRoute &route, HttpConnection *connection);
    void readLog(const HttpRequest &request, const PodRoute &route, HttpConnection *connection);

    // api_writes.cpp
    Answer create(const HttpRequest &request, const Route &route);
    Answer patch(const HttpRequest &request, const Route &route);
    Answer accessReview(const HttpRequest &request) const;
    bool denied(const std::string &verb, Kind kind, const std::string &ns) const;
    std::optional<Answer> refusal(const HttpRequest &request, const Route &route) const;

    ObjectStore &m_store;
    QByteArray m_token;
    std::vector<std::string> m_denied;
    LeaseService m_leases = LeaseService::V1;
    std::function<SimTime()> m_clock;
    std::function<void(Kind, const std::string &, const std::string &)> m_written;
    Called m_called;
    Log m_log;
    int m_logOutage = 0;
    WatchHub m_watches;
    std::deque<Page> m_pages; // snapshots that continue tokens refer to
    quint64 m_lastPage = 0;
    HttpServer m_http;
};

Selection selectionOf(const HttpRequest &request, Kind kind, const std::string &ns);

} // namespace switchyard::simulator
