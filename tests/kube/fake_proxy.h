// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A proxy in the test's own process: HTTP (CONNECT and whole addresses) or SOCKS5, with or without a password. All names lead to
// this machine.
#include <QObject>
#include <QStringList>
#include <QTcpServer>
#include <QTcpSocket>

namespace switchyard::test {

class FakeProxy : public QObject
{
    Q_OBJECT
public:
    enum class Kind { Http, Socks5 };
    explicit FakeProxy(Kind kind, QObject *parent = nullptr);
    void demand(const QByteArray &user, const QByteArray &password);
    void refuseAll() { m_refuses = true; } // 403 to CONNECT, "not allowed" of SOCKS5
    void stopListening() { m_server.close(); }
    QString url(const QString &userInfo = {}) const;     // http://user:password@127.0.0.1:port
    const QStringList &asked() const { return m_asked; } // "host:port" that came through, in order
    int refusals() const { return m_refusals; }

private:
    void accept();
    bool onHttp(QTcpSocket *client, QByteArray &pending);
    bool onSocks(QTcpSocket *client, QByteArray &pending, int &step);
    void join(QTcpSocket *client, const QString &host, quint16 port, const QByteArray &greeting, const QByteArray &first);

    Kind m_kind;
    QTcpServer m_server;
    quint16 m_port = 0;
    QByteArray m_user, m_password;
    bool m_demands = false, m_refuses = false;
    QStringList m_asked;
    int m_refusals = 0;
};

} // namespace switchyard::test
