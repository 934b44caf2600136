// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/request.h"

#include <QCoreApplication>
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
#include <QHttpHeaders>
#endif

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct RequestWords
{
    Q_DECLARE_TR_FUNCTIONS(RequestWords)
};

constexpr qint64 largestUnpacked = 64 * 1024 * 1024; // Qt takes repetitive answers for archive bombs; lists are repetitive

// Servers that cannot give metadata alone give the whole object.
QByteArray accepted(RequestUse use, const Path &path)
{
    if (path.leadsToPod())
        return "application/json, */*";
    if (!path.metadataOnly || (use != RequestUse::Read && use != RequestUse::Watch))
        return "application/json";
    const QByteArray as = use == RequestUse::Read && path.name.isEmpty() ? "PartialObjectMetadataList" : "PartialObjectMetadata";
    return "application/json;as=" + as + ";g=meta.k8s.io;v=v1,application/json";
}

// The key of an extra becomes part of a header's name, where few characters may stand.
QByteArray extraKey(const QString &key)
{
    return "Impersonate-Extra-" + QUrl::toPercentEncoding(key.toLower(), "!#$&'*+^`|");
}

// Several headers of one name. QNetworkRequest can do that from Qt 6.8 on; before, it writes a value out as it is, so that the other
// lines can stand in it. impersonationDefect() has made sure that no value holds a line break of its own.
void setRepeated(QNetworkRequest &request, const QByteArray &name, const QStringList &values)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QHttpHeaders headers = request.headers();
    for (const QString &value : values)
        headers.append(name, value.toUtf8());
    request.setHeaders(headers);
#else
    QByteArrayList lines;
    for (const QString &value : values)
        lines.append(value.toUtf8());
    if (!lines.isEmpty())
        request.setRawHeader(name, lines.join("\r\n" + name + ": "));
#endif
}

void setImpersonation(QNetworkRequest &request, const Impersonation &as)
{
    if (impersonationDefect(as))
        return; // the request is refused elsewhere; nothing half-checked goes out
    if (!as.user.isEmpty())
        request.setRawHeader("Impersonate-User", as.user.toUtf8());
    if (!as.uid.isEmpty())
        request.setRawHeader("Impersonate-Uid", as.uid.toUtf8());
    setRepeated(request, "Impersonate-Group", as.groups);
    for (const auto &[key, values] : as.extra)
        setRepeated(request, extraKey(key), values);
}

void setHeaders(QNetworkRequest &request, const QByteArray &authorization, RequestUse use, bool compressed)
{
    request.setRawHeader("User-Agent", "switchyard/" SWITCHYARD_VERSION);
    if (!authorization.isEmpty())
        request.setRawHeader("Authorization", authorization);
    if (use == RequestUse::Watch || isCall(use) || !compressed)
        request.setRawHeader("Accept-Encoding", "identity");
    if (use == RequestUse::Create || use == RequestUse::Ask || isCall(use))
        request.setRawHeader("Content-Type", "application/json");
    if (use == RequestUse::Patch)
        request.setRawHeader("Content-Type", "application/merge-patch+json");
}

QString encoded(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

// [https:]POD:PORT is one segment, whose colons the API server reads.
QString proxyPart(const PodProxy &proxy, const QString &pod)
{
    const QString target = (proxy.tls ? u"https:"_s : QString()) + encoded(pod) + u':' + QString::number(proxy.port);
    const QString path = QString::fromLatin1(QUrl::toPercentEncoding(proxy.path, "/"));
    return u'/' + target + u"/proxy"_s + (path.startsWith(u'/') ? QString() : u"/"_s) + path;
}

QString apiPath(const Path &path)
{
    QString out = path.resource == Resource::Leases ? leasesRoot(path.leasesBeta) : u"/api/v1"_s;
    if (!path.ns.isEmpty())
        out += u"/namespaces/"_s + encoded(path.ns);
    const std::string_view resource = code(path.resource);
    out += u'/' + QString::fromUtf8(resource.data(), static_cast<qsizetype>(resource.size()));
    if (path.proxy)
        return out + proxyPart(*path.proxy, path.name);
    if (!path.name.isEmpty())
        out += u'/' + encoded(path.name);
    if (path.log)
        out += u"/log"_s;
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

QString leasesRoot(bool beta)
{
    return beta ? u"/apis/coordination.k8s.io/v1beta1"_s : u"/apis/coordination.k8s.io/v1"_s;
}

QNetworkRequest makeRequest(const ContextConfig &config, const QSslConfiguration &tls, const QUrl &url, const QByteArray &authorization,
                            RequestUse use, const Path &path)
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
    setHeaders(request, authorization, use, !config.disableCompression);
    request.setRawHeader("Accept", accepted(use, path));
    setImpersonation(request, config.impersonation);
    if (use == RequestUse::Create || use == RequestUse::Patch || isCall(use))
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

std::optional<Error> impersonationDefect(const Impersonation &as)
{
    const auto defect = [](ErrorKind kind, const char *field, const QString &message) {
        return Error{.kind = kind, .field = field, .message = message.toStdString()};
    };
    QStringList all = QStringList{as.user, as.uid} + as.groups;
    for (const auto &[key, values] : as.extra)
        all += QStringList{key} + values;
    if (as.user.isEmpty() && (!as.uid.isEmpty() || !as.groups.isEmpty() || !as.extra.empty()))
        return defect(ErrorKind::BadInput, "as", RequestWords::tr("a uid, groups or extras are impersonated only together with a user"));
    const bool odd = std::any_of(all.begin(), all.end(), [](const QString &text) {
        return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x20 || c.unicode() == 0x7f; });
    });
    if (odd)
        return defect(ErrorKind::BadInput, "as", RequestWords::tr("control characters cannot be sent"));
    return std::nullopt;
}

bool isReview(const QString &absolutePath)
{
    if (!absolutePath.startsWith(u"/apis/authorization.k8s.io/"_s) && !absolutePath.startsWith(u"/apis/authentication.k8s.io/"_s))
        return false;
    return !absolutePath.contains(u"//"_s) && std::all_of(absolutePath.begin(), absolutePath.end(), [](QChar c) {
        return c == u'/' || (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9') || c == u'.' || c == u'-';
    }) && !absolutePath.contains(u".."_s);
}

std::optional<PodProxy> podProxyOf(const std::string &text, const QString &path)
{
    const QUrl url(QString::fromStdString(text), QUrl::StrictMode);
    const bool tls = url.scheme() == u"https"_s;
    if (!url.isValid() || url.host().isEmpty() || (!tls && url.scheme() != u"http"_s))
        return std::nullopt;
    const int port = url.port(tls ? 443 : 80);
    return port < 1 ? std::nullopt : std::optional(PodProxy{tls, port, path});
}

std::string serverName(const QString &server)
{
    return QUrl(server).toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment).toStdString();
}

} // namespace switchyard::kube
