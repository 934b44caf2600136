// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tokens and client certificates in files: read again when the file has changed, and at least once a minute.
#include "app/kube/kubeconfig.h"
#include "app/kube/watch.h"

#include <optional>

namespace switchyard::kube {

// What tells one state of a file from another: cheap to ask for at each request.
struct FileStamp
{
    qint64 device = 0, inode = 0, size = 0, modified = 0, changed = 0; // times in nanoseconds
    bool operator==(const FileStamp &) const = default;
};
std::optional<FileStamp> stampOf(const QString &path); // nullopt: no such file at the moment; links are followed

// Whether a file has to be read again.
class FileCheck
{
public:
    bool due(const QString &path, Boot now); // true once for each change, and a minute after the last true
    void force() { m_read.reset(); }

private:
    std::optional<FileStamp> m_stamp;
    std::optional<Boot> m_read;
};

class TokenFile
{
public:
    // `given`: the token beside the tokenFile, which serves as long as the file gives none.
    TokenFile(QString path, QByteArray given, Clock clock);
    // A file that is just being replaced gives the last good token, and an error if there never was one.
    Result<QByteArray> token();
    void readAnew() { m_check.force(); }

private:
    Result<QByteArray> read() const;

    QString m_path;
    QByteArray m_good;
    Clock m_clock;
    FileCheck m_check;
    std::optional<Error> m_defect;
};

struct KeyPair
{
    QByteArray certificatePem, keyPem;
    bool operator==(const KeyPair &) const = default;
};

// Why the two cannot be used together; nullopt: they can. Never quotes them.
std::optional<Error> pairDefect(const KeyPair &pair);

// A client certificate and its key, each inline or in a file.
class CertificateFiles
{
public:
    CertificateFiles(const Credential &credential, Clock clock);
    // While the files do not fit together (one of them is replaced, the other not yet) the last pair that did.
    Result<KeyPair> pair();
    void readAnew();

private:
    Result<KeyPair> read() const;

    KeyPair m_inline;
    QString m_certificateFile, m_keyFile;
    Clock m_clock;
    FileCheck m_certificateCheck, m_keyCheck;
    KeyPair m_good;
    std::optional<Error> m_defect;
};

} // namespace switchyard::kube
