// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/credentials.h"

#include "app/kube/credential_files.h"
#include "app/kube/exec_entry.h"
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QPointer>
#include <QUrl>

namespace switchyard::kube {

namespace {

struct CredentialWords
{
    Q_DECLARE_TR_FUNCTIONS(CredentialWords)
};

bool usesExec(const Credential &credential)
{
    return credential.exec && credential.token.isEmpty() && credential.tokenFile.isEmpty() && credential.basicUser.isEmpty()
        && credential.basicPassword.isEmpty() && credential.certificatePem.isEmpty() && credential.certificateFile.isEmpty();
}

QByteArray bearer(const QByteArray &token)
{
    return QByteArray("Bearer " + token);
}

Error noPool()
{
    return Error{.kind = ErrorKind::NotSupported,
                 .field = "exec",
                 .message = CredentialWords::tr("credentials from a program (exec) cannot be had here").toStdString()};
}

} // namespace

struct CredentialSource::Impl
{
    using Waiter = std::pair<QPointer<QObject>, Done>;

    Impl(const ContextConfig &c, std::shared_ptr<ExecPool> p)
        : config(c)
        , pool(std::move(p))
        , allowed(mayCarryToken(QUrl(c.server)))
        , tokenFile(c.credential.tokenFile, c.credential.token, systemClock())
        , certificates(c.credential, systemClock())
    {
        if (pool && runsProgram())
            entry = pool->entry(config);
    }

    bool runsProgram() const { return allowed && usesExec(config.credential); }
    Result<Material> given();
    Result<QByteArray> authorization();

    ContextConfig config;
    std::shared_ptr<ExecPool> pool;
    bool allowed;
    TokenFile tokenFile;
    CertificateFiles certificates;
    Material current; // as last handed out; generation 0: never yet

    std::shared_ptr<ExecEntry> entry;
    quint64 serial = 0; // of the program's answer that `current` is
    Refusals refusals;  // by this server; the entry's other users may be luckier
    bool asking = false;
    std::vector<Waiter> waiting;
};

// As client-go ranks them; the kubeconfig's reader reports several at once.
Result<QByteArray> CredentialSource::Impl::authorization()
{
    const Credential &credential = config.credential;
    if (!credential.tokenFile.isEmpty()) {
        const Result<QByteArray> token = tokenFile.token();
        return token ? Result<QByteArray>(bearer(*token)) : token;
    }
    if (!credential.token.isEmpty())
        return bearer(credential.token);
    if (credential.basicUser.isEmpty() && credential.basicPassword.isEmpty())
        return QByteArray();
    const QByteArray pair = credential.basicUser.toUtf8() + ':' + credential.basicPassword;
    return QByteArray("Basic " + pair.toBase64());
}

Result<Material> CredentialSource::Impl::given()
{
    if (!allowed)
        return Material{};
    const Result<QByteArray> header = authorization();
    if (!header)
        return tl::unexpected(header.error());
    const Result<KeyPair> pair = certificates.pair();
    if (!pair)
        return tl::unexpected(pair.error());
    return Material{.generation = 0, .authorization = *header, .certificatePem = pair->certificatePem, .keyPem = pair->keyPem};
}

CredentialSource::CredentialSource(const ContextConfig &config, std::shared_ptr<ExecPool> pool, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Impl>(config, std::move(pool)))
{}

CredentialSource::~CredentialSource() = default;

Material CredentialSource::handOut(Material material)
{
    Material &current = d->current;
    const bool first = current.generation == 0;
    const bool certificate = !first && !current.sameCertificate(material);
    material.generation = current.generation;
    if (first || certificate || current.authorization != material.authorization)
        ++material.generation;
    current = material;
    if (certificate)
        Q_EMIT certificateChanged();
    return material;
}

void CredentialSource::material(QObject *context, Done done)
{
    if (!d->runsProgram()) {
        const Result<Material> given = d->given();
        return done(given ? Result<Material>(handOut(*given)) : given);
    }
    if (!d->entry)
        return done(tl::unexpected(noPool()));
    d->waiting.emplace_back(context ? context : this, std::move(done));
    askProgram();
}

void CredentialSource::askProgram()
{
    if (d->asking)
        return;
    d->asking = true;
    // replace() lets go of the entry, which then answers no more.
    const std::shared_ptr<ExecEntry> entry = d->entry;
    entry->get(this, d->refusals, [this, from = std::weak_ptr<ExecEntry>(entry)](const Result<Granted> &granted) {
        if (from.lock() == d->entry)
            answer(granted);
    });
}

void CredentialSource::answer(const Result<Granted> &granted)
{
    d->asking = false;
    Result<Material> result = granted.map([](const Granted &g) {
        return Material{.generation = 0,
                        .authorization = g.result.token.isEmpty() ? QByteArray() : bearer(g.result.token),
                        .certificatePem = g.result.certificatePem,
                        .keyPem = g.result.keyPem};
    });
    const auto waiting = std::exchange(d->waiting, {});
    const QPointer<CredentialSource> self(this);
    if (result) {
        d->serial = granted->serial;
        result = handOut(*result);
    }
    for (const Impl::Waiter &waiter : waiting)
        if (self && waiter.first)
            waiter.second(result);
}

void CredentialSource::rejected(quint64 generation)
{
    if (generation != d->current.generation)
        return;
    d->tokenFile.readAnew();
    d->certificates.readAnew();
    if (d->entry)
        d->entry->refused(d->serial, d->refusals);
}

void CredentialSource::retryNow()
{
    d->tokenFile.readAnew();
    d->certificates.readAnew();
    d->refusals.count = 0;
    d->refusals.notBefore.reset();
    if (d->entry)
        d->entry->retryNow();
}

void CredentialSource::replace(const Credential &credential)
{
    if (credential == d->config.credential)
        return;
    ContextConfig config = d->config;
    config.credential = credential;
    auto next = std::make_unique<Impl>(config, d->pool);
    next->current = d->current;
    auto waiting = std::exchange(d->waiting, {});
    d = std::move(next);
    const QPointer<CredentialSource> self(this);
    for (Impl::Waiter &waiter : waiting)
        if (self && waiter.first)
            material(waiter.first, std::move(waiter.second));
}

} // namespace switchyard::kube
