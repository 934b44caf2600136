// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/api_server.h"

#include <QStringList>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::simulator {

namespace {

constexpr std::size_t pagesKept = 16;

Answer notFound()
{
    return {404, statusBody(404, "NotFound", "the server could not find the requested resource", Json::object())};
}

QDateTime toDateTime(SimTime time)
{
    return QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count(), Qt::UTC);
}

// Items of a list carry no kind and apiVersion of their own.
Json listItem(const Object &object)
{
    Json item = *object;
    item.erase("kind");
    item.erase("apiVersion");
    return item;
}

Answer versionAnswer()
{
    return {200, {{"major", "1"}, {"minor", "32"}, {"gitVersion", "v1.32.4+simulated"}, {"platform", "linux/amd64"}}};
}

} // namespace

Selection selectionOf(const HttpRequest &request, Kind kind, const std::string &ns)
{
    Selection selection{kind, ns, {}, {}, {}, {}};
    const QString field = request.param(u"fieldSelector"_s);
    if (field.startsWith("metadata.name="_L1))
        selection.name = field.section(u'=', -1).toStdString();
    else if (field.startsWith("reason="_L1))
        selection.reason = field.section(u'=', -1).toStdString();
    else if (field.startsWith("involvedObject.kind="_L1))
        selection.involved = field.section(u'=', -1).toStdString();
    const QStringList labels = request.param(u"labelSelector"_s).split(u',', Qt::SkipEmptyParts);
    for (const QString &label : labels) {
        const auto value = label.contains(u'=') ? std::optional(label.section(u'=', -1).toStdString()) : std::nullopt;
        selection.labels.emplace_back(label.section(u'=', 0, 0).toStdString(), value);
    }
    return selection;
}

ApiServer::ApiServer(ObjectStore &store, QByteArray token, std::function<SimTime()> clock, QObject *parent)
    : QObject(parent)
    , m_store(store)
    , m_token(std::move(token))
    , m_clock(std::move(clock))
    , m_watches(store)
    , m_http([this](const HttpRequest &request, HttpConnection *connection) { handle(request, connection); },
             [this] { return toDateTime(m_clock()); })
{
    store.setListener([this](const StoreEvent &event) { m_watches.publish(event); });
}

std::optional<ApiServer::Route> ApiServer::route(const QString &path) const
{
    QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    const bool core = parts.size() > 2 && parts[0] == "api"_L1 && parts[1] == "v1"_L1;
    const auto version = m_leases == LeaseService::V1 ? "v1"_L1 : "v1beta1"_L1;
    const bool coordination = parts.size() > 3 && parts[0] == "apis"_L1 && parts[1] == "coordination.k8s.io"_L1 && parts[2] == version;
    if (!core && (!coordination || m_leases == LeaseService::None))
        return std::nullopt;
    parts = parts.mid(core ? 2 : 3);
    Route route;
    if (core && parts[0] == "namespaces"_L1 && parts.size() <= 2) {
        route.kind = Kind::Namespaces;
        route.name = parts.value(1).toStdString();
        return route;
    }
    if (core && parts[0] == "nodes"_L1 && parts.size() <= 2) {
        route.kind = Kind::Nodes;
        route.name = parts.value(1).toStdString();
        return route;
    }
    if (parts[0] == "namespaces"_L1) {
        route.ns = parts[1].toStdString();
        parts = parts.mid(2);
    }
    if (parts.isEmpty() || parts.size() > 2 || (parts.size() == 2 && route.ns.empty()))
        return std::nullopt;
    for (const Kind kind : {Kind::Endpoints, Kind::ConfigMaps, Kind::Pods, Kind::Leases, Kind::Events}) {
        if (parts[0] != QLatin1StringView(kindInfo(kind).plural) || (kind == Kind::Leases) != coordination)
            continue;
        route.kind = kind;
        route.name = parts.value(1).toStdString();
        return route;
    }
    return std::nullopt;
}

// Newer servers offer another kind under v1beta1 again.
std::optional<Answer> ApiServer::coordination(const QString &path) const
{
    const bool beta = path == "/apis/coordination.k8s.io/v1beta1"_L1;
    if (!beta && path != "/apis/coordination.k8s.io/v1"_L1)
        return std::nullopt;
    if (!beta && m_leases != LeaseService::V1)
        return notFound();
    const char *resource = beta && m_leases != LeaseService::V1Beta1 ? "leasecandidates" : "leases";
    return Answer{200,
                  {{"kind", "APIResourceList"},
                   {"apiVersion", "v1"},
                   {"groupVersion", beta ? "coordination.k8s.io/v1beta1" : "coordination.k8s.io/v1"},
                   {"resources", Json::array({{{"name", resource}, {"namespaced", true}}})}}};
}

void ApiServer::reply(HttpConnection *connection, const Answer &answer)
{
    connection->respond(answer.code, QByteArray::fromStdString(answer.body.dump(-1, ' ', false, Json::error_handler_t::replace)) + '\n');
}

