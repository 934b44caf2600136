// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What lies behind a Pod: its own HTTP server (pods/proxy) and its log (pods/log).
#include "app/simulator/api_server.h"

#include <QPointer>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace switchyard::simulator {

namespace {

Answer podNotFound(const std::string &name)
{
    return {404, statusBody(404, "NotFound", "pods \"" + name + "\" not found", {{"name", name}, {"kind", "pods"}})};
}

Answer notReached(const std::string &why)
{
    return {503, statusBody(503, "ServiceUnavailable", "error trying to reach service: " + why)};
}

const char *verbOf(const QByteArray &method)
{
    return method == "POST" ? "create" : method == "PATCH" ? "patch" : method == "DELETE" ? "delete" : method == "PUT" ? "update" : "get";
}

// RFC 3339, as sinceTime has it.
std::optional<SimTime> timeOf(const QString &text)
{
    const QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid())
        return std::nullopt;
    return SimTime(std::chrono::milliseconds(time.toMSecsSinceEpoch()));
}

} // namespace

// /api/v1/namespaces/NS/pods/[https:]POD[:PORT]/proxy/PATH or .../pods/POD/log
std::optional<ApiServer::PodRoute> ApiServer::podRoute(const QString &path)
{
    const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    if (parts.size() < 7 || parts[0] != "api"_L1 || parts[1] != "v1"_L1 || parts[2] != "namespaces"_L1 || parts[4] != "pods"_L1)
        return std::nullopt;
    if (parts[6] != "proxy"_L1 && (parts[6] != "log"_L1 || parts.size() != 7))
        return std::nullopt;
    PodRoute route;
    route.ns = parts[3].toStdString();
    route.log = parts[6] == "log"_L1;
    QStringList target = parts[5].split(u':');
    if (target.size() > 1 && (target.first() == "https"_L1 || target.first() == "http"_L1))
        route.tls = target.takeFirst() == "https"_L1;
    route.pod = target.value(0).toStdString();
    route.port = target.value(1).toInt();
    route.path = u'/' + parts.mid(7).join(u'/');
    return route;
}

std::optional<Answer> ApiServer::podRefusal(const HttpRequest &request, const PodRoute &route) const
{
    const std::string resource = route.log ? "pods/log" : "pods/proxy", verb = verbOf(request.method);
    if (std::find(m_denied.begin(), m_denied.end(), verb + ' ' + resource + ' ' + route.ns) != m_denied.end())
        return Answer{403,
                      statusBody(403, "Forbidden",
                                 "pods \"" + route.pod + "\" is forbidden: User \"demo\" cannot " + verb + " resource \"" + resource
                                     + "\" in API group \"\" in the namespace \"" + route.ns + '"',
                                 {{"name", route.pod}, {"kind", "pods"}})};
    return m_store.find(Kind::Pods, route.ns, route.pod) ? std::nullopt : std::optional(podNotFound(route.pod));
}

void ApiServer::handlePod(const HttpRequest &request, const PodRoute &route, HttpConnection *connection)
{
    if (const std::optional<Answer> refused = podRefusal(request, route))
        return reply(connection, *refused);
    if (route.log)
        return readLog(request, route, connection);
    if (!m_called)
        return reply(connection, notReached("dial tcp: connect: connection refused"));
    const PodCall call{route.tls, route.port, request.method.toStdString(), route.path.toStdString(), request.body.toStdString()};
    m_called(route.ns, route.pod, call, [this, connection = QPointer(connection)](const PodReply &answer) {
        if (!connection)
            return;
        if (answer.trouble.empty())
            connection->respond(answer.code, QByteArray::fromStdString(answer.body), QByteArray::fromStdString(answer.type));
        else
            reply(connection, notReached(answer.trouble));
    });
}

void ApiServer::readLog(const HttpRequest &request, const PodRoute &route, HttpConnection *connection)
{
    if (request.method != "GET")
        return reply(connection, {405, statusBody(405, "MethodNotAllowed", "the server does not allow this method")});
    if (m_logOutage > 0) {
        --m_logOutage;
        return reply(connection, {500, statusBody(500, "InternalError", "dial tcp: connect: connection refused")});
    }
    const QString container = request.param(u"container"_s);
    if (!container.isEmpty() && container != "postgres"_L1)
        return reply(connection,
                     {400, statusBody(400, "BadRequest", "container " + container.toStdString() + " is not valid for pod " + route.pod)});
    const std::optional<SimTime> since = timeOf(request.param(u"sinceTime"_s));
    const bool stamped = request.param(u"timestamps"_s) == "true"_L1;
    std::string text = m_log ? m_log(route.ns, route.pod, since.value_or(SimTime{}), stamped) : std::string();
    if (const qint64 limit = request.param(u"limitBytes"_s).toLongLong(); limit > 0 && text.size() > static_cast<std::size_t>(limit))
        text.resize(static_cast<std::size_t>(limit));
    connection->respond(200, QByteArray::fromStdString(text), "text/plain");
}

} // namespace switchyard::simulator
