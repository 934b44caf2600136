// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/token.h"

#include <QCoreApplication>
#include <QFile>
#include <QHostAddress>

#include <algorithm>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

bool isTokenText(const QByteArray &token)
{
    return std::all_of(token.begin(), token.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool mayCarryToken(const QUrl &server)
{
    return server.scheme() == u"https"_s || server.host() == u"localhost"_s || QHostAddress(server.host()).isLoopback();
}

TokenSource::TokenSource(const ContextConfig &config)
    : m_file(config.credential.tokenFile)
    , m_last(config.credential.tokenFile.isEmpty() ? config.credential.token : QByteArray())
    , m_allowed(mayCarryToken(QUrl(config.server)))
{}

Result<QByteArray> TokenSource::token()
{
    if (!m_allowed)
        return QByteArray();
    if (m_file.isEmpty())
        return m_last;
    QFile file(m_file);
    QString defect;
    if (file.open(QIODevice::ReadOnly)) {
        const QByteArray text = file.read(1024 * 1024).trimmed();
        if (!text.isEmpty() && isTokenText(text)) {
            m_last = text;
            return m_last;
        }
        defect = QCoreApplication::translate("TokenSource", "the token file holds no token");
    } else {
        defect = QCoreApplication::translate("TokenSource", "the token file cannot be read: %1").arg(file.errorString());
    }
    if (!m_last.isEmpty())
        return m_last;
    return tl::unexpected(
        Error{.kind = ErrorKind::Io, .where = m_file.toStdString(), .field = "tokenFile", .message = defect.toStdString()});
}

} // namespace switchyard::kube
