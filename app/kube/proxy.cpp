// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/proxy.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QUrl>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ProxyWords
{
    Q_DECLARE_TR_FUNCTIONS(ProxyWords)
};

struct Place
{
    QString host; // lower case, without brackets
    QHostAddress ip;
    int port = 0;
};

Place placeOf(const QUrl &url)
{
    const QString host = url.host(QUrl::FullyDecoded).toLower();
    return {host, QHostAddress(host), url.port(url.scheme() == u"http"_s ? 80 : 443)};
}

QString first(const QProcessEnvironment &environment, const QString &upper, QString *name)
{
    for (const QString &variable : {upper, upper.toLower()}) {
        if (QString value = environment.value(variable).trimmed(); !value.isEmpty()) {
            if (name)
                *name = variable;
            return value;
        }
    }
    return {};
}

// "host:port" or "[v6]:port"; a bare IPv6 address has no port.
std::pair<QString, QString> splitPort(const QString &entry)
{
    if (entry.startsWith(u'[')) {
        const qsizetype end = entry.indexOf(u']');
        if (end > 0)
            return {entry.mid(1, end - 1), entry.mid(end + 1).startsWith(u':') ? entry.mid(end + 2) : QString()};
    }
    if (entry.count(u':') == 1)
        return {entry.section(u':', 0, 0), entry.section(u':', 1)};
    return {entry, {}};
}

bool inSubnet(const QHostAddress &ip, const QString &entry)
{
    if (!entry.contains(u'/') || ip.isNull())
        return false;
    const auto subnet = QHostAddress::parseSubnet(entry);
    return !subnet.first.isNull() && subnet.first.protocol() == ip.protocol() && ip.isInSubnet(subnet);
}

bool matchesName(const QString &host, QString pattern)
{
    if (pattern.startsWith(u"*."_s))
        pattern.remove(0, 1);
    if (pattern.startsWith(u'.'))
        return host.endsWith(pattern);
    return host == pattern || host.endsWith(u'.' + pattern);
}

bool spares(const QString &written, const Place &to)
{
    const QString entry = written.trimmed().toLower();
    if (entry.isEmpty())
        return false;
    if (entry == u"*"_s || inSubnet(to.ip, entry))
        return true;
    const auto [host, port] = splitPort(entry);
    if (host.isEmpty() || (!port.isEmpty() && port != QString::number(to.port)))
        return false;
    if (const QHostAddress ip(host); !ip.isNull())
        return ip == to.ip;
    return to.ip.isNull() && matchesName(to.host, host);
}

bool noProxyFor(const Place &to, const QString &noProxy)
{
    if (to.host == u"localhost"_s || to.ip.isLoopback())
        return true;
    const QStringList entries = noProxy.split(u',');
    return std::any_of(entries.begin(), entries.end(), [&](const QString &entry) { return spares(entry, to); });
}

tl::unexpected<Error> defect(ErrorKind kind, const QString &field, const QString &message)
{
    return tl::unexpected(Error{.kind = kind, .field = field.toStdString(), .message = message.toStdString()});
}

Result<QNetworkProxy> parsed(const QString &text, const QString &field)
{
    QUrl url(text);
    if (!text.contains(u"://"_s))
        url = QUrl(u"http://"_s + text);
    if (!url.isValid() || url.host().isEmpty())
        return defect(ErrorKind::BadInput, field, ProxyWords::tr("not the address of a proxy (http://host:port or socks5://host:port)"));
    const QString scheme = url.scheme();
    if (scheme == u"https"_s)
        return defect(ErrorKind::NotSupported, field,
                      ProxyWords::tr("a proxy that is itself reached over TLS (https://) is not supported; http:// and socks5:// are"));
    const bool socks = scheme == u"socks5"_s || scheme == u"socks5h"_s;
    if (!socks && scheme != u"http"_s)
        return defect(ErrorKind::NotSupported, field,
                      ProxyWords::tr("proxies of the kind %1:// are not supported; http:// and socks5:// are").arg(scheme));
    QNetworkProxy proxy(socks ? QNetworkProxy::Socks5Proxy : QNetworkProxy::HttpProxy, url.host(QUrl::FullyDecoded),
                        static_cast<quint16>(url.port(socks ? 1080 : 80)), url.userName(QUrl::FullyDecoded),
                        url.password(QUrl::FullyDecoded));
    return proxy;
}

} // namespace

Result<QNetworkProxy> proxyFor(const QString &server, const QString &proxyUrl, const QProcessEnvironment &environment)
{
    if (!proxyUrl.isEmpty())
        return parsed(proxyUrl, u"proxy-url"_s);
    const QUrl url(server);
    QString variable;
    const QString proxy = first(environment, url.scheme() == u"http"_s ? u"HTTP_PROXY"_s : u"HTTPS_PROXY"_s, &variable);
    if (proxy.isEmpty() || noProxyFor(placeOf(url), first(environment, u"NO_PROXY"_s, nullptr)))
        return QNetworkProxy(QNetworkProxy::NoProxy);
    return parsed(proxy, variable);
}

QString proxyName(const QNetworkProxy &proxy)
{
    if (proxy.type() != QNetworkProxy::HttpProxy && proxy.type() != QNetworkProxy::Socks5Proxy)
        return {};
    QUrl url;
    url.setScheme(proxy.type() == QNetworkProxy::HttpProxy ? u"http"_s : u"socks5"_s);
    url.setHost(proxy.hostName());
    url.setPort(proxy.port());
    return url.toString();
}

} // namespace switchyard::kube
