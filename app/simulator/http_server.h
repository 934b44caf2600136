// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Just enough of an HTTP/1.1 server for an API server on loopback: keep-alive, bodies with a length, answers with a length or in
// chunks that never end. It can go silent without closing anything.
#include <QByteArray>
#include <QDateTime>
#include <QHash>
#include <QList>
#include <QObject>
#include <QString>
#include <QUrlQuery>

#include <functional>
#include <memory>

class QTcpServer;
class QTcpSocket;

namespace switchyard::simulator {

struct HttpRequest
{
    QByteArray method;
    QString path;
    QUrlQuery query;
    QHash<QByteArray, QByteArray> headers; // names in lower case
    QByteArray body;
    QString param(const QString &name) const { return query.queryItemValue(name, QUrl::FullyDecoded); }
};

class HttpServer;

// One client. Dies when its socket closes.
class HttpConnection : public QObject
{
    Q_OBJECT
public:
    HttpConnection(QTcpSocket *socket, HttpServer *server);
    void respond(int code, const QByteArray &body, const QByteArray &contentType = "application/json");
    void beginStream(); // 200, chunked
    void sendChunk(const QByteArray &data);
    void endStream(); // last chunk; the connection can be used again
    void closeNow();

private:
    friend class HttpServer;
    void read();
    bool takeRequest(HttpRequest *request);
    void send(const QByteArray &data);
    void thaw();
    void refuse(int code);
    QByteArray head(int code, const QByteArray &contentType) const;

    QTcpSocket *m_socket;
    HttpServer *m_server;
    QByteArray m_in, m_held;
    bool m_streaming = false, m_waiting = false, m_reading = false;
};

class HttpServer : public QObject
{
    Q_OBJECT
public:
    using Handler = std::function<void(const HttpRequest &, HttpConnection *)>;
    HttpServer(Handler handler, std::function<QDateTime()> clock, QObject *parent = nullptr);
    ~HttpServer() override;
    bool listen(QString *error); // 127.0.0.1; the same port again after a close
    void close();                // drops every connection
    void setFrozen(bool frozen);
    bool isFrozen() const { return m_frozen; }
    quint16 port() const { return m_port; }
    QDateTime now() const { return m_clock(); }

private:
    friend class HttpConnection;
    QTcpServer *m_server;
    Handler m_handler;
    std::function<QDateTime()> m_clock;
    QList<HttpConnection *> m_connections;
    quint16 m_port = 0;
    bool m_frozen = false;
};

} // namespace switchyard::simulator
