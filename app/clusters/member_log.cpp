// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/member_log.h"

#include "app/kube/request.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

#include <algorithm>

namespace switchyard {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mostBytes = 1024LL * 1024; // from the beginning of the window on
constexpr std::chrono::seconds limit{15};

// A second early: times of a log may be cut to seconds.
QString sinceText(Instant from)
{
    const auto seconds = std::chrono::floor<std::chrono::seconds>(from).time_since_epoch().count() - 1;
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(Qt::ISODate);
}

bool hasPort(const QJsonObject &container, int port)
{
    const QJsonArray ports = container.value("ports"_L1).toArray();
    return std::any_of(ports.begin(), ports.end(),
                       [port](const QJsonValue &entry) { return entry.toObject().value("containerPort"_L1).toInt() == port; });
}

struct Request
{
    QPointer<kube::Client> client;
    QString ns, pod;
    std::optional<int> port;
    LogWindow window;
    LinesTold told;
};

void readLog(const Request &request, const QString &container, QObject *context)
{
    QUrlQuery query;
    if (!container.isEmpty())
        query.addQueryItem(u"container"_s, container);
    query.addQueryItem(u"sinceTime"_s, sinceText(request.window.begin()));
    query.addQueryItem(u"timestamps"_s, u"true"_s);
    request.client->podLog(
        request.ns, request.pod, query, mostBytes, context,
        [request](const kube::Response &response) {
            MemberLines lines{request.pod.toStdString(), {}, response.error};
            if (response.ok())
                lines.lines = decisionLines({response.body.constData(), static_cast<std::size_t>(response.body.size())}, request.window);
            request.told(lines);
        },
        limit);
}

} // namespace

// Zalando and plain: postgres; Crunchy and Percona: database; StackGres: patroni.
QString patroniContainer(const QByteArray &podJson, std::optional<int> apiPort)
{
    const QJsonObject pod = QJsonDocument::fromJson(podJson).object();
    const QJsonArray containers = pod.value("spec"_L1).toObject().value("containers"_L1).toArray();
    const auto nameOf = [](const QJsonValue &container) { return container.toObject().value("name"_L1).toString(); };
    const auto named = [&](const QString &name) {
        return std::any_of(containers.begin(), containers.end(), [&](const QJsonValue &container) { return nameOf(container) == name; });
    };
    if (apiPort) {
        for (const QJsonValue container : containers) {
            if (hasPort(container.toObject(), *apiPort))
                return nameOf(container);
        }
    }
    const QJsonObject annotations = pod.value("metadata"_L1).toObject().value("annotations"_L1).toObject();
    const QString usual = annotations.value("kubectl.kubernetes.io/default-container"_L1).toString();
    for (const QString &name : {u"patroni"_s, u"database"_s, u"postgres"_s, u"postgresql"_s, u"timescaledb"_s, usual}) {
        if (!name.isEmpty() && named(name))
            return name;
    }
    return nameOf(containers.first());
}

void fetchDecisionLines(kube::Client *client, const std::string &ns, const patroni::MemberRecord &member, const LogWindow &window,
                        QObject *context, const LinesTold &told)
{
    const auto proxy = member.apiUrl ? kube::podProxyOf(*member.apiUrl, {}) : std::nullopt;
    const Request request{
        client, QString::fromStdString(ns), QString::fromStdString(member.name), proxy ? std::optional(proxy->port) : std::nullopt, window,
        told};
    const kube::Path pod{.resource = Resource::Pods, .ns = request.ns, .name = request.pod};
    client->get(
        pod, {}, context,
        [request, context](const kube::Response &response) {
            if (!response.ok() || !request.client)
                return request.told({request.pod.toStdString(), {}, response.error});
            readLog(request, patroniContainer(response.body, request.port), context);
        },
        limit);
}

} // namespace switchyard
