// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/kubeconfig_parts.h"
#include "app/kube/tls_material.h"

#include <QCoreApplication>
#include <QUrl>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ClusterWords
{
    Q_DECLARE_TR_FUNCTIONS(ClusterWords)
};

Error defect(const QString &message, ErrorKind kind = ErrorKind::BadInput)
{
    return Error{.kind = kind, .message = message.toStdString()};
}

void readAuthority(const Fields &fields, ClusterPart &part)
{
    part.insecureSkipTlsVerify = fields.flag("insecure-skip-tls-verify");
    part.caPem = fields.pem("certificate-authority", part.caFile);
    if (part.caPem.isEmpty())
        return;
    if (const std::optional<Error> wrong = caDefect(part.caPem))
        fields.report("certificate-authority", QString::fromStdString(wrong->message), wrong->kind);
    else if (part.insecureSkipTlsVerify)
        fields.report("insecure-skip-tls-verify", ClusterWords::tr("an authority and insecure-skip-tls-verify exclude each other"));
}

// What the extension of this name holds is handed to exec plugins that ask for cluster information.
void readExtensions(const Fields &fields, ClusterPart &part)
{
    for (const Fields &extension : fields.items("extensions")) {
        if (extension.text("name") != u"client.authentication.k8s.io/exec"_s)
            continue;
        if (const YamlNode *config = extension.find("extension"))
            part.execClusterConfig = toJson(*config);
    }
}

} // namespace

std::optional<Error> serverDefect(const QString &server)
{
    const QUrl url(server, QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (scheme != u"https"_s && scheme != u"http"_s)
        return defect(ClusterWords::tr("the server address must start with https:// (or http://)"));
    if (!url.isValid() || url.host().isEmpty())
        return defect(ClusterWords::tr("not a valid server address"));
    if (!url.userInfo().isEmpty())
        return defect(ClusterWords::tr("a user name or password inside the server address is not supported"));
    if (url.hasQuery() || url.hasFragment())
        return defect(ClusterWords::tr("the server address must not have a query or fragment"));
    return std::nullopt;
}

std::optional<Error> proxyDefect(const QString &proxy)
{
    const QUrl url(proxy, QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (scheme == u"https"_s)
        return defect(ClusterWords::tr("TLS to a proxy is not supported by Qt; http:// and socks5:// proxies are"),
                      ErrorKind::NotSupported);
    if (scheme != u"http"_s && scheme != u"socks5"_s && scheme != u"socks5h"_s)
        return defect(ClusterWords::tr("the address of a proxy must start with http:// or socks5://"));
    if (!url.isValid() || url.host().isEmpty())
        return defect(ClusterWords::tr("not a valid address of a proxy"));
    return std::nullopt;
}

void readCluster(const Fields &fields, ClusterPart &part)
{
    const QString server = fields.text("server");
    if (fields.blank("server"))
        fields.report("server", ClusterWords::tr("the cluster has no server address"));
    else if (const std::optional<Error> wrong = server.isEmpty() ? std::nullopt : serverDefect(server)) // a list: told already
        fields.report("server", QString::fromStdString(wrong->message), wrong->kind);
    else
        part.server = server;
    readAuthority(fields, part);
    part.tlsServerName = fields.text("tls-server-name");
    part.disableCompression = fields.flag("disable-compression");
    const QString proxy = fields.text("proxy-url");
    if (const std::optional<Error> wrong = proxy.isEmpty() ? std::nullopt : proxyDefect(proxy))
        fields.report("proxy-url", QString::fromStdString(wrong->message), wrong->kind);
    else
        part.proxyUrl = proxy;
    readExtensions(fields, part);
}

} // namespace switchyard::kube
