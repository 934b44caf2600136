// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that makes HTTP requests to an API server. HTTP/1.1 only, no redirects, own time limits; lists and GETs on one
// manager, each watch on managers of their own, writes on a third and sent exactly once.
#include "app/kube/kubeconfig.h"
#include "models/core/object.h"

#include <QObject>
#include <QUrl>
#include <QUrlQuery>

#include <chrono>
#include <functional>
#include <memory>

class QNetworkReply;

namespace switchyard::kube {

// A Pod's own HTTP server, reached through the API server.
struct PodProxy
{
    bool tls = false;
    int port = 8008;
    QString path; // "/patroni", from the root of that server
    bool operator==(const PodProxy &) const = default;
};

struct Path
{
    Resource resource{};
    QString ns;                      // empty: all namespaces (list, watch)
    QString name;                    // empty: the collection
    bool metadataOnly = false;       // as PartialObjectMetadata: without data, subsets, spec and status
    std::optional<PodProxy> proxy{}; // of the Pod `name`
    bool log = false;                // what the Pod `name` has written
    bool leasesBeta = false;         // Leases of coordination.k8s.io/v1beta1, where a server has only those
    bool leadsToPod() const { return proxy.has_value() || log; }
    std::string resourceText() const; // "pods/proxy"
    QString verb() const;             // for messages
};

struct Response
{
    int status = 0; // HTTP status; 0: no answer
    QByteArray body;
    // Set unless 2xx and complete; for a write without an answer kind is OutcomeUnknown. Through a Pod's proxy any answer of the Pod itself
    // is one without an error, whatever its status: errors are the API server's, and answers that did not come or that broke off.
    std::optional<Error> error;
    std::optional<Instant> serverDate;             // Date header
    std::chrono::milliseconds headAfter{}, took{}; // until the head of the answer came, until its end; of the last try
    QString server;                                // the address that answered, or was tried last
    bool connected = true;                         // of no answer: false when no connection came about at all
    bool ok() const { return !error; }
};

// POST to the collection, PATCH (merge) of the object; POST, PATCH, DELETE to a Pod's own server
enum class WriteVerb { Create, Patch, ProxyPost, ProxyPatch, ProxyDelete };
struct Write
{
    WriteVerb verb{};
    Path path;
    QByteArray body;                                  // JSON, exactly what is sent and audited
    bool dryRun = false;                              // dryRun=All: the API server checks all and stores nothing; objects only
    std::optional<std::chrono::milliseconds> limit{}; // of a call that is known to take its time; else as given to write()
};

class CredentialSource;
class ServerList; // the API servers of one context, and which of them is good

// What the clients of one context have in common. What is missing is made for this client alone.
struct SharedParts
{
    std::shared_ptr<CredentialSource> credentials;
    std::shared_ptr<ServerList> servers;
    std::optional<std::chrono::milliseconds> requestTimeout; // in place of defaultLimit
};

class Client : public QObject
{
    Q_OBJECT
public:
    explicit Client(ContextConfig config, QObject *parent = nullptr);
    Client(ContextConfig config, SharedParts parts, QObject *parent = nullptr);
    ~Client() override;
    const ContextConfig &config() const;
    void setConfig(ContextConfig config); // of the same identity

    static constexpr std::chrono::milliseconds defaultLimit{15000};

    // Called exactly once, from the event loop, unless `context` dies first. The limit is split over the API servers, the next one
    // being tried when one does not answer; reads are also repeated when the server is busy (429, 500, 503, 504), and once with
    // another credential after 401. `limit`: without it defaultLimit.
    using Done = std::function<void(const Response &)>;
    using Limit = std::optional<std::chrono::milliseconds>;
    void get(const Path &path, const QUrlQuery &query, QObject *context, Done done, Limit limit = {});
    void getRaw(const QString &absolutePath, QObject *context, Done done, Limit limit = {}); // e.g. "/version"
    // What a container of the Pod has written, as `query` says (container, sinceTime ...), as it is; never more than `mostBytes`.
    void podLog(const QString &ns, const QString &pod, QUrlQuery query, qint64 mostBytes, QObject *context, Done done, Limit limit = {});
    // POST of a question that changes nothing ("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"); only such paths.
    void ask(const QString &absolutePath, const QByteArray &body, QObject *context, Done done, Limit limit = {});
    // Never sent twice: on to the next API server only while the connection has not taken one byte of it.
    void write(const Write &write, QObject *context, Done done, std::chrono::milliseconds limit = defaultLimit);

    // For WatchStream only: starts a streaming GET, at once when the credential is known. The receiver owns the reply, which the
    // client ends, as retired(), when its identity is no longer ours.
    struct Stream
    {
        QNetworkReply *reply = nullptr;
        quint64 generation = 0; // of the credential
        QString server;
    };
    using Started = std::function<void(const Result<Stream> &)>;
    void startWatch(const Path &path, const QUrlQuery &query, QObject *context, Started started);
    // A stream was answered 401. `done` gets nothing when there is another credential to start with, else what to tell.
    void renewCredential(quint64 generation, const Error &error, QObject *context, std::function<void(const std::optional<Error> &)> done);
    // A stream got no answer. True when there is another API server to go to.
    bool leaveServer(const QString &server);
    int serverCount() const;
    // Turns the end of a reply into an Error for `verb` on `path`.
    Error replyError(QNetworkReply *reply, const QByteArray &body, const QString &verb, const Path &path) const;

    QUrl url(const Path &path, const QUrlQuery &query = {}) const;

Q_SIGNALS:
    void answered(const switchyard::kube::Response &response); // each answer with a status, of all requests but watches

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
