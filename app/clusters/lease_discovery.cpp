// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/lease_discovery.h"

#include "app/kube/request.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPointer>

#include <algorithm>

namespace switchyard {

using namespace Qt::StringLiterals;

namespace {

Error unreadable(const kube::Client &client, bool beta)
{
    Error error{ErrorKind::Server};
    error.resource = code(Resource::Leases);
    error.where = kube::serverName(client.config().server + kube::leasesRoot(beta));
    error.message = "the list of what is there cannot be read";
    return error;
}

void ask(const QPointer<kube::Client> &client, bool beta, QObject *context, const LeasesFound &found)
{
    client->getRaw(kube::leasesRoot(beta), context, [client, beta, context, found](const kube::Response &response) {
        if (!client)
            return;
        if (response.status == 403)
            return found(beta ? LeaseHome::None : LeaseHome::V1);
        if (response.error && response.status != 404)
            return found(tl::unexpected(*response.error));
        const std::optional<bool> offered = response.status == 404 ? std::optional(false) : offersLeases(response.body);
        if (!offered)
            found(tl::unexpected(unreadable(*client, beta)));
        else if (*offered)
            found(beta ? LeaseHome::V1Beta1 : LeaseHome::V1);
        else if (beta)
            found(LeaseHome::None);
        else
            ask(client, true, context, found);
    });
}

} // namespace

std::optional<bool> offersLeases(const QByteArray &resourceList)
{
    const QJsonObject answer = QJsonDocument::fromJson(resourceList).object();
    if (answer.value("kind"_L1).toString() != "APIResourceList"_L1 || !answer.value("resources"_L1).isArray())
        return std::nullopt;
    const QJsonArray resources = answer.value("resources"_L1).toArray();
    return std::any_of(resources.begin(), resources.end(),
                       [](const QJsonValue &resource) { return resource.toObject().value("name"_L1).toString() == "leases"_L1; });
}

void findLeases(kube::Client *client, QObject *context, const LeasesFound &found)
{
    ask(client, false, context, found);
}

} // namespace switchyard
