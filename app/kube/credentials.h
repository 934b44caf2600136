// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What requests of one user are sent with: given in the kubeconfig, in files that are read again, or made by an exec plugin.
//
// As in client-go exec is not used when the kubeconfig gives a token, a password or a certificate.
//
//   none ──asked──► running (exec, one at a time) ──► ready ──about to expire, or rejected──► running
//                      └─ failed: told to all who wait; tried again no sooner than the back-off says
#include "app/kube/kubeconfig.h"

#include <QObject>

#include <functional>
#include <memory>

namespace switchyard::kube {

// What a request carries. Over plain http, except on this machine, nothing.
struct Material
{
    quint64 generation = 0;            // another one whenever anything below changes
    QByteArray authorization;          // the whole header value; empty: none. Never logged
    QByteArray certificatePem, keyPem; // empty: none
    bool sameCertificate(const Material &other) const { return certificatePem == other.certificatePem && keyPem == other.keyPem; }
};

// Whether a program that a kubeconfig names may be run. Shared by all contexts.
class ExecTrust;
// Programs that run or have run, by what they are asked: two contexts with one user run it once. Shared by all contexts.
class ExecPool;
struct Granted; // what a program gave

class CredentialSource : public QObject
{
    Q_OBJECT
public:
    using Done = std::function<void(const Result<Material> &)>;

    // Without a pool, exec is refused with a message.
    explicit CredentialSource(const ContextConfig &config, std::shared_ptr<ExecPool> pool = nullptr, QObject *parent = nullptr);
    ~CredentialSource() override;

    // Called once, unless `context` dies first: at once (before this returns) when known, else when the plugin has answered.
    // What is about to expire is still given, while the plugin runs for the next. On error: Unauthorized, NotSupported, Refused,
    // BadInput or Io with what to do; retryAfterSeconds when nothing new can be had before.
    void material(QObject *context, Done done);
    // The server answered 401 to this generation: the next material() asks anew, at once the first time, then no more often than
    // a back-off says; contexts whose server takes the same program's answer keep it. An old generation has no effect. Of a token or
    // password in the kubeconfig nothing new can be had.
    void rejected(quint64 generation);
    // A person asks to try again: the back-off is forgotten.
    void retryNow();
    // The kubeconfig was written anew: the same user with another credential.
    void replace(const Credential &credential);

Q_SIGNALS:
    // Inside material() or replace(), before the new material is handed out.
    void certificateChanged(); // connections made with the old one must not be used again

private:
    Material handOut(Material material);
    void askProgram();
    void answer(const Result<Granted> &granted);

    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::kube
