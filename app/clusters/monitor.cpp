// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/monitor.h"

#include "app/kube/retire.h"
#include "models/store/recording.h"

#include <algorithm>

namespace switchyard {

using namespace std::chrono_literals;

namespace {

// The boot-time clock and the wall clock drifting apart by more than this between two ticks: the machine slept or a clock was set.
constexpr Duration drift = 5s;
// One-second ticks this far apart: the machine slept (timers stood still, the boot-time clock did not).
constexpr Duration slept = 15s;
// One object is not asked for more often than this.
constexpr Duration probeEvery = 4500ms;
constexpr Duration longestWait = 1h;

} // namespace

std::vector<Event> mergedEvents(const std::vector<Event> &ofClusters, const std::vector<Event> &ofElections)
{
    std::vector<Event> all;
    all.reserve(ofClusters.size() + ofElections.size());
    std::merge(ofClusters.begin(), ofClusters.end(), ofElections.begin(), ofElections.end(), std::back_inserter(all),
               [](const Event &a, const Event &b) { return a.at < b.at; });
    return all;
}

Monitor::Monitor(kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_clock(std::move(clock))
{
    m_deadline.setSingleShot(true);
    m_deadline.setTimerType(Qt::PreciseTimer);
    connect(&m_deadline, &QTimer::timeout, this, &Monitor::advance);
    connect(&m_second, &QTimer::timeout, this, &Monitor::tick);
    m_second.start(1s);
}

Monitor::~Monitor() = default;

Connection *Monitor::open(const kube::ContextConfig &config, const ConnectionOptions &options, kube::WatchTimes times)
{
    close(config.name);
    auto connection = std::make_unique<Connection>(config, options, m_clock, times);
    connect(connection.get(), &Connection::observed, this, &Monitor::feed);
    m_connections.push_back(std::move(connection));
    tellServer(config);
    followIn(*m_connections.back());
    m_connections.back()->start();
    return m_connections.back().get();
}

void Monitor::tellServer(const kube::ContextConfig &config)
{
    const std::string server = QUrl(config.server).adjusted(QUrl::StripTrailingSlash).toString().toStdString();
    m_store.setServer(config.name.toStdString(), server);
    m_elections.setServer(config.name.toStdString(), server);
}

void Monitor::close(const QString &context)
{
    const auto gone = std::find_if(m_connections.begin(), m_connections.end(), [&](const auto &c) { return c->context() == context; });
    if (gone == m_connections.end())
        return;
    kube::retire(*gone, this);
    m_connections.erase(gone);
    m_forLife.erase(context.toStdString());
    announce(m_store.removeContext(context.toStdString()));
    announce(m_elections.removeContext(context.toStdString()));
}

std::vector<Connection *> Monitor::connections() const
{
    std::vector<Connection *> all;
    for (const auto &connection : m_connections)
        all.push_back(connection.get());
    return all;
}

Connection *Monitor::connection(const QString &context) const
{
    for (const auto &connection : m_connections) {
        if (connection->context() == context)
            return connection.get();
    }
    return nullptr;
}

void Monitor::follow(const std::vector<patroni::ClusterKey> &clusters)
{
    m_followed = clusters;
    for (const auto &connection : m_connections)
        followIn(*connection);
}

void Monitor::followIn(Connection &connection) const
{
    std::vector<NamedCluster> own;
    for (const patroni::ClusterKey &key : m_followed) {
        if (key.context == connection.context().toStdString())
            own.push_back({QString::fromStdString(key.ns), QString::fromStdString(key.base), std::nullopt});
    }
    connection.follow(own);
}

void Monitor::feed(const Observation &observation)
{
    Q_EMIT observed(observation);
    announce(m_store.apply(observation));
    announce(m_elections.apply(observation));
    schedule();
}

void Monitor::replay(const std::vector<Observation> &observations)
{
    switchyard::replay(
        m_store, observations, std::nullopt, [this](const StoreChanges &changes) { announce(changes); },
        [this](const Observation &observation) { announce(m_elections.apply(observation)); });
    announce(m_store.advance(m_clock.now()));
    announce(m_elections.advance(m_clock.now()));
}

void Monitor::startOver()
{
    m_store = ClusterStore();
    m_elections = election::ElectionStore();
    m_forLife.clear();
    m_probing.clear();
    m_lastTick.reset();
    for (const auto &connection : m_connections) {
        connection->setNodesWanted(false);
        tellServer(connection->config());
    }
}

void Monitor::tick()
{
    const Now now = m_clock.now();
    if (m_lastTick) {
        const Duration apart = (now.wall - m_lastTick->wall) - (now.boot - m_lastTick->boot);
        if (apart > drift || apart < -drift || now.boot - m_lastTick->boot > slept) {
            for (const auto &connection : m_connections) {
                announce(m_store.clockJumped(connection->context().toStdString(), now));
                announce(m_elections.clockJumped(connection->context().toStdString(), now));
                connection->relist();
            }
        }
    }
    m_lastTick = now;
    advance();
}

void Monitor::advance()
{
    announce(m_store.advance(m_clock.now()));
    announce(m_elections.advance(m_clock.now()));
    probe();
    schedule();
}

void Monitor::announce(const StoreChanges &changes)
{
    for (const std::string &context : changes.restored) {
        if (Connection *of = connection(QString::fromStdString(context)))
            of->restored();
    }
    if (!changes.empty())
        Q_EMIT changed(changes);
}

void Monitor::announce(const election::Changes &changes)
{
    if (changes.empty())
        return;
    wantNodes(changes);
    Q_EMIT electionsChanged(changes);
}

// Leader for life: whether a Pod still holds its lock depends on its Node.
void Monitor::wantNodes(const election::Changes &changes)
{
    const auto isForLife = [](const election::Key &key) { return key.family == election::Family::LeaderForLife; };
    std::set<std::string> contexts;
    for (const election::Key &key : changes.elections) {
        if (isForLife(key) && m_forLife[key.context].insert(key).second)
            contexts.insert(key.context);
    }
    for (const election::Key &key : changes.removed) {
        if (isForLife(key) && m_forLife[key.context].erase(key) > 0)
            contexts.insert(key.context);
    }
    for (const std::string &context : contexts) {
        if (Connection *of = connection(QString::fromStdString(context)))
            of->setNodesWanted(!m_forLife[context].empty());
    }
}

std::vector<Event> Monitor::events() const
{
    return mergedEvents(m_store.events(), m_elections.events());
}

void Monitor::schedule()
{
    auto next = m_store.nextDeadline();
    if (const auto other = m_elections.nextDeadline(); other && (!next || *other < *next))
        next = other;
    if (!next) {
        m_deadline.stop();
        return;
    }
    const Duration wait = std::clamp(*next - m_clock.now().boot, Duration(0), longestWait);
    m_deadline.start(std::chrono::ceil<std::chrono::milliseconds>(wait));
}

void Monitor::probe()
{
    const Now now = m_clock.now();
    for (const auto &all : {m_store.wantedProbes(now), m_elections.wantedProbes(now)}) {
        for (const Probe &wanted : all)
            ask(wanted, now);
    }
    std::erase_if(m_probing, [&](const auto &entry) { return now.boot - entry.second > 10 * probeEvery; });
}

void Monitor::ask(const Probe &wanted, Now now)
{
    Connection *to = connection(QString::fromStdString(wanted.context));
    const std::string id = wanted.context + '/' + wanted.ns + '/' + std::string(code(wanted.resource)) + '/' + wanted.name;
    const auto last = m_probing.find(id);
    if (!to || (last != m_probing.end() && now.boot - last->second < probeEvery))
        return;
    m_probing[id] = now.boot;
    to->probe(wanted.resource, QString::fromStdString(wanted.ns), QString::fromStdString(wanted.name), wanted.resourceVersion,
              wanted.whole);
}

} // namespace switchyard
