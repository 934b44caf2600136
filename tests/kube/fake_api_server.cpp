// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_api_server.h"

#include <QCoreApplication>
#include <QFile>
#include <QSslCertificate>
#include <QSslKey>
#include <QSslServer>
#include <QTimer>
#include <QUrlQuery>

namespace switchyard::test {

using namespace Qt::StringLiterals;

QString certificateFile(const QString &name)
{
    return QStringLiteral(TEST_CERTIFICATES "/") + name;
}

QByteArray certificateText(const QString &name)
{
    QFile file(certificateFile(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no test certificate %s", qPrintable(file.fileName()));
    return file.readAll();
}

QNetworkReply *startWatch(kube::Client &client, const kube::Path &path, const QUrlQuery &query)
{
    auto reply = std::make_shared<QNetworkReply *>(nullptr);
    QObject waits; // the answer must come at once
    client.startWatch(path, query, &waits,
                      [reply](const Result<kube::Client::Stream> &stream) { *reply = stream ? stream->reply : nullptr; });
    return *reply;
}

bool waitUntil(const std::function<bool()> &condition, int milliseconds)
{
    QTimer limit;
    limit.setSingleShot(true);
    limit.start(milliseconds);
    while (!condition() && limit.isActive())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return condition();
}

QString Request::query(const QString &key) const
{
    return QUrlQuery(QUrl::fromEncoded(target)).queryItemValue(key, QUrl::FullyDecoded);
}

bool Exchange::open() const
{
    return m_socket && m_socket->state() == QAbstractSocket::ConnectedState;
}

bool Exchange::closed() const
{
    return m_ended || !m_socket || m_socket->state() == QAbstractSocket::UnconnectedState;
}

void Exchange::answer(int status, const QByteArray &body, const Headers &headers)
{
    QByteArray head = "HTTP/1.1 " + QByteArray::number(status) + " Whatever\r\n";
    bool length = false, type = false;
    for (const auto &[name, value] : headers) {
        head += name + ": " + value + "\r\n";
        length = length || name == "Content-Length";
        type = type || name == "Content-Type";
    }
    if (!type)
        head += "Content-Type: application/json\r\n";
    if (!length)
        head += "Content-Length: " + QByteArray::number(body.size()) + "\r\n";
    raw(head + "\r\n" + body);
}

void Exchange::startStream(int status)
{
    raw("HTTP/1.1 " + QByteArray::number(status) + " Whatever\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
}

void Exchange::send(const QByteArray &bytes)
{
    raw(QByteArray::number(bytes.size(), 16) + "\r\n" + bytes + "\r\n");
}

void Exchange::endStream()
{
    raw("0\r\n\r\n");
    m_ended = true;
}

void Exchange::raw(const QByteArray &bytes)
{
    if (!open())
        return;
    m_socket->write(bytes);
    m_socket->flush();
}

void Exchange::close()
{
    if (m_socket)
        m_socket->disconnectFromHost();
}

void Exchange::reset()
{
    if (m_socket)
        m_socket->abort();
}

namespace {

QSslConfiguration serverTls(FakeApiServer::Mode mode, const QString &certificate, const QString &key)
{
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    tls.setLocalCertificate(QSslCertificate(certificateText(certificate)));
    tls.setPrivateKey(QSslKey(certificateText(key), QSsl::Rsa));
    tls.setCaCertificates(QSslCertificate::fromData(certificateText(u"ca.crt"_s)));
    tls.setPeerVerifyMode(mode == FakeApiServer::Mode::MutualTls ? QSslSocket::VerifyPeer : QSslSocket::VerifyNone);
    tls.setAllowedNextProtocols({"h2", "http/1.1"}); // whoever offers HTTP/2 gets it, and then cannot be understood
    return tls;
}

std::unique_ptr<QTcpServer> makeServer(FakeApiServer::Mode mode)
{
    if (mode == FakeApiServer::Mode::Http)
        return std::make_unique<QTcpServer>();
    auto server = std::make_unique<QSslServer>();
    server->setSslConfiguration(serverTls(mode, u"server.crt"_s, u"server.key"_s));
    return server;
}

} // namespace

FakeApiServer::FakeApiServer(Mode mode, QObject *parent)
    : QObject(parent)
    , m_mode(mode)
    , m_server(makeServer(mode))
{
    connect(m_server.get(), &QTcpServer::pendingConnectionAvailable, this, &FakeApiServer::accept);
    if (!m_server->listen(QHostAddress::LocalHost))
        qFatal("cannot listen on loopback");
    m_port = m_server->serverPort();
    m_handler = [](const ExchangePtr &exchange) { exchange->answer(404, "{}"); };
}

FakeApiServer::~FakeApiServer() = default;

QString FakeApiServer::url() const
{
    return (m_mode == Mode::Http ? u"http"_s : u"https"_s) + u"://127.0.0.1:"_s + QString::number(m_port);
}

kube::ContextConfig FakeApiServer::config() const
{
    kube::ContextConfig config;
    config.name = u"test"_s;
    config.server = url();
    if (m_mode != Mode::Http)
        config.caPem = certificateText(u"ca.crt"_s);
    return config;
}

int FakeApiServer::count(const QByteArray &method) const
{
    return static_cast<int>(std::count_if(m_requests.begin(), m_requests.end(), [&](const Request &r) { return r.method == method; }));
}

QList<QTcpSocket *> FakeApiServer::sockets() const
{
    QList<QTcpSocket *> all;
    for (const QPointer<QTcpSocket> &socket : m_sockets) {
        if (socket && socket->state() != QAbstractSocket::UnconnectedState)
            all.append(socket);
    }
    return all;
}

int FakeApiServer::openSockets() const
{
    return static_cast<int>(sockets().size());
}

void FakeApiServer::listenAgain()
{
    if (!m_server->isListening() && !m_server->listen(QHostAddress::LocalHost, m_port))
        qFatal("cannot listen on port %d again", m_port);
}

void FakeApiServer::dropConnections()
{
    for (QTcpSocket *socket : sockets())
        socket->abort();
}

void FakeApiServer::closeConnections()
{
    for (QTcpSocket *socket : sockets())
        socket->disconnectFromHost();
}

void FakeApiServer::freeze()
{
    m_frozen = true;
    m_server->pauseAccepting();
}

void FakeApiServer::thaw()
{
    m_frozen = false;
    m_server->resumeAccepting();
    const auto known = m_sockets;
    for (auto it = known.begin(); it != known.end(); ++it) {
        if (it.value())
            read(it.value(), it.key());
    }
}

void FakeApiServer::setCertificate(const QString &certificate, const QString &key)
{
    if (auto *server = qobject_cast<QSslServer *>(m_server.get()))
        server->setSslConfiguration(serverTls(m_mode, certificate, key));
}

void FakeApiServer::accept()
{
    while (QTcpSocket *socket = m_server->nextPendingConnection()) {
        const int connection = ++m_connections;
        m_sockets.insert(connection, socket);
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, connection] { read(socket, connection); });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        if (socket->bytesAvailable() > 0)
            read(socket, connection);
    }
}

void FakeApiServer::read(QTcpSocket *socket, int connection)
{
    if (m_frozen)
        return;
    QByteArray &pending = m_pending[connection];
    pending += socket->readAll();
    while (!m_frozen && takeRequest(socket, pending, connection)) {}
}

// Of a name that comes several times all values are kept, each on a line.
static void addHeader(QMap<QByteArray, QByteArray> &headers, const QByteArray &name, const QByteArray &value)
{
    headers.insert(name, headers.contains(name) ? headers.value(name) + '\n' + value : value);
}

bool FakeApiServer::takeRequest(QTcpSocket *socket, QByteArray &pending, int connection)
{
    const qsizetype headEnd = pending.indexOf("\r\n\r\n");
    if (headEnd < 0)
        return false;
    Request request;
    const QByteArrayList lines = pending.left(headEnd).replace("\r\n", "\n").split('\n');
    const QByteArrayList first = lines.first().split(' ');
    if (first.size() == 3) {
        request.method = first.at(0);
        request.target = first.at(1);
        request.version = first.at(2);
    }
    for (const QByteArray &line : lines.mid(1))
        addHeader(request.headers, line.left(line.indexOf(':')).trimmed().toLower(), line.mid(line.indexOf(':') + 1).trimmed());
    const qsizetype length = request.headers.value("content-length", "0").toLongLong();
    if (pending.size() < headEnd + 4 + length)
        return false;
    request.body = pending.mid(headEnd + 4, length);
    pending.remove(0, headEnd + 4 + length);
    request.connection = connection;
    if (auto *tls = qobject_cast<QSslSocket *>(socket)) {
        request.protocol = tls->sslConfiguration().nextNegotiatedProtocol();
        request.user = tls->peerCertificate().subjectInfo(QSslCertificate::CommonName).value(0);
    }
    m_requests.append(request);
    m_handler(std::make_shared<Exchange>(socket, request));
    return true;
}

} // namespace switchyard::test
