// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/client.h"

#include "app/kube/errand.h"
#include "app/kube/reply_error.h"
#include "app/kube/unauthorized.h"
#include "app/kube/watch.h"

namespace switchyard::kube {

using namespace Qt::StringLiterals;

struct Client::Impl
{
    Impl(Client *client, ContextConfig config, SharedParts parts)
        : q(client)
        , wire(std::move(config), std::move(parts))
    {}

    void run(Order order, QObject *context, Done done, Limit limit);
    void refuse(const Order &order, const QString &why, QObject *context, Done done);
    void lookUpServers();
    std::chrono::milliseconds limitOr(Limit limit) const { return limit.value_or(wire.requestTimeout().value_or(defaultLimit)); }

    Client *q;
    Wire wire;
};

void Client::Impl::run(Order order, QObject *context, Done done, Limit limit)
{
    lookUpServers();
    auto *errand = new Errand(&wire, std::move(order), context ? context : q, std::move(done), limitOr(limit), q);
    connect(errand, &Errand::answered, q, &Client::answered);
    errand->start();
}

// From the event loop, as all answers.
void Client::Impl::refuse(const Order &order, const QString &why, QObject *context, Done done)
{
    Error error{.kind = ErrorKind::Refused, .message = why.toStdString()};
    if (!order.rawPath.isEmpty())
        error.resource = order.rawPath.toStdString();
    error = addressed(error, order.verb, order.path);
    QTimer::singleShot(0, context ? context : q, [error, done = std::move(done)] {
        Response response;
        response.error = error;
        done(response);
    });
}

namespace {

RequestUse useOf(WriteVerb verb)
{
    switch (verb) {
    case WriteVerb::Create: return RequestUse::Create;
    case WriteVerb::Patch: return RequestUse::Patch;
    case WriteVerb::ProxyPost: return RequestUse::ProxyPost;
    case WriteVerb::ProxyPatch: return RequestUse::ProxyPatch;
    case WriteVerb::ProxyDelete: return RequestUse::ProxyDelete;
    }
    return RequestUse::Create;
}

// Of Kubernetes: what a Role must permit.
QString verbOf(WriteVerb verb)
{
    switch (verb) {
    case WriteVerb::Create:
    case WriteVerb::ProxyPost: return u"create"_s;
    case WriteVerb::Patch:
    case WriteVerb::ProxyPatch: return u"patch"_s;
    case WriteVerb::ProxyDelete: return u"delete"_s;
    }
    return u"create"_s;
}

} // namespace

// Where the API servers themselves are, when that is wanted and due: as said by one that is known.
void Client::Impl::lookUpServers()
{
    if (!wire.servers().beginLookup(systemClock().now().boot))
        return;
    const Path endpoints{.resource = Resource::Endpoints, .ns = u"default"_s, .name = u"kubernetes"_s};
    run({.use = RequestUse::Read, .verb = endpoints.verb(), .path = endpoints, .rawPath = {}, .query = {}, .body = {}}, q,
        [this](const Response &response) {
            if (response.ok())
                wire.servers().found(serversOf(response.body));
            else
                wire.servers().notFound(*response.error);
        },
        {});
}

QString Path::verb() const
{
    return name.isEmpty() ? u"list"_s : u"get"_s;
}

std::string Path::resourceText() const
{
    return std::string(code(resource)) + (proxy ? "/proxy" : log ? "/log" : "");
}

Client::Client(ContextConfig config, QObject *parent)
    : Client(std::move(config), SharedParts{}, parent)
{}

Client::Client(ContextConfig config, SharedParts parts, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Impl>(this, std::move(config), std::move(parts)))
{}

Client::~Client() = default;

const ContextConfig &Client::config() const
{
    return d->wire.config();
}

void Client::setConfig(ContextConfig config)
{
    d->wire.setConfig(std::move(config));
}

QUrl Client::url(const Path &path, const QUrlQuery &query) const
{
    return resourceUrl(d->wire.servers().current(), path, query);
}

void Client::get(const Path &path, const QUrlQuery &query, QObject *context, Done done, Limit limit)
{
    d->run({.use = RequestUse::Read, .verb = path.verb(), .path = path, .rawPath = {}, .query = query, .body = {}}, context,
           std::move(done), limit);
}

void Client::getRaw(const QString &absolutePath, QObject *context, Done done, Limit limit)
{
    d->run({.use = RequestUse::Read, .verb = u"get"_s, .path = {}, .rawPath = absolutePath, .query = {}, .body = {}}, context,
           std::move(done), limit);
}

void Client::ask(const QString &absolutePath, const QByteArray &body, QObject *context, Done done, Limit limit)
{
    Order order{.use = RequestUse::Ask, .verb = u"create"_s, .path = {}, .rawPath = absolutePath, .query = {}, .body = body};
    if (isReview(absolutePath))
        return d->run(std::move(order), context, std::move(done), limit);
    d->refuse(order, tr("only reviews of permissions and identity may be asked for"), context, std::move(done));
}

void Client::write(const Write &write, QObject *context, Done done, std::chrono::milliseconds limit)
{
    Order order{.use = useOf(write.verb), .verb = verbOf(write.verb), .path = write.path, .rawPath = {}, .query = {}, .body = write.body};
    if (write.dryRun)
        order.query.addQueryItem(u"dryRun"_s, u"All"_s);
    if (isCall(order.use) == write.path.proxy.has_value() && !(write.dryRun && write.path.proxy))
        return d->run(std::move(order), context, std::move(done), write.limit.value_or(limit));
    d->refuse(order, tr("a write goes to an object, or through the proxy of a Pod, which knows no dry run"), context, std::move(done));
}

void Client::podLog(const QString &ns, const QString &pod, QUrlQuery query, qint64 mostBytes, QObject *context, Done done, Limit limit)
{
    const Path path{.resource = Resource::Pods, .ns = ns, .name = pod, .log = true};
    query.removeAllQueryItems(u"limitBytes"_s);
    query.addQueryItem(u"limitBytes"_s, QString::number(mostBytes));
    d->run(
        {.use = RequestUse::Read, .verb = path.verb(), .path = path, .rawPath = {}, .query = query, .body = {}, .mostBytes = 2 * mostBytes},
        context, std::move(done), limit);
}

void Client::startWatch(const Path &path, const QUrlQuery &query, QObject *context, Started started)
{
    d->lookUpServers();
    if (d->wire.defect())
        return started(tl::unexpected(addressed(*d->wire.defect(), u"watch"_s, path)));
    const Order order{.use = RequestUse::Watch, .verb = u"watch"_s, .path = path, .rawPath = {}, .query = query, .body = {}};
    d->wire.material(context, [this, order, started = std::move(started)](const Result<Material> &material) {
        if (!material)
            return started(tl::unexpected(addressed(material.error(), order.verb, order.path)));
        const QString server = d->wire.servers().current();
        const Result<QNetworkReply *> reply = d->wire.send(order, server, *material);
        if (!reply)
            return started(tl::unexpected(addressed(reply.error(), order.verb, order.path)));
        started(Stream{*reply, material->generation, server});
    });
}

void Client::renewCredential(quint64 generation, const Error &error, QObject *context,
                             std::function<void(const std::optional<Error> &)> done)
{
    Material refused;
    refused.generation = generation;
    d->wire.renew(refused, error, context, [done = std::move(done)](const Result<Material> &material) {
        done(material ? std::nullopt : std::optional(material.error()));
    });
}

bool Client::leaveServer(const QString &server)
{
    d->wire.servers().failed(server);
    d->lookUpServers();
    return serverCount() > 1;
}

int Client::serverCount() const
{
    return static_cast<int>(d->wire.servers().inOrder().size());
}

Error Client::replyError(QNetworkReply *reply, const QByteArray &body, const QString &verb, const Path &path) const
{
    Error error = errorOfReply(reply, body, placeOf(reply));
    if (error.httpStatus == 401)
        error = notAccepted(error, config());
    return addressed(error, verb, path);
}

} // namespace switchyard::kube
