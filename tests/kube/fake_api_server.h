// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An HTTP/1.1 server in the test's own process that answers as a handler says, byte by byte if need be: it can cut
// lines and bodies, freeze, close, swallow answers, and demand client certificates.
#include "app/kube/client.h"

#include <QMap>
#include <QObject>
#include <QPointer>
#include <QSslSocket>
#include <QTcpServer>
#include <QUrl>

#include <functional>
#include <memory>

namespace switchyard::test {

QString certificateFile(const QString &name); // e.g. "ca.crt"
QByteArray certificateText(const QString &name);

// Starts a watch whose credential is known at once; nullptr: it was refused.
QNetworkReply *startWatch(kube::Client &client, const kube::Path &path, const QUrlQuery &query = {});

// Runs the event loop until it is true, without the 10 to 50 ms steps of Qt Test: for loops over many cases.
bool waitUntil(const std::function<bool()> &condition, int milliseconds = 30000);

struct Request
{
    QByteArray method, target, version;   // target: path and query as sent
    QMap<QByteArray, QByteArray> headers; // names in lower case
    QByteArray body;
    int connection = 0;  // number of the connection, from 1
    QByteArray protocol; // agreed by ALPN; empty: none
    QString user;        // common name of the client's certificate
    QString path() const { return QUrl::fromEncoded(target).path(); }
    QString query(const QString &key) const;
    bool isWatch() const { return query(QStringLiteral("watch")) == QStringLiteral("true"); }
};

// One answer. Handlers may keep it and send more later.
class Exchange
{
public:
    Exchange(QTcpSocket *socket, Request request)
        : m_socket(socket)
        , m_request(std::move(request))
    {}
    const Request &request() const { return m_request; }
    bool open() const;   // the client is still there
    bool closed() const; // for good: the stream has ended, or the socket is gone

    using Headers = QList<std::pair<QByteArray, QByteArray>>;
    void answer(int status, const QByteArray &body, const Headers &headers = {});
    void startStream(int status = 200); // headers of a chunked answer
    void send(const QByteArray &bytes); // one chunk
    void endStream();                   // the last chunk: a clean end
    void raw(const QByteArray &bytes);  // as they are
    void close();                       // FIN after what was written
    void reset();                       // at once

private:
    QPointer<QTcpSocket> m_socket;
    Request m_request;
    bool m_ended = false;
};
using ExchangePtr = std::shared_ptr<Exchange>;

class FakeApiServer : public QObject
{
    Q_OBJECT
public:
    enum class Mode { Http, Https, MutualTls };
    using Handler = std::function<void(const ExchangePtr &)>;

    explicit FakeApiServer(Mode mode = Mode::Http, QObject *parent = nullptr);
    ~FakeApiServer() override;
    void setHandler(Handler handler) { m_handler = std::move(handler); }
    QString url() const;
    kube::ContextConfig config() const; // for url(), with the authority
    const QList<Request> &requests() const { return m_requests; }
    int count(const QByteArray &method) const;
    int connections() const { return m_connections; }
    int openSockets() const; // connections that are there now
    void stopListening() { m_server->close(); }
    void listenAgain();      // at the same port
    void dropConnections();  // reset, all of them
    void closeConnections(); // FIN after what was written
    void freeze();           // as a stopped process: connections are accepted by the kernel, nothing is read or answered
    void thaw();             // what came meanwhile is answered
    void setCertificate(const QString &certificate, const QString &key); // files; for connections from now on

private:
    void accept();
    void read(QTcpSocket *socket, int connection);
    QList<QTcpSocket *> sockets() const;
    bool takeRequest(QTcpSocket *socket, QByteArray &pending, int connection);

    Mode m_mode;
    std::unique_ptr<QTcpServer> m_server;
    quint16 m_port = 0;
    Handler m_handler;
    QList<Request> m_requests;
    QMap<int, QByteArray> m_pending;
    QMap<int, QPointer<QTcpSocket>> m_sockets;
    int m_connections = 0;
    bool m_frozen = false;
};

} // namespace switchyard::test
