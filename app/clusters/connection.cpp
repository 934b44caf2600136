// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/connection.h"

#include <algorithm>

namespace switchyard {

namespace {

// Patroni's four objects and its members live in these three.
constexpr Resource watched[] = {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods};

kube::SharedParts partsFor(const kube::ContextConfig &config, const ConnectionOptions &options)
{
    kube::SharedParts parts;
    parts.credentials = std::make_shared<kube::CredentialSource>(config, options.execPool);
    parts.servers = std::make_shared<kube::ServerList>(config.server, options.apiServers, options.bypassApiService);
    if (options.requestTimeout && options.requestTimeout->count() > 0)
        parts.requestTimeout = options.requestTimeout;
    return parts;
}

} // namespace

Connection::Connection(const kube::ContextConfig &config, ConnectionOptions options, kube::Clock clock, kube::WatchTimes times,
                       QObject *parent)
    : QObject(parent)
    , m_clock(std::move(clock))
    , m_probeLimit(times.probeLimit)
    , m_options(std::move(options))
    , m_parts(partsFor(config, m_options))
    , m_client(config, m_parts)
    , m_probeClient(config, m_parts)
    , m_facts(&m_probeClient, m_clock)
    , m_namespaces(m_options.namespaces)
{
    m_facts.listenTo(&m_client);
    connect(&m_facts, &ServerFacts::changed, this, &Connection::stateChanged);
    connect(m_parts.servers.get(), &kube::ServerList::changed, this, &Connection::stateChanged);
    times.listLimit = m_parts.requestTimeout.value_or(times.listLimit);
    if (m_namespaces.isEmpty())
        m_namespaces.append(config.ns.isEmpty() ? QStringLiteral("default") : config.ns);
    for (const QString &ns : std::as_const(m_namespaces)) {
        for (const Resource resource : watched) {
            kube::WatchTimes own = times;
            if (resource == Resource::Pods)
                own.pageSize = std::min(own.pageSize, 200); // a Pod is ten times the size of the others
            auto watch = std::make_unique<kube::Watch>(&m_client, resource, ns, m_clock, own);
            connect(watch.get(), &kube::Watch::observed, this, &Connection::observed);
            connect(watch.get(), &kube::Watch::observed, &m_facts, [this](const Observation &o) {
                if (std::holds_alternative<Lost>(o.what))
                    m_facts.lost();
            });
            connect(watch.get(), &kube::Watch::stateChanged, this, &Connection::stateChanged);
            m_watches.push_back(std::move(watch));
        }
    }
}

Connection::~Connection()
{
    stop();
}

QString Connection::context() const
{
    return m_client.config().name;
}

QStringList Connection::namespaces() const
{
    return m_namespaces;
}

bool Connection::insecure() const
{
    return m_client.config().insecureSkipTlsVerify;
}

bool Connection::update(const kube::ContextConfig &config)
{
    if (!m_client.config().sameIdentity(config) || !config.usable())
        return false;
    m_client.setConfig(config);
    m_probeClient.setConfig(config);
    m_parts.credentials->replace(config.credential);
    return true;
}

std::optional<ClockSkew> Connection::skew() const
{
    return m_facts.skew();
}

std::optional<std::chrono::milliseconds> Connection::latency() const
{
    return m_facts.latency();
}

QString Connection::serverVersion() const
{
    return m_facts.version();
}

QString Connection::server() const
{
    return m_parts.servers->current();
}

QString Connection::notice() const
{
    return m_parts.servers->notice();
}

void Connection::follow(const std::vector<NamedCluster> &) {}

void Connection::start()
{
    for (const auto &watch : m_watches)
        watch->start();
}

void Connection::stop()
{
    for (const auto &watch : m_watches)
        watch->stop();
}

void Connection::relist()
{
    for (const auto &watch : m_watches)
        watch->relist();
}

void Connection::probe(Resource resource, const QString &ns, const QString &name, const std::string &known)
{
    m_probeClient.get(
        {resource, ns, name}, {}, this,
        [this, resource, ns, name, known](const kube::Response &response) {
            kube::Watch *watch = watchFor(resource, ns);
            if (!watch)
                return;
            const Now now = m_clock.now();
            Observation o{context().toStdString(), resource, watch->ns().toStdString(), now.boot, now.wall, Contact{}};
            if (response.ok()) {
                const auto object = decodeObject(resource, {response.body.constData(), static_cast<std::size_t>(response.body.size())});
                if (object)
                    o.what = Confirmed{name.toStdString(), object->resourceVersion, ns.toStdString()};
                else
                    o.what = ProbeFailed{name.toStdString(), object.error(), ns.toStdString()};
                const auto order = object ? compareVersions(object->resourceVersion, known) : std::nullopt;
                if (order && *order > 0)
                    watch->resume();
            } else if (response.status == 404) {
                o.what = Confirmed{name.toStdString(), std::nullopt, ns.toStdString()};
                watch->resume(); // it should have told of the deletion
            } else {
                o.what = ProbeFailed{name.toStdString(), *response.error, ns.toStdString()};
            }
            Q_EMIT observed(o);
        },
        m_probeLimit);
}

std::optional<std::chrono::milliseconds> Connection::retryIn() const
{
    std::optional<std::chrono::milliseconds> longest;
    for (const auto &watch : m_watches) {
        if (const auto wait = watch->retryIn(); wait && (!longest || *wait > *longest))
            longest = wait;
    }
    return longest;
}

kube::Watch *Connection::watchFor(Resource resource, const QString &ns) const
{
    for (const auto &watch : m_watches) {
        if (watch->resource() == resource && (watch->ns().isEmpty() || watch->ns() == ns))
            return watch.get();
    }
    return nullptr;
}

} // namespace switchyard
