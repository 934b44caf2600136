// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The end of a reply as an Error: the HTTP status and the server's own Status first, Qt's codes only where there is no answer.
#include "app/kube/client.h"

#include <QNetworkReply>
#include <QStringList>

namespace switchyard::kube {

// Remembers on the reply what errors signals tell only once: TLS problems, and that our own time limit ended it.
void noteTlsErrors(QNetworkReply *reply);
// The API server that it goes to, and the proxy on the way (a name without password; empty: none).
void notePlace(QNetworkReply *reply, const QString &server, const QString &proxy);
QString placeOf(const QNetworkReply *reply);
void noteTimeout(QNetworkReply *reply, std::chrono::milliseconds limit);

int statusOf(const QNetworkReply *reply); // 0: no answer

// Qt calls a body shorter than its Content-Length complete: this does not.
bool isCutShort(const QNetworkReply *reply, const QByteArray &body);
std::optional<Instant> serverDate(const QNetworkReply *reply);

// No connection came about at all: asking the same server again at once is of no use.
bool neverConnected(const QNetworkReply *reply);

Error errorOfReply(const QNetworkReply *reply, const QByteArray &body, const QString &server);
Error cutShortError(const QString &server, int status);

// OpenSSL's words into words for people; the text itself where it is not known.
QString tlsWords(const QString &text);

} // namespace switchyard::kube
