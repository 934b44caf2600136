// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/request.h"

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 largestUnpacked = 64 * 1024 * 1024; // Qt takes repetitive answers for archive bombs; lists are repetitive

void setHeaders(QNetworkRequest &request, const QByteArray &token, RequestUse use)
{
    request.setRawHeader("User-Agent", "switchyard/" SWITCHYARD_VERSION);
    request.setRawHeader("Accept", "application/json");
    if (!token.isEmpty())
        request.setRawHeader("Authorization", "Bearer " + token);
    if (use == RequestUse::Watch)
        request.setRawHeader("Accept-Encoding", "identity");
    if (use == RequestUse::Create)
        request.setRawHeader("Content-Type", "application/json");
    if (use == RequestUse::Patch)
        request.setRawHeader("Content-Type", "application/merge-patch+json");
}

QString encoded(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

QString apiPath(const Path &path)
{
    QString out = path.resource == Resource::Leases ? u"/apis/coordination.k8s.io/v1"_s : u"/api/v1"_s;
    if (!path.ns.isEmpty())
        out += u"/namespaces/"_s + encoded(path.ns);
    const std::string_view resource = code(path.resource);
    out += u'/' + QString::fromUtf8(resource.data(), static_cast<qsizetype>(resource.size()));
    if (!path.name.isEmpty())
        out += u'/' + encoded(path.name);
    return out;
}

QString prefix(const QUrl &server)
{
    QString path = server.path(QUrl::FullyEncoded);
    while (path.endsWith(u'/'))
        path.chop(1);
    return path;
}

} // namespace

QNetworkRequest makeRequest(const ContextConfig &config, const QSslConfiguration &tls, const QUrl &url, const QByteArray &token,
                            RequestUse use)
{
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::HttpPipeliningAllowedAttribute, false);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setDecompressedSafetyCheckThreshold(largestUnpacked);
    setHeaders(request, token, use);
    if (use == RequestUse::Create || use == RequestUse::Patch)
        request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    if (url.scheme() == u"https"_s) {
        request.setSslConfiguration(tls);
        if (!config.tlsServerName.isEmpty())
            request.setPeerVerifyName(config.tlsServerName);
    }
    return request;
}

QUrl resourceUrl(const QString &server, const Path &path, const QUrlQuery &query)
{
    QUrl url(server);
    url.setPath(prefix(url) + apiPath(path), QUrl::TolerantMode);
    QStringList parts;
    const auto items = query.queryItems(QUrl::FullyDecoded);
    for (const auto &[key, value] : items)
        parts.append(encoded(key) + u'=' + encoded(value));
    if (!parts.isEmpty())
        url.setQuery(parts.join(u'&'));
    return url;
}

QUrl rawUrl(const QString &server, const QString &absolutePath)
{
    QUrl url(server);
    url.setPath(prefix(url) + absolutePath.section(u'?', 0, 0), QUrl::TolerantMode);
    if (absolutePath.contains(u'?'))
        url.setQuery(absolutePath.section(u'?', 1));
    return url;
}

std::string serverName(const QString &server)
{
    return QUrl(server).toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment).toStdString();
}

} // namespace switchyard::kube
