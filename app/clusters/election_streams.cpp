// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/election_streams.h"

#include "app/kube/backoff.h"
#include "app/kube/retire.h"

#include <QRandomGenerator>

namespace switchyard {

namespace {

// Only a human, or another version of the server, can change that.
bool isRefusal(const Error &error)
{
    return error.kind == ErrorKind::Forbidden || error.kind == ErrorKind::Unauthorized || error.kind == ErrorKind::NotSupported;
}

Error noLeases()
{
    Error error{ErrorKind::NotSupported};
    error.resource = code(Resource::Leases);
    error.message = "this API server has no Leases";
    return error;
}

} // namespace

ElectionStreams::ElectionStreams(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clock(std::move(clock))
    , m_times(times)
{
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &ElectionStreams::discover);
}

ElectionStreams::~ElectionStreams()
{
    stop();
}

void ElectionStreams::setNamespaces(const QStringList &namespaces)
{
    for (const QString &ns : namespaces)
        m_leases.try_emplace(ns);
}

void ElectionStreams::start()
{
    m_running = true;
    if (m_nodes)
        m_nodes->start();
    if (m_home)
        startWatches();
    else
        discover();
}

void ElectionStreams::stop()
{
    m_running = false;
    m_again.stop();
    stopWatches();
    if (m_nodes)
        m_nodes->stop();
}

void ElectionStreams::relist()
{
    if (!m_running)
        return;
    m_failures = 0;
    if (m_nodes) {
        m_nodes->relist();
        m_nodes->start(); // it may have been refused
    }
    if (!m_home || *m_home == LeaseHome::None)
        return discover();
    for (const auto &[ns, watch] : m_leases) {
        if (watch)
            watch->relist();
    }
}

void ElectionStreams::retryNow()
{
    if (!m_running)
        return;
    if (m_nodes) {
        m_nodes->retryNow();
        m_nodes->start();
    }
    if (!m_home || *m_home == LeaseHome::None)
        return discover();
    for (const auto &[ns, watch] : m_leases) {
        if (watch)
            watch->retryNow();
    }
}

kube::Watch *ElectionStreams::leases(const QString &ns) const
{
    for (const QString &covering : {ns, QString()}) {
        const auto found = m_leases.find(covering);
        if (found != m_leases.end() && found->second)
            return found->second.get();
    }
    return nullptr;
}

// ---- where Leases are -------------------------------------------------------------------------------------------------------------

void ElectionStreams::discover()
{
    m_again.stop();
    if (!m_running || m_asking || !m_client || m_leases.empty())
        return;
    m_asking = true;
    findLeases(m_client, this, [this](const Result<LeaseHome> &home) {
        m_asking = false;
        if (m_running)
            onFound(home);
    });
}

void ElectionStreams::onFound(const Result<LeaseHome> &home)
{
    if (!home) {
        tellAll(home.error());
        return askLater(home.error());
    }
    m_home = *home;
    if (*home != LeaseHome::None)
        return startWatches();
    tellAll(noLeases());
    m_again.start(m_times.refusedMax); // the server may be replaced by a newer one
}

void ElectionStreams::askLater(const Error &error)
{
    const double unit = QRandomGenerator::global()->generateDouble();
    const bool slow = isRefusal(error) && !error.retryAfterSeconds;
    ++m_failures;
    m_again.start(slow ? kube::backoff(m_failures, m_times.refusedMin, m_times.refusedMax, unit)
                       : kube::waitAfter(error, m_failures, m_times.backoffMin, m_times.backoffMax, unit));
}

// ---- the watches ------------------------------------------------------------------------------------------------------------------

void ElectionStreams::startWatches()
{
    if (*m_home == LeaseHome::None)
        return discover();
    for (auto &[ns, watch] : m_leases) {
        if (!watch) {
            watch = std::make_unique<kube::Watch>(m_client, Resource::Leases, ns, m_clock, m_times);
            connect(watch.get(), &kube::Watch::observed, this, &ElectionStreams::onObserved);
        }
        kube::WatchScope scope;
        scope.leasesBeta = beta();
        watch->setScope(scope);
        watch->start();
    }
}

void ElectionStreams::stopWatches()
{
    for (const auto &[ns, watch] : m_leases) {
        if (watch)
            watch->stop();
    }
}

// 404 of a list: that version of the group is gone.
void ElectionStreams::onObserved(const Observation &observation)
{
    const auto *lost = std::get_if<Lost>(&observation.what);
    const bool moved = lost && lost->error.httpStatus == 404;
    if (!lost)
        m_failures = 0;
    tell(observation);
    if (!moved || !m_home)
        return;
    m_home.reset();
    stopWatches();
    askLater(lost->error);
}

void ElectionStreams::setNodesWanted(bool wanted)
{
    if (wanted == (m_nodes != nullptr))
        return;
    if (!wanted) {
        kube::retire(m_nodes, this);
        return;
    }
    m_nodes = std::make_unique<kube::Watch>(m_client, Resource::Nodes, QString(), m_clock, m_times);
    connect(m_nodes.get(), &kube::Watch::observed, this, &ElectionStreams::onNodes);
    if (m_running)
        m_nodes->start();
}

// Few may read Nodes: who may not is not asked again and again.
void ElectionStreams::onNodes(const Observation &observation)
{
    const auto *lost = std::get_if<Lost>(&observation.what);
    const bool refused = lost && lost->error.kind == ErrorKind::Forbidden;
    tell(observation);
    if (refused && m_nodes)
        m_nodes->stop();
}

// ---- telling ----------------------------------------------------------------------------------------------------------------------

void ElectionStreams::tell(const Observation &observation)
{
    const std::pair stream(observation.resource, observation.ns);
    const auto *lost = std::get_if<Lost>(&observation.what);
    if (lost && isRefusal(lost->error)) {
        const auto [told, first] = m_refused.try_emplace(stream, lost->error.kind);
        if (!first && std::exchange(told->second, lost->error.kind) == lost->error.kind)
            return;
    } else if (!m_refused.empty()) {
        m_refused.erase(stream);
    }
    Q_EMIT observed(observation);
}

void ElectionStreams::tellAll(const Error &error)
{
    const Now now = m_clock.now();
    for (const auto &[ns, watch] : m_leases) {
        Error own = error;
        own.ns = ns.toStdString();
        own.resource = code(Resource::Leases);
        Observation o;
        o.context = m_client ? m_client->config().name.toStdString() : std::string();
        o.resource = Resource::Leases;
        o.ns = own.ns;
        o.seen = now.boot;
        o.wall = now.wall;
        o.what = Lost{own};
        tell(o);
    }
}

} // namespace switchyard
