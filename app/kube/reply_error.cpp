// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/reply_error.h"

#include "app/kube/request.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSslError>
#include <QTimeZone>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

struct ReplyWords
{
    Q_DECLARE_TR_FUNCTIONS(ReplyWords)
};

constexpr const char *tlsProperty = "switchyardTlsErrors";
constexpr const char *limitProperty = "switchyardLimit";
constexpr const char *serverProperty = "switchyardServer";
constexpr const char *proxyProperty = "switchyardProxy";

ErrorKind kindOf(int status, const std::string &reason)
{
    if (reason == "Expired" || reason == "Gone")
        return ErrorKind::Gone;
    switch (status) {
    case 401: return ErrorKind::Unauthorized;
    case 403: return ErrorKind::Forbidden;
    case 404: return ErrorKind::NotFound;
    case 409: return ErrorKind::Conflict;
    case 410: return ErrorKind::Gone;
    case 429: return ErrorKind::Throttled;
    default: return ErrorKind::Server;
    }
}

QString wordsWithoutStatus(const QNetworkReply *reply, int status)
{
    if (status >= 300 && status < 400)
        return ReplyWords::tr("the server answered with a redirection, which is not followed");
    if (status == 404)
        return ReplyWords::tr("not found, and the answer is not one of a Kubernetes API: is the server address right?");
    const QString phrase = reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toString();
    return ReplyWords::tr("the server answered %1 %2, without a Kubernetes status").arg(status).arg(phrase.left(100)).trimmed();
}

// Qt has codes for the most of what happens at a proxy, but hands on one that says nothing for a proxy that refuses.
bool refusedByProxy(const QNetworkReply *reply)
{
    return reply->error() == QNetworkReply::ProxyConnectionRefusedError
        || (reply->error() == QNetworkReply::UnknownNetworkError && reply->errorString().contains(u"proxy"_s, Qt::CaseInsensitive));
}

// What the proxy itself has to say; empty: it is not about the proxy.
QString wordsOfProxy(const QNetworkReply *reply, const QString &proxy)
{
    if (refusedByProxy(reply))
        return ReplyWords::tr("the proxy %1 refused the connection, or will not connect to this server").arg(proxy);
    switch (reply->error()) {
    case QNetworkReply::ProxyConnectionClosedError: return ReplyWords::tr("the proxy %1 closed the connection").arg(proxy);
    case QNetworkReply::ProxyNotFoundError: return ReplyWords::tr("the name of the proxy %1 was not found").arg(proxy);
    case QNetworkReply::ProxyTimeoutError: return ReplyWords::tr("the proxy %1 does not answer").arg(proxy);
    case QNetworkReply::ProxyAuthenticationRequiredError:
        return ReplyWords::tr("the proxy %1 demands a user name and password (407), or does not accept those it was given").arg(proxy);
    case QNetworkReply::UnknownProxyError: return ReplyWords::tr("the proxy %1 gave an answer that is not understood").arg(proxy);
    default: return {};
    }
}

QString wordsWithoutAnswer(const QNetworkReply *reply)
{
    const QString proxy = reply->property(proxyProperty).toString();
    if (QString words = wordsOfProxy(reply, proxy); !proxy.isEmpty() && !words.isEmpty())
        return words;
    if (const QVariant limit = reply->property(limitProperty); limit.isValid())
        return ReplyWords::tr("no answer within %1 s").arg(QLocale::c().toString(limit.toLongLong() / 1000.0, 'g', 4));
    switch (reply->error()) {
    case QNetworkReply::NoError: return ReplyWords::tr("the answer is not one of a Kubernetes API: is there a proxy in between?");
    case QNetworkReply::ConnectionRefusedError: return ReplyWords::tr("the connection was refused: nothing listens at this address");
    case QNetworkReply::HostNotFoundError: return ReplyWords::tr("the name of the server was not found");
    case QNetworkReply::TimeoutError: return ReplyWords::tr("the connection timed out");
    case QNetworkReply::RemoteHostClosedError: return ReplyWords::tr("the server closed the connection without a complete answer");
    case QNetworkReply::ContentReSendError: return ReplyWords::tr("the connection ended before the answer; the request was not sent again");
    case QNetworkReply::OperationCanceledError: return ReplyWords::tr("the request was given up");
    case QNetworkReply::SslHandshakeFailedError: {
        const QStringList texts = reply->property(tlsProperty).toStringList();
        return ReplyWords::tr("no trusted TLS connection: %1").arg(tlsWords(texts.isEmpty() ? reply->errorString() : texts.join(u"; "_s)));
    }
    default: return tlsWords(reply->errorString());
    }
}

std::string adviceFor(const QNetworkReply *reply)
{
    if (const QString proxy = reply->property(proxyProperty).toString(); !proxy.isEmpty())
        return ReplyWords::tr("the way leads through the proxy %1 (proxy-url, HTTPS_PROXY): check it, or except the server by NO_PROXY")
            .arg(proxy)
            .toStdString();
    if (reply->error() != QNetworkReply::SslHandshakeFailedError)
        return {};
    return ReplyWords::tr("check certificate-authority, the server address and tls-server-name of this context").toStdString();
}

