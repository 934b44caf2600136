// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/http_server.h"

#include <QLocale>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <utility>

using namespace Qt::StringLiterals;

namespace switchyard::simulator {

namespace {

constexpr qsizetype maxHead = 64 * 1024, maxBody = 4 * 1024 * 1024;

QByteArray phrase(int code)
{
    switch (code) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 411: return "Length Required";
    case 412: return "Precondition Failed";
    case 413: return "Request Entity Too Large";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Entity";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Status";
    }
}

} // namespace

HttpConnection::HttpConnection(QTcpSocket *socket, HttpServer *server)
    : QObject(server)
    , m_socket(socket)
    , m_server(server)
{
    socket->setParent(this);
    socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
    connect(socket, &QTcpSocket::readyRead, this, &HttpConnection::read);
    connect(socket, &QTcpSocket::disconnected, this, [this] {
        m_server->m_connections.removeOne(this);
        deleteLater();
    });
}

// One request at a time; what follows waits until this one is answered.
void HttpConnection::read()
{
    if (m_server->isFrozen())
        return;
    m_in += m_socket->readAll();
    if (m_reading)
        return;
    m_reading = true;
    HttpRequest request;
    while (!m_waiting && !m_streaming && takeRequest(&request)) {
        m_waiting = true;
        m_server->m_handler(request, this);
    }
    m_reading = false;
}

bool HttpConnection::takeRequest(HttpRequest *request)
{
    const qsizetype end = m_in.indexOf("\r\n\r\n");
    if (end < 0) {
        if (m_in.size() > maxHead)
            refuse(413);
        return false;
    }
    QList<QByteArray> lines = m_in.first(end).split('\n');
    const QList<QByteArray> first = lines.takeFirst().trimmed().split(' ');
    if (first.size() != 3 || !first[2].startsWith("HTTP/1.")) {
        refuse(400);
        return false;
    }
    *request = {};
    for (const QByteArray &line : std::as_const(lines)) {
        const qsizetype colon = line.indexOf(':');
        if (colon > 0)
            request->headers[line.first(colon).trimmed().toLower()] = line.sliced(colon + 1).trimmed();
    }
    if (request->headers.contains("transfer-encoding")) {
        refuse(501);
        return false;
    }
    const qsizetype length = request->headers.value("content-length", "0").toLongLong();
    if (length < 0 || length > maxBody) {
        refuse(413);
        return false;
    }
    if (m_in.size() < end + 4 + length)
        return false;
    request->method = first[0];
    const QUrl url = QUrl::fromEncoded(first[1], QUrl::StrictMode);
    request->path = url.path(QUrl::FullyDecoded);
    request->query = QUrlQuery(url);
    request->body = m_in.sliced(end + 4, length);
    m_in.remove(0, end + 4 + length);
    return true;
}

void HttpConnection::refuse(int code)
{
    m_in.clear();
    respond(code, phrase(code) + '\n', "text/plain");
    m_socket->disconnectFromHost();
}

QByteArray HttpConnection::head(int code, const QByteArray &contentType) const
{
    const QString date = QLocale::c().toString(m_server->now().toUTC(), u"ddd, dd MMM yyyy hh:mm:ss 'GMT'"_s);
    return "HTTP/1.1 " + QByteArray::number(code) + ' ' + phrase(code) + "\r\nDate: " + date.toLatin1() + "\r\nContent-Type: " + contentType
        + "\r\nCache-Control: no-cache, private\r\n";
}

void HttpConnection::respond(int code, const QByteArray &body, const QByteArray &contentType)
{
    send(head(code, contentType) + "Content-Length: " + QByteArray::number(body.size()) + "\r\n\r\n" + body);
    m_waiting = false;
    if (!m_reading && !m_in.isEmpty())
        QMetaObject::invokeMethod(this, &HttpConnection::read, Qt::QueuedConnection);
}

void HttpConnection::beginStream()
{
    m_streaming = true;
    send(head(200, "application/json") + "Transfer-Encoding: chunked\r\n\r\n");
}

void HttpConnection::sendChunk(const QByteArray &data)
{
    if (m_streaming && !data.isEmpty())
        send(QByteArray::number(data.size(), 16) + "\r\n" + data + "\r\n");
}

void HttpConnection::endStream()
{
    if (!m_streaming)
        return;
    send("0\r\n\r\n");
    m_streaming = m_waiting = false;
    QMetaObject::invokeMethod(this, &HttpConnection::read, Qt::QueuedConnection);
}

void HttpConnection::closeNow()
{
    m_socket->abort();
}

void HttpConnection::send(const QByteArray &data)
{
    if (m_server->isFrozen())
        m_held += data;
    else if (m_socket->state() == QAbstractSocket::ConnectedState)
        m_socket->write(data);
}

void HttpConnection::thaw()
{
    const QByteArray held = std::exchange(m_held, {});
    send(held);
    read();
}

HttpServer::HttpServer(Handler handler, std::function<QDateTime()> clock, QObject *parent)
    : QObject(parent)
    , m_server(new QTcpServer(this))
    , m_handler(std::move(handler))
    , m_clock(std::move(clock))
{
    connect(m_server, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *socket = m_server->nextPendingConnection())
            m_connections.append(new HttpConnection(socket, this));
    });
}

HttpServer::~HttpServer()
{
    close();
}

bool HttpServer::listen(QString *error)
{
    if (m_server->isListening())
        return true;
    if (!m_server->listen(QHostAddress::LocalHost, m_port)) {
        if (error)
            *error = m_server->errorString();
        return false;
    }
    m_port = m_server->serverPort();
    return true;
}

void HttpServer::close()
{
    m_server->close();
    const auto connections = m_connections; // each abort removes itself from the list
    for (HttpConnection *connection : connections)
        connection->closeNow();
}

void HttpServer::setFrozen(bool frozen)
{
    if (m_frozen == frozen)
        return;
    m_frozen = frozen;
    if (frozen)
        return;
    const auto connections = m_connections;
    for (HttpConnection *connection : connections)
        connection->thaw();
}

} // namespace switchyard::simulator
