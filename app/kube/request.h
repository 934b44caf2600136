// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one function that builds HTTP requests, and the paths of the Kubernetes API.
#include "app/kube/client.h"

#include <QNetworkRequest>
#include <QSslConfiguration>

namespace switchyard::kube {

enum class RequestUse { Read, Watch, Ask, Create, Patch, ProxyPost, ProxyPatch, ProxyDelete }; // Ask: a POST that changes nothing
// A write that goes to a Pod's own server.
inline bool isCall(RequestUse use)
{
    return use == RequestUse::ProxyPost || use == RequestUse::ProxyPatch || use == RequestUse::ProxyDelete;
}

// HTTP/1.1 only (a GOAWAY on HTTP/2 leaves a manager stuck), no redirects (they would carry the token elsewhere), no cache, no
// cookies; watches uncompressed, so that each event can be read when it comes. `authorization`: the whole header value.
QNetworkRequest makeRequest(const ContextConfig &config, const QSslConfiguration &tls, const QUrl &url, const QByteArray &authorization,
                            RequestUse use, const Path &path);

// Why `as` and its kin cannot be sent: Qt sends a header of one name once, and the API server does not split values, so that
// there can be one group and one value per key of as-user-extra.
std::optional<Error> impersonationDefect(const Impersonation &as);

// Where Client::ask may go: reviews of who we are and what we may do.
bool isReview(const QString &absolutePath);

// `server` may have a path of its own. Names and query values are encoded whole ('+' too, as tokens of lists may hold it).
QUrl resourceUrl(const QString &server, const Path &path, const QUrlQuery &query);
QUrl rawUrl(const QString &server, const QString &absolutePath);
QString leasesRoot(bool beta); // where Leases are, and what is there besides can be asked

// A URL of a Pod's own server as the way to it through the API server, which needs only scheme and port. nullopt: no such URL.
std::optional<PodProxy> podProxyOf(const std::string &url, const QString &path);

// "https://host:port/path" for messages: never a user name, password or query.
std::string serverName(const QString &server);

} // namespace switchyard::kube
