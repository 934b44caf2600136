// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the requests of one client are sent with: who (credentials), where to (API servers), over what (lanes).
#include "app/kube/credentials.h"
#include "app/kube/lanes.h"
#include "app/kube/request.h"
#include "app/kube/server_list.h"

#include <map>

namespace switchyard::kube {

// One request, before it is known where it goes and as whom.
struct Order
{
    RequestUse use{};
    QString verb; // for words
    Path path;
    QString rawPath; // instead of `path`, where it is set
    QUrlQuery query;
    QByteArray body;                        // of Ask and of writes
    qint64 mostBytes = 512LL * 1024 * 1024; // of the answer
    bool isWrite() const { return use == RequestUse::Create || use == RequestUse::Patch || isCall(use); }
    QUrl url(const QString &server) const;
};

class Wire : public QObject
{
    Q_OBJECT
public:
    Wire(ContextConfig config, SharedParts parts);
    ~Wire() override;

    const ContextConfig &config() const { return m_config; }
    void setConfig(ContextConfig config);
    CredentialSource &credentials() { return *m_credentials; }
    ServerList &servers() { return *m_servers; }
    std::optional<std::chrono::milliseconds> requestTimeout() const { return m_requestTimeout; }
    const std::optional<Error> &defect() const { return m_defect; } // why nothing can be sent at all

    // As CredentialSource's; another certificate than before ends what the old one opened.
    void material(QObject *context, CredentialSource::Done done);

    // `material`: as material() just gave it. The reply notes where it goes. `body`: of a write. An error: the proxy of this server.
    Result<QNetworkReply *> send(const Order &order, const QString &server, const Material &material, OnceDevice *body = nullptr);
    void mistrust(const QNetworkReply *reply, const QString &server);

    // 401: another credential is asked for. `done` gets it, or the error for the user when there is none.
    void renew(const Material &refused, const Error &error, QObject *context, CredentialSource::Done done);

private:
    void adopt(const Material &material);
    void sweep();
    Result<Lanes *> lanesTo(const QString &server);
    void checkConfig();

    ContextConfig m_config;
    std::shared_ptr<CredentialSource> m_credentials;
    std::shared_ptr<ServerList> m_servers;
    std::optional<std::chrono::milliseconds> m_requestTimeout;
    std::optional<Error> m_defect;
    std::optional<Material> m_identity;                // whose certificate the lanes use
    std::map<QString, std::unique_ptr<Lanes>> m_lanes; // by server
    std::vector<std::unique_ptr<Lanes>> m_retired;     // until their last write is answered
};

} // namespace switchyard::kube
