// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_proxy.h"

#include <QUrl>

#include <memory>

namespace switchyard::test {

using namespace Qt::StringLiterals;

FakeProxy::FakeProxy(Kind kind, QObject *parent)
    : QObject(parent)
    , m_kind(kind)
{
    connect(&m_server, &QTcpServer::newConnection, this, &FakeProxy::accept);
    if (!m_server.listen(QHostAddress::LocalHost))
        qFatal("cannot listen on loopback");
    m_port = m_server.serverPort();
}

void FakeProxy::demand(const QByteArray &user, const QByteArray &password)
{
    m_demands = true;
    m_user = user;
    m_password = password;
}

QString FakeProxy::url(const QString &userInfo) const
{
    return (m_kind == Kind::Http ? u"http://"_s : u"socks5://"_s) + (userInfo.isEmpty() ? QString() : userInfo + u'@') + u"127.0.0.1:"_s
        + QString::number(m_port);
}

void FakeProxy::accept()
{
    while (QTcpSocket *client = m_server.nextPendingConnection()) {
        auto pending = std::make_shared<QByteArray>();
        auto step = std::make_shared<int>(0);
        connect(client, &QTcpSocket::readyRead, this, [this, client, pending, step] {
            *pending += client->readAll();
            while (m_kind == Kind::Http ? onHttp(client, *pending) : onSocks(client, *pending, *step)) {}
        });
        connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    }
}

void FakeProxy::join(QTcpSocket *client, const QString &host, quint16 port, const QByteArray &greeting, const QByteArray &first)
{
    m_asked.append(host + u':' + QString::number(port));
    client->disconnect(this);
    auto *server = new QTcpSocket(client);
    connect(server, &QTcpSocket::connected, client, [client, server, greeting, first] {
        client->write(greeting);
        server->write(first);
        connect(client, &QTcpSocket::readyRead, server, [client, server] { server->write(client->readAll()); });
    });
    connect(server, &QTcpSocket::readyRead, client, [client, server] { client->write(server->readAll()); });
    connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    connect(client, &QTcpSocket::disconnected, client, &QObject::deleteLater);
    server->connectToHost(QHostAddress(QHostAddress::LocalHost), port);
}

bool FakeProxy::onHttp(QTcpSocket *client, QByteArray &pending)
{
    const qsizetype end = pending.indexOf("\r\n\r\n");
    if (end < 0)
        return false;
    const QByteArray head = pending.left(end + 4);
    pending.remove(0, end + 4);
    const QByteArrayList first = head.left(head.indexOf("\r\n")).split(' ');
    const QByteArray basic = "Basic " + QByteArray(m_user + ':' + m_password).toBase64();
    if (m_demands && !head.contains(basic)) {
        ++m_refusals;
        client->write("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"proxy\"\r\nContent-Length: 0\r\n\r\n");
        return true;
    }
    if (m_refuses) {
        ++m_refusals;
        client->write("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        return true;
    }
    if (first.value(0) == "CONNECT") {
        const QString place = QString::fromLatin1(first.value(1));
        join(client, place.section(u':', 0, -2), place.section(u':', -1).toUShort(), "HTTP/1.1 200 OK\r\n\r\n", pending);
        return false;
    }
    const QUrl url = QUrl::fromEncoded(first.value(1));
    QByteArray relative = head;
    relative.replace(first.value(1), url.toEncoded(QUrl::RemoveScheme | QUrl::RemoveAuthority));
    join(client, url.host(), static_cast<quint16>(url.port(80)), {}, relative + pending);
    return false;
}

bool FakeProxy::onSocks(QTcpSocket *client, QByteArray &pending, int &step)
{
    const auto byte = [&](qsizetype at) { return static_cast<quint8>(pending.at(at)); };
    if (step == 0) { // version, number of methods, methods
        if (pending.size() < 2 || pending.size() < 2 + byte(1))
            return false;
        pending.remove(0, 2 + byte(1));
        client->write(m_demands ? QByteArray("\x05\x02", 2) : QByteArray("\x05\x00", 2));
        step = m_demands ? 1 : 2;
        return true;
    }
    if (step == 1) { // version, user, password
        if (pending.size() < 2 || pending.size() < 3 + byte(1) || pending.size() < 3 + byte(1) + byte(2 + byte(1)))
            return false;
        const QByteArray user = pending.mid(2, byte(1));
        const QByteArray password = pending.mid(3 + byte(1), byte(2 + byte(1)));
        pending.clear();
        const bool good = user == m_user && password == m_password;
        m_refusals += good ? 0 : 1;
        client->write(good ? QByteArray("\x01\x00", 2) : QByteArray("\x01\x01", 2));
        step = 2;
        return true;
    }
    // version, connect, 0, kind of address, address, port
    if (pending.size() < 5)
        return false;
    const qsizetype length = byte(3) == 1 ? 4 : byte(3) == 3 ? byte(4) + 1 : 16;
    if (pending.size() < 4 + length + 2)
        return false;
    const QByteArray address = pending.mid(4, length);
    const QString host = byte(3) == 3 ? QString::fromLatin1(address.mid(1)) : u"address"_s;
    const auto port = static_cast<quint16>(byte(4 + length) << 8 | byte(5 + length));
    pending.clear();
    if (m_refuses) {
        ++m_refusals;
        client->write(QByteArray("\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00", 10));
        return false;
    }
    join(client, host, port, QByteArray("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x01", 10), {});
    return false;
}

} // namespace switchyard::test
