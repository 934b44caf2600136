// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/connection.h"

#include <QUrl>

#include <algorithm>

namespace switchyard {

using namespace std::chrono_literals;

namespace {

constexpr std::chrono::milliseconds namedPoll = 5s;

kube::SharedParts partsFor(const kube::ContextConfig &config, const ConnectionOptions &options)
{
    kube::SharedParts parts;
    parts.credentials = std::make_shared<kube::CredentialSource>(config, options.execPool);
    QStringList others = options.apiServers;
    others.removeIf([&](const QString &other) { return QUrl(other).scheme() != QUrl(config.server).scheme(); }); // never less encrypted
    parts.servers = std::make_shared<kube::ServerList>(config.server, others, options.bypassApiService);
    if (options.requestTimeout && options.requestTimeout->count() > 0)
        parts.requestTimeout = options.requestTimeout;
    return parts;
}

kube::WatchTimes withPoll(kube::WatchTimes times, const ConnectionOptions &options)
{
    if (options.poll)
        times.pollEvery = std::max(*options.poll, times.shortestPoll);
    return times;
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
    , m_followed(&m_client, m_clock, withPoll(times, m_options))
    , m_podEvents(&m_client, m_clock, withPoll(times, m_options))
    , m_elections(&m_client, m_clock, withPoll(times, m_options))
{
    m_facts.listenTo(&m_client);
    connect(&m_facts, &ServerFacts::changed, this, &Connection::stateChanged);
    connect(m_parts.servers.get(), &kube::ServerList::changed, this, &Connection::stateChanged);
    times.listLimit = m_parts.requestTimeout.value_or(times.listLimit);
    if (m_namespaces.isEmpty())
        m_namespaces.append(config.ns.isEmpty() ? QStringLiteral("default") : config.ns);
    for (const NamedCluster &cluster : m_options.named) {
        if (!m_namespaces.contains(QString()) && !m_namespaces.contains(cluster.ns))
            m_namespaces.append(cluster.ns);
    }
    for (const QString &ns : std::as_const(m_namespaces))
        addStreams(ns, times);
    connect(&m_followed, &Followed::observed, this, &Connection::observed);
    connect(&m_podEvents, &PodEventStreams::observed, this, &Connection::observed);
    connect(&m_elections, &ElectionStreams::observed, this, &Connection::observed);
    m_podEvents.setElectors(m_options.elections);
    if (m_options.elections)
        m_elections.setNamespaces(m_namespaces.contains(QString()) ? QStringList{QString()} : m_namespaces);
}

void Connection::addStreams(const QString &ns, const kube::WatchTimes &times)
{
    NamespaceStreams::Setup setup{.client = &m_client,
                                  .ns = ns,
                                  .clock = m_clock,
                                  .times = withPoll(times, m_options),
                                  .namedEvery = m_options.poll ? std::max(*m_options.poll, times.shortestPoll) : namedPoll,
                                  .named = {}};
    std::copy_if(m_options.named.begin(), m_options.named.end(), std::back_inserter(setup.named),
                 [&](const NamedCluster &cluster) { return ns.isEmpty() || cluster.ns == ns; });
    auto streams = std::make_unique<NamespaceStreams>(std::move(setup));
    connect(streams.get(), &NamespaceStreams::observed, this, &Connection::observed);
    connect(streams.get(), &NamespaceStreams::observed, &m_facts, [this](const Observation &o) {
        if (const auto *lost = std::get_if<Lost>(&o.what); lost && lost->error.httpStatus < 400)
            m_facts.lost();
    });
    connect(streams.get(), &NamespaceStreams::stateChanged, this, &Connection::stateChanged);
    m_streams.push_back(std::move(streams));
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
    const bool sameCredential = m_client.config().credential == config.credential;
    m_client.setConfig(config);
    m_probeClient.setConfig(config);
    m_parts.credentials->replace(config.credential);
    if (sameCredential) {
        retryNow();
        return true;
    }
    // It may be another person's, under the old name: what the former one may see ends here, not when the server ends the watches.
    for (const auto &streams : m_streams)
        streams->relist();
    m_followed.relist();
    m_podEvents.relist();
    m_elections.relist();
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
    QStringList notices;
    if (const QString servers = m_parts.servers->notice(); !servers.isEmpty())
        notices.append(servers);
    std::set<Resource> listed;
    for (const auto &streams : m_streams) {
        for (const Resource resource : streams->listedInstead())
            listed.insert(resource);
    }
    QStringList names;
    for (const Resource resource : listed)
        names.append(QString::fromUtf8(code(resource).data(), static_cast<qsizetype>(code(resource).size())));
    if (!names.isEmpty())
        notices.append(tr("watch is forbidden for %1: listed every few seconds instead").arg(names.join(QStringLiteral(", "))));
    return notices.join(QStringLiteral("; "));
}

void Connection::follow(const std::vector<NamedCluster> &clusters)
{
    m_followed.follow(clusters);
}

void Connection::start()
{
    for (const auto &streams : m_streams)
        streams->start();
    m_followed.start();
    m_podEvents.start();
    m_elections.start();
}

void Connection::stop()
{
    for (const auto &streams : m_streams)
        streams->stop();
    m_followed.stop();
    m_podEvents.stop();
    m_elections.stop();
}

void Connection::relist()
{
    m_parts.credentials->retryNow();
    for (const auto &streams : m_streams)
        streams->relist();
    m_followed.relist();
    m_podEvents.relist();
    m_elections.relist();
}

void Connection::restored()
{
    m_followed.relist();
    m_podEvents.relist();
    m_elections.relist();
}

void Connection::retryNow()
{
    for (const auto &streams : m_streams)
        streams->retryNow();
    m_followed.retryNow();
    m_podEvents.retryNow();
    m_elections.retryNow();
}

void Connection::probe(Resource resource, const QString &ns, const QString &name, const std::string &known, bool whole)
{
    const Boot asked = m_clock.now().boot;
    kube::Path path{.resource = resource, .ns = ns, .name = name};
    path.metadataOnly = resource == Resource::ConfigMaps && !whole;
    path.leasesBeta = m_elections.beta();
    m_probeClient.get(
        path, {}, this,
        [this, resource, ns, name, known, asked, whole](const kube::Response &response) {
            NamespaceStreams *streams = resource == Resource::Leases ? nullptr : streamsFor(ns);
            kube::Watch *watch = watchOf(resource, ns);
            if (!watch)
                return;
            const Now now = m_clock.now();
            Observation o{context().toStdString(), resource, watch->ns().toStdString(), now.boot, now.wall, Contact{}, false, asked};
            if (response.ok()) {
                const auto object = decodeObject(resource, {response.body.constData(), static_cast<std::size_t>(response.body.size())});
                if (object && streams && !streams->labelKey().empty() && !object->labels.contains(streams->labelKey()))
                    seenOutside(*streams, o, *object);
                else if (object && whole)
                    seenAside(o, *object);
                if (object)
                    o.what = Confirmed{name.toStdString(), object->resourceVersion, ns.toStdString()};
                else
                    o.what = ProbeFailed{name.toStdString(), object.error(), ns.toStdString()};
                const auto order = object ? compareVersions(object->resourceVersion, known) : std::nullopt;
                if (order && *order > 0)
                    watch->resume(asked);
                else if (order && *order < 0)
                    watch->relist(); // the server's data was put back to an earlier time: the watch waits for versions to come
            } else if (response.status == 404) {
                o.what = Confirmed{name.toStdString(), std::nullopt, ns.toStdString()};
                if (!known.empty())
                    watch->resume(asked); // it should have told of the deletion
            } else {
                o.what = ProbeFailed{name.toStdString(), *response.error, ns.toStdString()};
                if (streams && response.error->kind == ErrorKind::Forbidden)
                    streams->doWithoutSelector();
            }
            Q_EMIT observed(o);
        },
        m_probeLimit);
}

std::optional<std::chrono::milliseconds> Connection::retryIn() const
{
    std::optional<std::chrono::milliseconds> longest;
    for (const auto &streams : m_streams) {
        if (const auto wait = streams->retryIn(); wait && (!longest || *wait > *longest))
            longest = wait;
    }
    return longest;
}

void Connection::seenAside(Observation observation, const KubeObject &object)
{
    observation.aside = true;
    observation.what = Changed{EventType::Modified, object};
    Q_EMIT observed(observation);
}

// Its watch does not tell of it, as it lacks the label.
void Connection::seenOutside(NamespaceStreams &streams, const Observation &observation, const KubeObject &object)
{
    seenAside(observation, object);
    streams.scan();
}

kube::Watch *Connection::watchOf(Resource resource, const QString &ns) const
{
    if (resource == Resource::Leases)
        return m_elections.leases(ns);
    const NamespaceStreams *streams = streamsFor(ns);
    return streams ? streams->watch(resource) : nullptr;
}

NamespaceStreams *Connection::streamsFor(const QString &ns) const
{
    for (const auto &streams : m_streams) {
        if (streams->ns().isEmpty() || streams->ns() == ns)
            return streams.get();
    }
    return nullptr;
}

} // namespace switchyard
