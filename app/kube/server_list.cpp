// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/server_list.h"

#include <QHostAddress>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>

namespace switchyard::kube {

using namespace Qt::StringLiterals;

namespace {

constexpr Duration listLife = std::chrono::minutes(1);
constexpr Duration lookupLife = std::chrono::minutes(2); // whoever began it may have gone meanwhile
constexpr Duration soonest = std::chrono::seconds(10);   // also when servers fail one after the other

QString withoutSlash(QString server)
{
    while (server.endsWith(u'/'))
        server.chop(1);
    return server;
}

} // namespace

ServerList::ServerList(const QString &first, const QStringList &byHand, bool bypass, QObject *parent)
    : QObject(parent)
    , m_fixed(first)
    , m_bypass(bypass)
{
    for (const QString &server : byHand) {
        if (!m_fixed.contains(server) && withoutSlash(server) != withoutSlash(first))
            m_fixed.append(server);
    }
    m_all = m_fixed;
    const QUrl url(first);
    if (bypass && url.scheme() != u"https"_s)
        endBypass(tr("The API servers are not asked directly: %1 is not an https address, so that nothing says which certificate they "
                     "should have.")
                      .arg(url.toString(QUrl::RemoveUserInfo | QUrl::RemoveQuery)));
    else if (bypass && !url.path().isEmpty() && url.path() != u"/"_s)
        endBypass(tr("The API servers are not asked directly: the server address has a path, so that something else answers there."));
}

QStringList ServerList::inOrder() const
{
    return m_all.mid(m_current) + m_all.first(m_current);
}

void ServerList::worked(const QString &server)
{
    const qsizetype at = m_all.indexOf(server);
    if (at < 0 || std::exchange(m_current, at) == at)
        return;
    Q_EMIT changed();
}

void ServerList::failed(const QString &server)
{
    m_doubtful = true;
    if (server != current() || m_all.size() < 2)
        return;
    m_current = (m_current + 1) % m_all.size();
    Q_EMIT changed();
}

bool ServerList::beginLookup(Boot now)
{
    const Duration age = now - m_lookedUp;
    const bool never = m_lookedUp == Boot{};
    const bool underWay = m_lookingUp && age < lookupLife;
    if (!m_bypass || underWay || !(never || age >= listLife || (m_doubtful && age >= soonest)))
        return false;
    m_lookingUp = true;
    m_doubtful = false;
    m_lookedUp = now;
    return true;
}

void ServerList::found(const QStringList &servers)
{
    m_lookingUp = false;
    QStringList all = m_fixed;
    for (const QString &server : servers) {
        if (!all.contains(server))
            all.append(server);
    }
    if (!servers.isEmpty()) // an empty list can only be wrong: something answered us
        setAll(all);
}

void ServerList::notFound(const Error &error)
{
    m_lookingUp = false;
    if (error.kind == ErrorKind::Forbidden || error.kind == ErrorKind::NotFound)
        endBypass(error.kind == ErrorKind::Forbidden
                      ? tr("The API servers are not asked directly: reading Endpoints kubernetes in namespace default is forbidden.")
                      : tr("The API servers are not asked directly: there is no Endpoints kubernetes in namespace default."));
}

void ServerList::certificatesNotChecked()
{
    if (m_bypass)
        endBypass(tr("The API servers are not asked directly: the certificates of this context are not checked, so that credentials could "
                     "go to anyone."));
}

void ServerList::setAll(const QStringList &servers)
{
    const QString before = current();
    m_all = servers;
    const qsizetype at = m_all.indexOf(before);
    m_current = std::max<qsizetype>(0, at);
    if (at < 0)
        Q_EMIT changed();
}

void ServerList::endBypass(const QString &why)
{
    m_bypass = false;
    m_notice = why;
    setAll(m_fixed);
    Q_EMIT changed();
}

QStringList serversOf(const QByteArray &endpointsJson)
{
    QStringList servers;
    const QJsonArray subsets = QJsonDocument::fromJson(endpointsJson).object().value(u"subsets"_s).toArray();
    for (const QJsonValue subset : subsets) {
        const QJsonArray ports = subset[u"ports"_s].toArray();
        const QJsonArray addresses = subset[u"addresses"_s].toArray();
        for (const QJsonValue port : ports) {
            const int number = port[u"port"_s].toInt();
            if (port[u"name"_s].toString() != u"https"_s || port[u"protocol"_s].toString(u"TCP"_s) != u"TCP"_s || number <= 0
                || number > 65535)
                continue;
            for (const QJsonValue address : addresses) {
                const QHostAddress ip(address[u"ip"_s].toString());
                if (ip.isNull())
                    continue;
                const bool six = ip.protocol() == QAbstractSocket::IPv6Protocol;
                servers.append(u"https://"_s + (six ? u'[' + ip.toString() + u']' : ip.toString()) + u':' + QString::number(number));
            }
        }
    }
    return servers;
}

} // namespace switchyard::kube
