// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// kubectl's flags over what a kubeconfig says. What a flag replaces can no longer be wrong.
#include "app/kube/kubeconfig.h"
#include "app/kube/tls_material.h"
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct OverrideWords
{
    Q_DECLARE_TR_FUNCTIONS(OverrideWords)
};

void report(ContextConfig &config, const char *flag, const QString &message, ErrorKind kind = ErrorKind::BadInput)
{
    config.problems.push_back(Error{.kind = kind, .field = flag, .message = message.toStdString()});
}

void forget(ContextConfig &config, std::initializer_list<std::string_view> fields)
{
    std::erase_if(config.problems, [&](const Error &problem) {
        return std::any_of(fields.begin(), fields.end(),
                           [&](std::string_view end) { return std::string_view(problem.field).ends_with(end); });
    });
}

// A name for the certificate belongs to the address that is no longer used.
void replaceServer(ContextConfig &config, const QString &server)
{
    forget(config, {".cluster.server", ".context.cluster"});
    config.server.clear();
    config.tlsServerName.clear();
    if (const std::optional<Error> defect = serverDefect(server))
        report(config, "--server", QString::fromStdString(defect->message), defect->kind);
    else
        config.server = server;
}

void replaceTrust(ContextConfig &config, const Overrides &overrides)
{
    forget(config, {".certificate-authority", ".certificate-authority-data", ".insecure-skip-tls-verify"});
    config.insecureSkipTlsVerify = overrides.insecureSkipTlsVerify;
    config.caPem.clear();
    config.caFile.clear();
    if (overrides.certificateAuthority.isEmpty())
        return;
    if (overrides.insecureSkipTlsVerify)
        report(config, "--insecure-skip-tls-verify", OverrideWords::tr("it excludes --certificate-authority"));
    config.caFile = QFileInfo(overrides.certificateAuthority).absoluteFilePath();
    QFile file(config.caFile);
    if (!file.open(QIODevice::ReadOnly)) {
        report(config, "--certificate-authority", OverrideWords::tr("%1 cannot be read: %2").arg(config.caFile, file.errorString()));
        return;
    }
    config.caPem = file.read(4 * 1024 * 1024);
    if (const std::optional<Error> defect = caDefect(config.caPem))
        report(config, "--certificate-authority", QString::fromStdString(defect->message), defect->kind);
}

// A client certificate stays, as with kubectl: the server decides which of the two it looks at first.
void replaceToken(ContextConfig &config, const QByteArray &token)
{
    Credential &credential = config.credential;
    forget(config, {".user.token", ".user.tokenFile"});
    credential.token = token;
    credential.tokenFile.clear();
    credential.exec.reset();
    if (!isTokenText(token))
        report(config, "--token", OverrideWords::tr("the token holds characters that no token can have"));
    if (!credential.basicUser.isEmpty() || !credential.basicPassword.isEmpty())
        report(config, "--token",
               OverrideWords::tr("the kubeconfig's user has a user name with password: that and a token exclude each other"));
}

void replaceImpersonation(ContextConfig &config, const Overrides &overrides)
{
    if (!overrides.asUser.isEmpty()) {
        config.impersonation.user = overrides.asUser;
        forget(config, {".user.as-uid", ".user.as-groups", ".user.as-user-extra"});
    }
    if (!overrides.asGroups.isEmpty())
        config.impersonation.groups = overrides.asGroups;
    if (!overrides.asGroups.isEmpty() && config.impersonation.user.isEmpty())
        report(config, "--as-group", OverrideWords::tr("only together with --as: whom to act as"));
}

// The new server may be one that secrets are not sent to, or the other way round.
void checkPlainHttp(ContextConfig &config)
{
    const Credential &credential = config.credential;
    const bool secret = !credential.token.isEmpty() || !credential.tokenFile.isEmpty() || !credential.basicUser.isEmpty()
        || !credential.basicPassword.isEmpty() || credential.exec.has_value();
    std::erase_if(config.problems, [](const Error &problem) { return problem.kind == ErrorKind::Refused; });
    if (secret && !config.server.isEmpty() && !mayCarryToken(QUrl(config.server)))
        report(config, "--server", OverrideWords::tr("the credential is not sent, because the connection is not encrypted"),
               ErrorKind::Refused);
}

} // namespace

ContextConfig withOverrides(ContextConfig config, const Overrides &overrides)
{
    if (!overrides.server.isEmpty())
        replaceServer(config, overrides.server);
    if (overrides.insecureSkipTlsVerify || !overrides.certificateAuthority.isEmpty())
        replaceTrust(config, overrides);
    if (!overrides.token.isEmpty())
        replaceToken(config, overrides.token);
    replaceImpersonation(config, overrides);
    if (!overrides.server.isEmpty() || !overrides.token.isEmpty())
        checkPlainHttp(config);
    return config;
}

} // namespace switchyard::kube
