// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/unauthorized.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSslCertificate>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct UnauthorizedWords
{
    Q_DECLARE_TR_FUNCTIONS(UnauthorizedWords)
};

QString certificateAdvice(const Credential &credential)
{
    const QList<QSslCertificate> chain = QSslCertificate::fromData(credential.certificatePem, QSsl::Pem);
    const QDateTime end = chain.isEmpty() ? QDateTime() : chain.first().expiryDate();
    if (end.isValid() && end < QDateTime::currentDateTimeUtc())
        return UnauthorizedWords::tr("its client certificate expired on %1: put a new one into the kubeconfig")
            .arg(end.toUTC().toString(u"yyyy-MM-dd HH:mm 'UTC'"_s));
    return UnauthorizedWords::tr("check that its client certificate is of this cluster's authority and not revoked");
}

QString adviceFor(const Credential &credential)
{
    if (!credential.tokenFile.isEmpty())
        return UnauthorizedWords::tr("the token in %1 is not, or no longer, valid: it is read again when the file changes")
            .arg(credential.tokenFile);
    if (!credential.token.isEmpty())
        return UnauthorizedWords::tr("its token is not, or no longer, valid: put a new one into the kubeconfig");
    if (!credential.basicUser.isEmpty())
        return UnauthorizedWords::tr("API servers since Kubernetes 1.19 know no user names with passwords: use another credential");
    if (!credential.certificatePem.isEmpty())
        return certificateAdvice(credential);
    if (credential.exec)
        return UnauthorizedWords::tr("what %1 gave is not accepted, though it was run again: log in anew with it, then press F5")
            .arg(credential.exec->command);
    return UnauthorizedWords::tr("the context gives no credential at all: add a user to it");
}

} // namespace

Error notAccepted(Error error, const ContextConfig &config)
{
    const Credential &credential = config.credential;
    error.kind = ErrorKind::Unauthorized;
    // Its own words are mostly the one word Unauthorized.
    if (error.message.empty() || error.message == "Unauthorized")
        error.message = UnauthorizedWords::tr("the credential is not accepted").toStdString();
    const QString who = credential.userName.isEmpty() ? UnauthorizedWords::tr("this context") : credential.userName;
    error.advice = UnauthorizedWords::tr("user %1: %2").arg(who, adviceFor(credential)).toStdString();
    return error;
}

} // namespace switchyard::kube
