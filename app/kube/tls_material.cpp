// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/tls_material.h"

#include <QCoreApplication>
#include <QSslCertificate>
#include <QSslSocket>

namespace switchyard::kube {
namespace {

struct TlsWords
{
    Q_DECLARE_TR_FUNCTIONS(TlsWords)
};

Error defect(ErrorKind kind, const QString &message)
{
    return Error{.kind = kind, .message = message.toStdString()};
}

// The object identifiers of Ed25519 and Ed448 in the DER form of a PKCS#8 key.
bool isEdwardsKey(const QByteArray &pem)
{
    const QByteArray begin = "-----BEGIN PRIVATE KEY-----";
    const qsizetype from = pem.indexOf(begin);
    const qsizetype to = pem.indexOf("-----END PRIVATE KEY-----");
    if (from < 0 || to < from)
        return false;
    const QByteArray der = QByteArray::fromBase64(pem.mid(from + begin.size(), to - from - begin.size()));
    return der.left(20).contains(QByteArray::fromHex("06032b6570")) || der.left(20).contains(QByteArray::fromHex("06032b6571"));
}

} // namespace

QSslKey privateKey(const QByteArray &pem)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        QSslKey key(pem, algorithm, QSsl::Pem, QSsl::PrivateKey);
        if (!key.isNull())
            return key;
    }
    return {};
}

std::optional<Error> caDefect(const QByteArray &pem)
{
    if (!QSslCertificate::fromData(pem, QSsl::Pem).isEmpty())
        return std::nullopt;
    return defect(ErrorKind::BadInput, TlsWords::tr("no certificate of an authority found (PEM expected)"));
}

std::optional<Error> certificateDefect(const QByteArray &pem)
{
    if (!QSslCertificate::fromData(pem, QSsl::Pem).isEmpty())
        return std::nullopt;
    return defect(ErrorKind::BadInput, TlsWords::tr("no client certificate found (PEM expected)"));
}

std::optional<Error> keyDefect(const QByteArray &pem)
{
    if (!privateKey(pem).isNull())
        return std::nullopt;
    if (isEdwardsKey(pem))
        return defect(ErrorKind::NotSupported, TlsWords::tr("Ed25519 and Ed448 keys are not supported by Qt; RSA and EC keys are"));
    if (pem.contains("ENCRYPTED"))
        return defect(ErrorKind::NotSupported, TlsWords::tr("keys protected by a passphrase are not supported"));
    if (pem.contains("PRIVATE KEY-----"))
        return defect(ErrorKind::BadInput, TlsWords::tr("the private key is damaged or of a kind that Qt does not know"));
    return defect(ErrorKind::BadInput, TlsWords::tr("no private key found (PEM expected)"));
}

QSslConfiguration tlsConfiguration(const ContextConfig &config, const QByteArray &certificatePem, const QByteArray &keyPem)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setProtocol(QSsl::TlsV1_2OrLater);
    tls.setPeerVerifyMode(config.insecureSkipTlsVerify ? QSslSocket::VerifyNone : QSslSocket::VerifyPeer);
    if (!config.caPem.isEmpty())
        tls.setCaCertificates(QSslCertificate::fromData(config.caPem, QSsl::Pem));
    const QList<QSslCertificate> chain = QSslCertificate::fromData(certificatePem, QSsl::Pem);
    if (!chain.isEmpty()) {
        tls.setLocalCertificateChain(chain);
        tls.setPrivateKey(privateKey(keyPem));
    }
    return tls;
}

} // namespace switchyard::kube
