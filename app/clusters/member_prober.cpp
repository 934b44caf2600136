// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/member_prober.h"

#include "app/kube/request.h"
#include "models/core/proxy_status.h"

#include <algorithm>

namespace switchyard {

using namespace Qt::StringLiterals;

MemberProber::MemberProber(kube::Client *client, kube::Clock clock, ProbeTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clock(std::move(clock))
    , m_times(times)
{
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &MemberProber::due);
}

void MemberProber::ask(const patroni::Cluster &cluster)
{
    m_next.stop();
    m_running = true;
    m_forbidden = false;
    m_ns = QString::fromStdString(cluster.names.key.ns);
    m_queue.clear();
    for (const patroni::Member &member : cluster.members) {
        if (!m_flying.contains(member.record.name))
            m_queue.push_back(member.record);
    }
    std::erase_if(m_answers, [&](const auto &entry) {
        return std::none_of(cluster.members.begin(), cluster.members.end(),
                            [&](const patroni::Member &member) { return member.record.name == entry.first; });
    });
    // Also the end of a round without members comes from the event loop.
    QMetaObject::invokeMethod(this, &MemberProber::pump, Qt::QueuedConnection);
}

void MemberProber::pump()
{
    while (static_cast<int>(m_flying.size()) < m_times.parallel && !m_queue.empty()) {
        const patroni::MemberRecord member = m_queue.front();
        m_queue.pop_front();
        askOne(member);
    }
    if (!m_running || !m_flying.empty() || !m_queue.empty())
        return;
    m_running = false;
    if (m_times.every.count() > 0 && !m_forbidden)
        m_next.start(m_times.every);
    Q_EMIT finished();
}

void MemberProber::askOne(const patroni::MemberRecord &member)
{
    const auto proxy = member.apiUrl ? kube::podProxyOf(*member.apiUrl, u"/patroni"_s) : std::nullopt;
    if (!proxy || !m_client) {
        const QString why = m_client ? tr("it does not say where its REST API is") : tr("the connection is closed");
        store(member.name, failed({.kind = ErrorKind::BadInput, .name = member.name, .message = why.toStdString()}));
        return;
    }
    m_flying.insert(member.name);
    const kube::Path path{.resource = Resource::Pods, .ns = m_ns, .name = QString::fromStdString(member.name), .proxy = proxy};
    m_client->get(
        path, {}, this,
        [this, name = member.name](const kube::Response &response) {
            m_flying.erase(name);
            m_forbidden = m_forbidden || (response.error && response.error->kind == ErrorKind::Forbidden);
            store(name, read(response));
            pump();
        },
        m_times.limit);
}

void MemberProber::store(const std::string &member, const rules::LiveAnswer &answer)
{
    m_answers[member] = answer;
    Q_EMIT changed();
}

rules::LiveAnswer MemberProber::failed(Error error) const
{
    rules::LiveAnswer answer;
    answer.at = m_clock.now().boot;
    answer.error = std::move(error);
    return answer;
}

// Why not, and what may be done about it.
rules::LiveAnswer MemberProber::read(const kube::Response &response) const
{
    if (response.ok() && response.status == 200)
        return rules::decodeLiveAnswer({response.body.constData(), static_cast<std::size_t>(response.body.size())}, m_clock.now().boot);
    if (response.ok()) // GET /patroni is answered 200 whatever the state: this is not Patroni, or it is not the one that answers
        return failed({.kind = ErrorKind::Server,
                       .httpStatus = response.status,
                       .message = tr("what answers at its REST API is not Patroni (%1)").arg(response.status).toStdString()});
    Error error = *response.error;
    switch (proxyTrouble(error.message)) {
    case ProxyTrouble::NoRoute:
        error.kind = ErrorKind::Unreachable;
        error
            .advice = tr("the API server cannot connect to it: it is down, listens on its own loopback only, or a NetworkPolicy forbids it")
                          .toStdString();
        break;
    case ProxyTrouble::Tls:
        error.kind = ErrorKind::Unreachable;
        error.advice = tr("its REST API demands a client certificate, which the API server has not got, or does not speak TLS")
                           .toStdString();
        break;
    case ProxyTrouble::LostAnswer:
        error.kind = ErrorKind::Unreachable;
        error.advice = tr("it ended the connection without an answer").toStdString();
        break;
    case ProxyTrouble::None: break;
    }
    return failed(std::move(error));
}

QString askMembers(Monitor *monitor, const patroni::ClusterKey &key, QObject *context, const MembersTold &told, ProbeTimes times)
{
    Connection *connection = monitor->connection(QString::fromStdString(key.context));
    const patroni::Cluster *cluster = monitor->store().find(key);
    if (!connection || !cluster)
        return MemberProber::tr("there is no connection");
    const kube::Clock clock{[monitor = QPointer(monitor)] { return monitor ? monitor->now() : Now{}; }};
    auto *prober = new MemberProber(connection->client(), clock, times, context);
    QObject::connect(prober, &MemberProber::changed, context, [prober, told] { told(prober->answers()); });
    QObject::connect(prober, &MemberProber::due, monitor, [monitor, prober, key] {
        if (const patroni::Cluster *now = monitor->store().find(key))
            prober->ask(*now);
    });
    prober->ask(*cluster);
    return {};
}

} // namespace switchyard
