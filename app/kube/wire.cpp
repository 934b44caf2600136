// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/wire.h"

#include "app/kube/proxy.h"
#include "app/kube/reply_error.h"
#include "app/kube/tls_material.h"
#include "app/kube/token.h"
#include "app/kube/unauthorized.h"

#include <QTimer>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

QUrl Order::url(const QString &server) const
{
    if (!rawPath.isEmpty())
        return rawUrl(server, rawPath);
    Path target = path;
    if (use == RequestUse::Create) // to the collection; the body holds the name
        target.name.clear();
    return resourceUrl(server, target, query);
}

namespace {

// Qt gives a proxy the password when it asks to be tunnelled through; requests of plain http are handed to the proxy itself.
void giveProxyPassword(QNetworkRequest &request, const QNetworkProxy &proxy)
{
    if (request.url().scheme() != u"http"_s || proxy.type() != QNetworkProxy::HttpProxy || proxy.user().isEmpty())
        return;
    const QByteArray pair = proxy.user().toUtf8() + ':' + proxy.password().toUtf8();
    request.setRawHeader("Proxy-Authorization", "Basic " + pair.toBase64());
}

QByteArray methodOf(RequestUse use)
{
    switch (use) {
    case RequestUse::Patch:
    case RequestUse::ProxyPatch: return "PATCH";
    case RequestUse::ProxyDelete: return "DELETE";
    default: return "POST";
    }
}

} // namespace

Wire::Wire(ContextConfig config, SharedParts parts)
    : m_config(std::move(config))
    , m_credentials(std::move(parts.credentials))
    , m_servers(std::move(parts.servers))
    , m_requestTimeout(parts.requestTimeout)
{
    if (!m_credentials)
        m_credentials = std::make_shared<CredentialSource>(m_config);
    if (!m_servers)
        m_servers = std::make_shared<ServerList>(m_config.server);
    checkConfig();
    // Told in the middle of somebody's material(): what the old certificate opened ends when that is over.
    connect(
        m_credentials.get(), &CredentialSource::certificateChanged, this, [this] { material(this, [](const Result<Material> &) {}); },
        Qt::QueuedConnection);
}

Wire::~Wire() = default;

void Wire::setConfig(ContextConfig config)
{
    m_config = std::move(config);
    checkConfig();
}

void Wire::checkConfig()
{
    if (m_config.insecureSkipTlsVerify)
        m_servers->certificatesNotChecked();
    m_defect = impersonationDefect(m_config.impersonation);
    if (m_defect)
        return;
    if (const auto proxy = proxyFor(m_config.server, m_config.proxyUrl, QProcessEnvironment::systemEnvironment()); !proxy)
        m_defect = proxy.error();
}

void Wire::material(QObject *context, CredentialSource::Done done)
{
    m_credentials->material(context, [self = QPointer(this), done = std::move(done)](const Result<Material> &material) {
        if (self && material)
            self->adopt(*material);
        if (self)
            done(material);
    });
}

void Wire::adopt(const Material &material)
{
    sweep();
    const bool same = !m_identity || m_identity->sameCertificate(material);
    m_identity = material;
    if (same)
        return;
    // Ending a request makes its owner ask again, here and now: on other lanes.
    std::map<QString, std::unique_ptr<Lanes>> old = std::exchange(m_lanes, {});
    for (auto &entry : old)
        entry.second->retire();
    for (auto &entry : old)
        m_retired.push_back(std::move(entry.second));
    QTimer::singleShot(0, this, [this] { sweep(); }); // not only with the next request: there may be none for minutes
}

void Wire::sweep()
{
    std::erase_if(m_retired, [](const std::unique_ptr<Lanes> &lanes) {
        if (lanes->busy())
            return false;
        lanes->freeLater();
        return true;
    });
}

Result<Lanes *> Wire::lanesTo(const QString &server)
{
    if (const auto it = m_lanes.find(server); it != m_lanes.end())
        return it->second.get();
    const auto proxy = proxyFor(server, m_config.proxyUrl, QProcessEnvironment::systemEnvironment());
    if (!proxy)
        return tl::unexpected(proxy.error());
    const Material identity = m_identity.value_or(Material{});
    auto made = std::make_unique<Lanes>(tlsConfiguration(m_config, identity.certificatePem, identity.keyPem), *proxy);
    return m_lanes.emplace(server, std::move(made)).first->second.get();
}

Result<QNetworkReply *> Wire::send(const Order &order, const QString &server, const Material &material, OnceDevice *body)
{
    const Result<Lanes *> lanes = lanesTo(server);
    if (!lanes)
        return tl::unexpected(lanes.error());
    const QUrl url = order.url(server);
    const QByteArray authorization = mayCarryToken(url) ? material.authorization : QByteArray();
    QNetworkRequest request = makeRequest(m_config, (*lanes)->tls(), url, authorization, order.use, order.path);
    // Every API server of a cluster shows a certificate for the name in the kubeconfig; its own address need not be in there.
    if (const QString name = QUrl(m_servers->first()).host(); m_config.tlsServerName.isEmpty() && url.host() != name)
        request.setPeerVerifyName(name);
    giveProxyPassword(request, (*lanes)->proxy());
    QNetworkReply *reply = nullptr;
    switch (order.use) {
    case RequestUse::Read: reply = order.path.leadsToPod() ? (*lanes)->readPod(request) : (*lanes)->read(request); break;
    case RequestUse::Watch: reply = (*lanes)->watch(request); break;
    case RequestUse::Ask: reply = (*lanes)->ask(request, order.body); break;
    default:
        request.setHeader(QNetworkRequest::ContentLengthHeader, order.body.size());
        reply = isCall(order.use) ? (*lanes)->call(request, methodOf(order.use), body)
                                  : (*lanes)->write(request, methodOf(order.use), body);
        break;
    }
    noteTlsErrors(reply);
    notePlace(reply, server, proxyName((*lanes)->proxy()));
    if (m_config.insecureSkipTlsVerify)
        reply->ignoreSslErrors();
    return reply;
}

void Wire::mistrust(const QNetworkReply *reply, const QString &server)
{
    if (const auto it = m_lanes.find(server); it != m_lanes.end())
        it->second->mistrust(reply);
}

void Wire::renew(const Material &refused, const Error &error, QObject *context, CredentialSource::Done done)
{
    m_credentials->rejected(refused.generation);
    material(context, [this, generation = refused.generation, error, done = std::move(done)](const Result<Material> &fresh) {
        if (fresh && fresh->generation != generation)
            return done(fresh);
        Error told = notAccepted(error, m_config);
        if (!fresh) { // a plugin, or a file, says better why there is nothing else
            told = fresh.error();
            told.httpStatus = error.httpStatus;
        }
        done(tl::unexpected(told));
    });
}

} // namespace switchyard::kube