void ApiServer::handle(const HttpRequest &request, HttpConnection *connection)
{
    if (request.headers.value("authorization") != "Bearer " + m_token) {
        reply(connection, {401, statusBody(401, "Unauthorized", "Unauthorized")});
        return;
    }
    if (request.path == "/version"_L1 && request.method == "GET") {
        reply(connection, versionAnswer());
        return;
    }
    if (request.path.endsWith("/selfsubjectaccessreviews"_L1) && request.method == "POST") {
        reply(connection, accessReview(request));
        return;
    }
    if (request.path.endsWith("/selfsubjectreviews"_L1) && request.method == "POST") {
        reply(connection, {201, {{"kind", "SelfSubjectReview"}, {"status", {{"userInfo", {{"username", "demo"}}}}}}});
        return;
    }
    if (const std::optional<Answer> group = coordination(request.path); group && request.method == "GET")
        return reply(connection, *group);
    if (const std::optional<PodRoute> pod = podRoute(request.path))
        return handlePod(request, *pod, connection);
    const std::optional<Route> target = route(request.path);
    const std::optional<Answer> refused = target ? refusal(request, *target) : std::nullopt;
    if (!target)
        reply(connection, notFound());
    else if (refused)
        reply(connection, *refused);
    else if (request.method == "GET")
        get(request, *target, connection);
    else if (request.method == "POST" && target->collection())
        reply(connection, create(request, *target));
    else if (request.method == "PATCH" && !target->collection())
        reply(connection, patch(request, *target));
    else
        reply(
            connection,
            {405, statusBody(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", Json::object())});
}

void ApiServer::get(const HttpRequest &request, const Route &target, HttpConnection *connection)
{
    if (!target.collection()) {
        const Object object = m_store.find(target.kind, target.ns, target.name);
        if (object) {
            reply(connection, {200, *object});
            return;
        }
        const std::string plural = kindInfo(target.kind).plural;
        reply(connection,
              {404, statusBody(404, "NotFound", plural + " \"" + target.name + "\" not found", {{"name", target.name}, {"kind", plural}})});
        return;
    }
    const Selection selection = selectionOf(request, target.kind, target.ns);
    const QString watch = request.param(u"watch"_s);
    if (watch != "true"_L1 && watch != "1"_L1) {
        reply(connection, list(request, selection));
        return;
    }
    const QString version = request.param(u"resourceVersion"_s);
    bool isNumber = true;
    const qint64 number = version.isEmpty() ? 0 : version.toLongLong(&isNumber);
    if (!isNumber || number < 0)
        reply(connection, {400, statusBody(400, "BadRequest", "resourceVersion: Invalid value")});
    else if (number > m_store.version())
        reply(connection,
              {504,
               statusBody(504, "Timeout",
                          "Too large resource version: " + std::to_string(number) + ", current: " + std::to_string(m_store.version()),
                          {{"causes", Json::array({{{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}}})},
                           {"retryAfterSeconds", 1}})});
    else
        m_watches.open(connection, selection, version, request.param(u"allowWatchBookmarks"_s) == "true"_L1,
                       request.param(u"timeoutSeconds"_s).toInt());
}

// Pages come from a snapshot taken with the first one; a token whose snapshot is gone has expired.
Answer ApiServer::list(const HttpRequest &request, const Selection &selection)
{
    Page page{++m_lastPage, m_store.version(), {}};
    std::size_t offset = 0;
    if (const QString token = request.param(u"continue"_s); !token.isEmpty()) {
        const QStringList parts = QString::fromLatin1(QByteArray::fromBase64(token.toLatin1(), QByteArray::Base64UrlEncoding)).split(u':');
        const auto found = std::find_if(m_pages.begin(), m_pages.end(), [&](const Page &p) { return p.id == parts[0].toULongLong(); });
        if (found == m_pages.end())
            return {410, statusBody(410, "Expired", "The provided continue parameter is too old to display a consistent list result.")};
        page = *found;
        offset = std::min<std::size_t>(parts.value(1).toULongLong(), page.objects.size());
    } else {
        for (const Object &object : m_store.list(selection.kind, selection.ns))
            if (selection.matches(object->at("metadata").value("namespace", std::string()), *object))
                page.objects.push_back(object);
    }
    const std::size_t limit = request.param(u"limit"_s).toULongLong();
    const std::size_t end = limit > 0 ? std::min(offset + limit, page.objects.size()) : page.objects.size();
    Json items = Json::array();
    for (std::size_t i = offset; i < end; ++i)
        items.push_back(listItem(page.objects[i]));
    Json metadata{{"resourceVersion", std::to_string(page.version)}};
    if (end < page.objects.size()) {
        const QByteArray token = QByteArray::number(page.id) + ':' + QByteArray::number(static_cast<qulonglong>(end));
        metadata["continue"] = token.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals).toStdString();
        metadata["remainingItemCount"] = page.objects.size() - end;
        if (offset == 0)
            m_pages.push_back(std::move(page));
        if (m_pages.size() > pagesKept)
            m_pages.pop_front();
    }
    const KindInfo &info = kindInfo(selection.kind);
    return {200, {{"kind", std::string(info.kind) + "List"}, {"apiVersion", info.apiVersion}, {"metadata", metadata}, {"items", items}}};
}

} // namespace switchyard::simulator
