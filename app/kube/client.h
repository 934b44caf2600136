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

struct Path
{
    Resource resource{};
    QString ns;           // empty: all namespaces (list, watch)
    QString name;              // empty: the collection
    bool metadataOnly = false; // as PartialObjectMetadata: without data, subsets, spec and status
    QString verb() const;      // for messages
};

struct Response
{
    int status = 0; // HTTP status; 0: no answer
    QByteArray body;
    std::optional<Error> error;        // set unless 2xx and complete; for a write without an answer kind is OutcomeUnknown
    std::optional<Instant> serverDate; // Date header
    QString server;                    // the address that answered, or was tried last
    bool ok() const { return !error; }
};

enum class WriteVerb { Create, Patch }; // POST to the collection, PATCH (merge) of the object
struct Write
{
    WriteVerb verb{};
    Path path;
    QByteArray body; // JSON, exactly what is sent and audited
};

class CredentialSource;
class ServerList; // the API servers of one context, and which of them is good

// What the clients of one context have in common. What is missing is made for this client alone.
struct SharedParts
{
    std::shared_ptr<CredentialSource> credentials;
    std::shared_ptr<ServerList> servers;
};

class Client : public QObject
{
    Q_OBJECT
public:
    explicit Client(ContextConfig config, QObject *parent = nullptr);
    Client(ContextConfig config, SharedParts parts, QObject *parent = nullptr);
    ~Client() override;
    const ContextConfig &config() const;

    using Done = std::function<void(const Response &)>;
    // Called exactly once, from the event loop, unless `context` dies first.
    void get(const Path &path, const QUrlQuery &query, QObject *context, Done done,
             std::chrono::milliseconds limit = std::chrono::seconds(15));
    void getRaw(const QString &absolutePath, QObject *context, Done done,
                std::chrono::milliseconds limit = std::chrono::seconds(15)); // e.g. "/version"
    // POST of a question that changes nothing ("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"); only such paths.
    void ask(const QString &absolutePath, const QByteArray &body, QObject *context, Done done,
             std::chrono::milliseconds limit = std::chrono::seconds(15));
    void write(const Write &write, QObject *context, Done done, std::chrono::milliseconds limit = std::chrono::seconds(15));

    // For Watch only: starts a streaming GET. The caller owns the reply.
    QNetworkReply *startWatch(const Path &path, const QUrlQuery &query);
    // Turns the end of a reply into an Error for `verb` on `path`.
    Error replyError(QNetworkReply *reply, const QByteArray &body, const QString &verb, const Path &path) const;

    QUrl url(const Path &path, const QUrlQuery &query = {}) const;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
