// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What a client may change: failover and config objects, as the Role of the README allows. Everything else is forbidden here too, so that
// a demo or a test shows at once if the program ever wrote something it must not.
#include "app/simulator/api_server.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::simulator {

namespace {

bool writable(Kind kind, const std::string &name)
{
    return (kind == Kind::Endpoints || kind == Kind::ConfigMaps) && (name.ends_with("-failover") || name.ends_with("-config"));
}

Answer forbidden(const char *verb, Kind kind, const std::string &ns, const std::string &name)
{
    const std::string plural = kindInfo(kind).plural;
    return {403,
            statusBody(403, "Forbidden",
                       plural + " \"" + name + "\" is forbidden: User \"demo\" cannot " + verb + " resource \"" + plural
                           + "\" in API group \"\" in the namespace \"" + ns + '"',
                       {{"name", name}, {"kind", plural}})};
}

Answer badRequest(const std::string &message)
{
    return {400, statusBody(400, "BadRequest", message)};
}

// dryRun=All: everything is checked on a copy, nothing is stored.
bool isTry(const HttpRequest &request)
{
    return request.param(u"dryRun"_s) == "All"_L1;
}

ObjectStore copyOf(const ObjectStore &store)
{
    ObjectStore copy = store;
    copy.setListener({});
    return copy;
}

} // namespace

bool ApiServer::denied(const std::string &verb, Kind kind, const std::string &ns) const
{
    return std::find(m_denied.begin(), m_denied.end(), verb + ' ' + kindInfo(kind).plural + ' ' + ns) != m_denied.end();
}

std::optional<Answer> ApiServer::refusal(const HttpRequest &request, const Route &target) const
{
    const QString watch = request.param(u"watch"_s);
    const bool watches = watch == "true"_L1 || watch == "1"_L1;
    const char *verb = request.method == "POST" ? "create"
        : request.method == "PATCH"             ? "patch"
        : !target.collection()                  ? "get"
        : watches                               ? "watch"
                                                : "list";
    return denied(verb, target.kind, target.ns) ? std::optional(forbidden(verb, target.kind, target.ns, target.name)) : std::nullopt;
}

Answer ApiServer::create(const HttpRequest &request, const Route &target)
{
    Json object = Json::parse(request.body.toStdString(), nullptr, false);
    if (!object.is_object() || !object.contains("metadata") || !object["metadata"].is_object())
        return badRequest("the body of the request is not an object with metadata");
    const KindInfo &info = kindInfo(target.kind);
    if (object.value("kind", Json(info.kind)) != info.kind || object.value("apiVersion", Json(info.apiVersion)) != info.apiVersion)
        return badRequest("the kind or apiVersion in the body does not match the request");
    const Json name = object["metadata"].value("name", Json(""));
    const std::string text = name.is_string() ? name.get<std::string>() : std::string();
    if (target.ns.empty() || !writable(target.kind, text))
        return forbidden("create", target.kind, target.ns, text);
    if (!m_store.find(Kind::Namespaces, {}, target.ns))
        return {404,
                statusBody(404, "NotFound", "namespaces \"" + target.ns + "\" not found", {{"name", target.ns}, {"kind", "namespaces"}})};
    if (isTry(request))
        return copyOf(m_store).create(target.kind, target.ns, std::move(object), m_clock());
    Answer answer = m_store.create(target.kind, target.ns, std::move(object), m_clock());
    if (answer.ok() && m_written)
        m_written(target.kind, target.ns, text);
    return answer;
}

Answer ApiServer::patch(const HttpRequest &request, const Route &target)
{
    const QByteArray type = request.headers.value("content-type").split(';').first().trimmed();
    if (type != "application/merge-patch+json" && type != "application/strategic-merge-patch+json")
        return {415, statusBody(415, "UnsupportedMediaType", "the body of the request was in an unknown format: " + type.toStdString())};
    if (!writable(target.kind, target.name))
        return forbidden("patch", target.kind, target.ns, target.name);
    Json body = Json::parse(request.body.toStdString(), nullptr, false);
    if (body.is_discarded())
        return badRequest("the body of the request is not JSON");
    if (isTry(request))
        return copyOf(m_store).patch(target.kind, target.ns, target.name, std::move(body));
    const std::int64_t before = m_store.version();
    Answer answer = m_store.patch(target.kind, target.ns, target.name, std::move(body));
    if (answer.ok() && m_store.version() != before && m_written)
        m_written(target.kind, target.ns, target.name);
    return answer;
}

Answer ApiServer::accessReview(const HttpRequest &request) const
{
    Json review = Json::parse(request.body.toStdString(), nullptr, false);
    if (!review.is_object() || !review.contains("spec") || !review["spec"].is_object())
        return badRequest("the body of the request is not a SelfSubjectAccessReview");
    const Json attributes = review["spec"].value("resourceAttributes", Json::object());
    const auto text = [&attributes](const char *key) {
        const auto it = attributes.find(key);
        return it != attributes.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    const std::string verb = text("verb"), resource = text("resource"), name = text("name");
    const bool readable = resource == "endpoints" || resource == "configmaps" || resource == "pods" || resource == "leases"
        || resource == "namespaces" || resource == "events" || resource == "nodes";
    const bool reads = verb == "get" || verb == "list" || verb == "watch";
    const Kind kind = resource == "endpoints" ? Kind::Endpoints
        : resource == "configmaps"            ? Kind::ConfigMaps
        : resource == "events"                ? Kind::Events
        : resource == "leases"                ? Kind::Leases
        : resource == "nodes"                 ? Kind::Nodes
                                              : Kind::Pods;
    const bool isState = kind == Kind::Endpoints || kind == Kind::ConfigMaps;
    const bool writes = (verb == "create" && isState) || (verb == "patch" && (name.empty() ? isState : writable(kind, name)));
    const bool taken = denied(verb, kind, text("namespace"));
    if (const std::string part = text("subresource"); !part.empty()) {
        const bool known = resource == "pods"
            && ((part == "proxy" && verb != "list" && verb != "watch") || (part == "log" && verb == "get"));
        const std::string rule = verb + " pods/" + part + ' ' + text("namespace");
        review["status"] = {{"allowed", known && std::find(m_denied.begin(), m_denied.end(), rule) == m_denied.end()}};
        return {201, review};
    }
    review["status"] = {{"allowed", readable && (reads || writes) && !taken}};
    return {201, review};
}

} // namespace switchyard::simulator
