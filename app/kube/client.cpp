// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/client.h"

#include "app/kube/call.h"
#include "app/kube/reply_error.h"
#include "app/kube/request.h"
#include "app/kube/tls_material.h"
#include "app/kube/token.h"

#include <QNetworkAccessManager>
#include <QNetworkProxy>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr int watchesPerManager = 4; // Qt opens six connections to one host per manager; a seventh request would wait in silence

struct Lane
{
    std::unique_ptr<QNetworkAccessManager> manager;
    std::vector<QPointer<QNetworkReply>> watches;

    int running()
    {
        std::erase_if(watches, [](const QPointer<QNetworkReply> &w) { return !w || w->isFinished(); });
        return static_cast<int>(watches.size());
    }
};

} // namespace

struct Client::Impl
{
    explicit Impl(ContextConfig c)
        : config(std::move(c))
        , tls(tlsConfiguration(config))
        , tokens(config)
        , reads(manager())
        , writes(manager())
    {}

    ContextConfig config;
    QSslConfiguration tls;
    TokenSource tokens;
    std::unique_ptr<QNetworkAccessManager> reads, writes;
    std::vector<Lane> lanes;

    std::unique_ptr<QNetworkAccessManager> manager() const
    {
        auto made = std::make_unique<QNetworkAccessManager>();
        made->setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
        made->setAutoDeleteReplies(false);
        // A server on this machine is never behind a proxy; otherwise the system's settings hold.
        const QString host = QUrl(config.server).host();
        if (host == u"localhost"_s || QHostAddress(host).isLoopback())
            made->setProxy(QNetworkProxy::NoProxy);
        return made;
    }

    Lane &freeLane()
    {
        const auto it = std::find_if(lanes.begin(), lanes.end(), [](Lane &lane) { return lane.running() < watchesPerManager; });
        if (it != lanes.end())
            return *it;
        lanes.push_back(Lane{manager(), {}});
        return lanes.back();
    }

    QNetworkReply *track(QNetworkReply *reply) const
    {
        noteTlsErrors(reply);
        if (config.insecureSkipTlsVerify)
            reply->ignoreSslErrors();
        return reply;
    }
};

QString Path::verb() const
{
    return name.isEmpty() ? u"list"_s : u"get"_s;
}

Client::Client(ContextConfig config, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Impl>(std::move(config)))
{}

Client::~Client() = default;

const ContextConfig &Client::config() const
{
    return d->config;
}

QUrl Client::url(const Path &path, const QUrlQuery &query) const
{
    return resourceUrl(d->config.server, path, query);
}

namespace {

// Answers from the event loop, as if it had been asked.
void failLater(Error error, QObject *context, Client::Done done)
{
    QTimer::singleShot(0, context, [error = std::move(error), done = std::move(done)] {
        Response response;
        response.error = error;
        done(response);
    });
}

} // namespace

void Client::get(const Path &path, const QUrlQuery &query, QObject *context, Done done, std::chrono::milliseconds limit)
{
    QObject *const receiver = context ? context : this;
    const Result<QByteArray> token = d->tokens.token();
    if (!token)
        return failLater(addressed(token.error(), path.verb(), path), receiver, std::move(done));
    QNetworkReply *reply = d->track(d->reads->get(makeRequest(d->config, d->tls, url(path, query), *token, RequestUse::Read)));
    new Call(reply, {d->config.server, path.verb(), path}, nullptr, receiver, std::move(done), limit);
}

void Client::getRaw(const QString &absolutePath, QObject *context, Done done, std::chrono::milliseconds limit)
{
    QObject *const receiver = context ? context : this;
    const auto renamed = [absolutePath, done = std::move(done)](const Response &response) {
        Response named = response;
        if (named.error)
            named.error->resource = absolutePath.toStdString();
        done(named);
    };
    const Path nothing{.resource = {}, .ns = {}, .name = {}};
    const Result<QByteArray> token = d->tokens.token();
    if (!token)
        return failLater(addressed(token.error(), u"get"_s, nothing), receiver, renamed);
    const QUrl address = rawUrl(d->config.server, absolutePath);
    QNetworkReply *reply = d->track(d->reads->get(makeRequest(d->config, d->tls, address, *token, RequestUse::Read)));
    new Call(reply, {d->config.server, u"get"_s, nothing}, nullptr, receiver, renamed, limit);
}

void Client::write(const Write &write, QObject *context, Done done, std::chrono::milliseconds limit)
{
    QObject *const receiver = context ? context : this;
    const bool create = write.verb == WriteVerb::Create;
    const QString verb = create ? u"create"_s : u"patch"_s;
    const Result<QByteArray> token = d->tokens.token();
    if (!token)
        return failLater(addressed(token.error(), verb, write.path), receiver, std::move(done));
    Path target = write.path;
    if (create)
        target.name.clear();
    QNetworkRequest request = makeRequest(d->config, d->tls, url(target), *token, create ? RequestUse::Create : RequestUse::Patch);
    request.setHeader(QNetworkRequest::ContentLengthHeader, write.body.size());
    auto *body = new OnceDevice(write.body);
    QNetworkReply *reply = d->track(create ? d->writes->post(request, body) : d->writes->sendCustomRequest(request, "PATCH", body));
    body->setParent(reply);
    new Call(reply, {d->config.server, verb, write.path}, body, receiver, std::move(done), limit);
}

QNetworkReply *Client::startWatch(const Path &path, const QUrlQuery &query)
{
    // A list comes before each watch and reports a token file that cannot be read; here the server would answer 401.
    const QByteArray token = d->tokens.token().value_or(QByteArray());
    Lane &lane = d->freeLane();
    QNetworkReply *reply = d->track(lane.manager->get(makeRequest(d->config, d->tls, url(path, query), token, RequestUse::Watch)));
    lane.watches.push_back(reply);
    return reply;
}

Error Client::replyError(QNetworkReply *reply, const QByteArray &body, const QString &verb, const Path &path) const
{
    return addressed(errorOfReply(reply, body, d->config.server), verb, path);
}

} // namespace switchyard::kube