Error withoutAnswer(const QNetworkReply *reply)
{
    return Error{.kind = ErrorKind::Unreachable, .message = wordsWithoutAnswer(reply).toStdString(), .advice = adviceFor(reply)};
}

Error withStatus(const QNetworkReply *reply, const QByteArray &body, int status)
{
    if (const QString proxy = reply->property(proxyProperty).toString(); status == 407 && !proxy.isEmpty())
        return Error{.kind = ErrorKind::Unreachable,
                     .message = ReplyWords::tr("the proxy %1 demands a user name and password (407), or does not accept those it was given")
                                    .arg(proxy)
                                    .toStdString(),
                     .advice = adviceFor(reply)};
    Error error;
    std::optional<Error> told;
    if (status >= 400)
        told = decodeStatus(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
    if (told)
        error = *told;
    error.httpStatus = status;
    const ErrorKind byStatus = kindOf(status, error.reason);
    error.kind = told && byStatus == ErrorKind::Server ? told->kind : byStatus;
    if (error.message.empty())
        error.message = wordsWithoutStatus(reply, status).toStdString();
    bool whole = false;
    const int seconds = reply->rawHeader("Retry-After").trimmed().toInt(&whole);
    if (whole && seconds >= 0)
        error.retryAfterSeconds = seconds;
    return error;
}

} // namespace

void noteTlsErrors(QNetworkReply *reply)
{
    QObject::connect(reply, &QNetworkReply::sslErrors, reply, [reply](const QList<QSslError> &errors) {
        QStringList texts = reply->property(tlsProperty).toStringList();
        for (const QSslError &error : errors) {
            if (const QString text = error.errorString(); !texts.contains(text))
                texts.append(text);
        }
        reply->setProperty(tlsProperty, texts);
    });
}

void notePlace(QNetworkReply *reply, const QString &server, const QString &proxy)
{
    reply->setProperty(serverProperty, server);
    reply->setProperty(proxyProperty, proxy);
}

QString placeOf(const QNetworkReply *reply)
{
    return reply->property(serverProperty).toString();
}

bool neverConnected(const QNetworkReply *reply)
{
    switch (reply->error()) {
    case QNetworkReply::ConnectionRefusedError:
    case QNetworkReply::HostNotFoundError:
    case QNetworkReply::SslHandshakeFailedError:
    case QNetworkReply::ProxyNotFoundError:
    case QNetworkReply::ProxyAuthenticationRequiredError: return true;
    default: return refusedByProxy(reply);
    }
}

void noteTimeout(QNetworkReply *reply, std::chrono::milliseconds limit)
{
    reply->setProperty(limitProperty, static_cast<qlonglong>(limit.count()));
}

int statusOf(const QNetworkReply *reply)
{
    return reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

bool isCutShort(const QNetworkReply *reply, const QByteArray &body)
{
    bool known = false;
    const qint64 length = reply->rawHeader("Content-Length").trimmed().toLongLong(&known);
    if (known && reply->rawHeader("Content-Encoding").isEmpty())
        return body.size() < length;
    // Unknown length: an answer in JSON ends with its closing bracket.
    const QByteArray end = body.trimmed().right(1);
    return reply->rawHeader("Content-Type").startsWith("application/json") && end != "}" && end != "]";
}

std::optional<Instant> serverDate(const QNetworkReply *reply)
{
    const QString text = QString::fromLatin1(reply->rawHeader("Date").trimmed());
    QDateTime date = QLocale::c().toDateTime(text, u"ddd, dd MMM yyyy HH:mm:ss 'GMT'"_s);
    if (!date.isValid())
        return std::nullopt;
    date.setTimeZone(QTimeZone::utc());
    return Instant(std::chrono::seconds(date.toSecsSinceEpoch()));
}

Error errorOfReply(const QNetworkReply *reply, const QByteArray &body, const QString &server)
{
    const int status = statusOf(reply);
    // A stream that broke after a good status: what matters is how it broke.
    Error error = status == 0 || (status >= 200 && status < 300) ? withoutAnswer(reply) : withStatus(reply, body, status);
    if (status >= 200 && status < 300 && reply->error() == QNetworkReply::NoError)
        error.kind = ErrorKind::Server;
    error.httpStatus = status;
    error.where = serverName(server);
    return error;
}

Error cutShortError(const QString &server, int status)
{
    return Error{.kind = ErrorKind::Server,
                 .where = serverName(server),
                 .httpStatus = status,
                 .message = ReplyWords::tr("the answer was cut short").toStdString()};
}

QString tlsWords(const QString &text)
{
    if (text.contains(u"bad certificate"_s) || text.contains(u"certificate required"_s) || text.contains(u"handshake failure"_s)
        || text.contains(u"certificate unknown"_s) || text.contains(u"unknown ca"_s))
        return ReplyWords::tr("the server demands a client certificate, or does not accept the one it was given");
    if (text.contains(u"no key"_s) || text.contains(u"key values mismatch"_s) || text.contains(u"private key"_s))
        return ReplyWords::tr("the client certificate and its key do not belong together");
    if (text.contains(u"wrong version number"_s) || text.contains(u"record layer"_s))
        return ReplyWords::tr("the server does not speak TLS at this address");
    return text;
}

} // namespace switchyard::kube
