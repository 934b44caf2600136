// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What requests of one user are sent with: given in the kubeconfig, in files that are read again, or made by an exec plugin.
//
//   none ──asked──► running (exec, one at a time) ──► ready ──about to expire, or rejected──► running
//                      └─ failed: told to all who wait; tried again no sooner than the back-off says
#include "app/kube/kubeconfig.h"

#include <QObject>

#include <functional>
#include <memory>

namespace switchyard::kube {

struct Material
{
    quint64 generation = 0;            // another one whenever anything below changes
    QByteArray authorization;          // the whole header value; empty: none. Never logged
    QByteArray certificatePem, keyPem; // empty: none
    bool sameCertificate(const Material &other) const
    {
        return certificatePem == other.certificatePem && keyPem == other.keyPem;
    }
};

// Whether a program that a kubeconfig names may be run. Shared by all contexts.
class ExecTrust;
// Programs that run or have run, by what they are asked: two contexts with one user run it once. Shared by all contexts.
class ExecPool;

class CredentialSource : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<Material> &)>;

    // Without a pool, exec is refused with a message.
    explicit CredentialSource(const ContextConfig &config, std::shared_ptr<ExecPool> pool = nullptr, QObject *parent = nullptr);
    ~CredentialSource() override;

    // Called once, unless `context` dies first: at once (before this returns) when known and not about to expire, else when the
    // plugin has answered. Error::Unauthorized or NotSupported or Refused with what to do.
    void material(QObject *context, Done done);
    // The server answered 401 to this generation: the next material() asks anew. An old generation has no effect.
    void rejected(quint64 generation);
    // The kubeconfig was written anew: the same user with another credential.
    void replace(const Credential &credential);

Q_SIGNALS:
    void certificateChanged(); // connections made with the old one must not be used again

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
