// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/credential_files.h"

#include "app/kube/tls_material.h"
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QFile>
#include <QSslCertificate>

#include <algorithm>
#include <sys/stat.h>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct CredentialWords
{
    Q_DECLARE_TR_FUNCTIONS(CredentialWords)
};

constexpr qint64 largestFile = 1024 * 1024;
constexpr Duration readAgain = std::chrono::minutes(1);

qint64 nanoseconds(const timespec &time)
{
    return static_cast<qint64>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

Error fileError(ErrorKind kind, const QString &file, const char *field, const QString &message)
{
    return Error{.kind = kind, .where = file.toStdString(), .field = field, .message = message.toStdString()};
}

Result<QByteArray> contentOf(const QString &path, const char *field)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return tl::unexpected(fileError(ErrorKind::Io, path, field, CredentialWords::tr("cannot be read: %1").arg(file.errorString())));
    return file.read(largestFile);
}

// The end of the public key stands word for word in the private one: modulus and exponent for RSA, y for DSA; of a point on a
// curve at least its x does, whichever way the key was written down.
bool belongTogether(const QSslCertificate &certificate, const QSslKey &key)
{
    const QSslKey open = certificate.publicKey();
    if (open.isNull() || open.algorithm() != key.algorithm())
        return false;
    const QByteArray both = key.toDer();
    const QByteArray shared = open.toDer();
    if (key.algorithm() != QSsl::Ec)
        return shared.size() > 64 && both.contains(shared.right(64));
    const qsizetype coordinate = (open.length() + 7) / 8;
    return coordinate > 0 && (both.contains(shared.right(coordinate)) || both.contains(shared.right(2 * coordinate).left(coordinate)));
}

} // namespace

std::optional<FileStamp> stampOf(const QString &path)
{
    struct stat status = {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return std::nullopt;
    return FileStamp{.device = static_cast<qint64>(status.st_dev),
                     .inode = static_cast<qint64>(status.st_ino),
                     .size = static_cast<qint64>(status.st_size),
                     .modified = nanoseconds(status.st_mtim),
                     .changed = nanoseconds(status.st_ctim)};
}

bool FileCheck::due(const QString &path, Boot now)
{
    const std::optional<FileStamp> stamp = stampOf(path);
    if (m_read && stamp == m_stamp && now - *m_read < readAgain)
        return false;
    m_stamp = stamp;
    m_read = now;
    return true;
}

TokenFile::TokenFile(QString path, QByteArray given, Clock clock)
    : m_path(std::move(path))
    , m_good(std::move(given))
    , m_clock(std::move(clock))
{}

Result<QByteArray> TokenFile::read() const
{
    Result<QByteArray> content = contentOf(m_path, "tokenFile");
    if (!content)
        return content;
    const QByteArray text = content->trimmed();
    if (text.isEmpty() || !isTokenText(text))
        return tl::unexpected(fileError(ErrorKind::Io, m_path, "tokenFile", CredentialWords::tr("the token file holds no token")));
    return text;
}

Result<QByteArray> TokenFile::token()
{
    if (m_check.due(m_path, m_clock.now().boot)) {
        const Result<QByteArray> token = read();
        if (token)
            m_good = *token;
        m_defect = token ? std::nullopt : std::optional<Error>(token.error());
    }
    if (m_good.isEmpty() && m_defect)
        return tl::unexpected(*m_defect);
    return m_good;
}

std::optional<Error> pairDefect(const KeyPair &pair)
{
    if (std::optional<Error> defect = certificateDefect(pair.certificatePem)) {
        defect->field = "client-certificate";
        return defect;
    }
    if (std::optional<Error> defect = keyDefect(pair.keyPem)) {
        defect->field = "client-key";
        return defect;
    }
    if (belongTogether(QSslCertificate::fromData(pair.certificatePem, QSsl::Pem).first(), privateKey(pair.keyPem)))
        return std::nullopt;
    return Error{.kind = ErrorKind::BadInput,
                 .field = "client-key",
                 .message = CredentialWords::tr("the client certificate and its key do not belong together").toStdString()};
}

CertificateFiles::CertificateFiles(const Credential &credential, Clock clock)
    : m_inline{credential.certificatePem, credential.keyPem}
    , m_certificateFile(credential.certificateFile)
    , m_keyFile(credential.keyFile)
    , m_clock(std::move(clock))
{}

Result<KeyPair> CertificateFiles::read() const
{
    KeyPair pair = m_inline;
    if (!m_certificateFile.isEmpty()) {
        const Result<QByteArray> text = contentOf(m_certificateFile, "client-certificate");
        if (!text)
            return tl::unexpected(text.error());
        pair.certificatePem = *text;
    }
    if (!m_keyFile.isEmpty()) {
        const Result<QByteArray> text = contentOf(m_keyFile, "client-key");
        if (!text)
            return tl::unexpected(text.error());
        pair.keyPem = *text;
    }
    if (pair == KeyPair())
        return pair;
    if (std::optional<Error> defect = pairDefect(pair)) {
        const QString &file = defect->field == "client-key" ? m_keyFile : m_certificateFile;
        defect->where = file.toStdString();
        return tl::unexpected(*defect);
    }
    return pair;
}

Result<KeyPair> CertificateFiles::pair()
{
    const Boot now = m_clock.now().boot;
    // Both are asked for: each remembers what it has seen.
    const bool certificateDue = m_certificateCheck.due(m_certificateFile, now);
    const bool keyDue = m_keyCheck.due(m_keyFile, now);
    const bool fixed = m_certificateFile.isEmpty() && m_keyFile.isEmpty() && (m_defect || !(m_good == KeyPair()));
    if (!fixed && (certificateDue || keyDue)) {
        const Result<KeyPair> pair = read();
        if (pair)
            m_good = *pair;
        else if (m_good == KeyPair() && !pairDefect(m_inline))
            m_good = m_inline; // as the kubeconfig's reader found them a moment ago
        m_defect = pair ? std::nullopt : std::optional<Error>(pair.error());
    }
    if (m_good == KeyPair() && m_defect)
        return tl::unexpected(*m_defect);
    return m_good;
}

void CertificateFiles::readAnew()
{
    m_certificateCheck.force();
    m_keyCheck.force();
}

} // namespace switchyard::kube
