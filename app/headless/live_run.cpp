// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/live_run.h"

#include "app/headless/connection_options.h"
#include "app/headless/election_rows.h"

namespace switchyard::headless {

using namespace std::chrono_literals;

LiveRun::LiveRun(Options options, Sinks sinks, LiveTimes times, kube::Clock clock, QObject *parent)
    : QObject(parent)
    , m_options(options)
    , m_sinks(sinks)
    , m_times(times)
    , m_monitor(std::move(clock))
    , m_permits(&m_monitor)
    , m_follower(std::move(options), std::move(sinks))
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { m_phase == Phase::Listing ? startWaiting() : conclude(); });
    connect(&m_monitor, &Monitor::changed, this, &LiveRun::changed);
    if (readsElections())
        connect(&m_monitor, &Monitor::electionsChanged, this, &LiveRun::electionsChanged);
    connect(&m_permits, &EventPermits::changed, this, &LiveRun::look, Qt::QueuedConnection);
    m_for.setSingleShot(true);
    connect(&m_for, &QTimer::timeout, this, &LiveRun::interrupt);
    connect(&m_monitor, &Monitor::observed, &m_recorder, &Recorder::add);
    connect(&m_recorder, &Recorder::failed, this, [this](const QString &message) {
        m_sinks.err("the recording has stopped: " + message.toStdString());
        end(CouldNot);
    });
    connect(&m_pipe, &QTimer::timeout, this, [this] {
        if (m_sinks.closed())
            interrupt();
    });
}

LiveRun::~LiveRun() = default;

void LiveRun::start(const std::vector<kube::ContextConfig> &contexts, bool problemsBefore, std::shared_ptr<kube::ExecPool> execPool)
{
    m_problemsBefore = problemsBefore;
    if (!record())
        return end(CouldNot);
    ConnectionOptions options = connectionOptions(m_options);
    options.execPool = std::move(execPool);
    m_limit.start(m_times.silent);
    for (const kube::ContextConfig &context : contexts) {
        Connection *connection = m_monitor.open(context, options, m_times.watch);
        for (const QString &ns : connection->namespaces()) {
            for (const Resource resource : {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods})
                m_expected.push_back({context.name.toStdString(), resource, ns.toStdString()});
            if (m_options.command == Command::Elections && (!ns.isEmpty() || connection->namespaces().size() == 1))
                m_expected.push_back({context.name.toStdString(), Resource::Leases, ns.toStdString()});
        }
    }
    if (readsPodEvents())
        m_permits.ask();
    m_pipe.start(500ms);
}

bool LiveRun::record()
{
    if (!m_options.record)
        return true;
    const auto started = m_recorder.start(*m_options.record, {m_options.replaceNames}, Recorder::Existing::Refuse);
    if (!started)
        m_sinks.err(describe(started.error()));
    return started.has_value();
}

void LiveRun::pause(bool paused)
{
    if (m_phase != Phase::Listing && m_phase != Phase::Waiting)
        return;
    if (paused)
        m_limit.stop();
    else
        m_limit.start(m_phase == Phase::Listing ? m_times.silent : m_options.wait.value_or(m_times.silent));
}

void LiveRun::interrupt()
{
    end(m_options.follow ? Answered : CouldNot);
}

void LiveRun::changed(const StoreChanges &changes)
{
    if (m_phase == Phase::Following)
        follow(changes);
    else // the store is still in the middle of telling: look when it is done
        QMetaObject::invokeMethod(this, &LiveRun::look, Qt::QueuedConnection);
}

void LiveRun::electionsChanged(const election::Changes &changes)
{
    if (m_phase != Phase::Following) {
        QMetaObject::invokeMethod(this, &LiveRun::look, Qt::QueuedConnection);
        return;
    }
    Known known{{}, changes.events, m_monitor.now()};
    if (m_options.command != Command::Events) {
        for (const election::Key &key : changes.elections) {
            if (const election::Election *e = m_monitor.elections().find(key))
                known.elections.push_back(e);
        }
    }
    if (!m_follower.update(known))
        interrupt();
}

// What became of the leaders' Pods, where the account may read it: evidence for transitions, and events themselves.
bool LiveRun::readsPodEvents() const
{
    return m_options.command == Command::Events || m_options.command == Command::Transitions || m_options.command == Command::Dossier
        || m_options.record;
}

bool LiveRun::readsElections() const
{
    return m_options.command == Command::Elections || m_options.command == Command::Events || m_options.command == Command::Transitions;
}

std::vector<ContextState> LiveRun::sources() const
{
    if (m_options.command != Command::Elections)
        return m_monitor.store().contexts();
    return withLeases(m_monitor.store().contexts(), m_monitor.elections().sources());
}

bool LiveRun::allSeen() const
{
    return allLocksVerified(chosenClusters()) && (m_options.command != Command::Elections || allVerified(chosenElections()));
}

void LiveRun::look()
{
    if (m_phase == Phase::Listing) {
        // Who only looks once need not wait for a server that cannot be reached to come back: kubectl does not either.
        const Readiness state = readiness(m_expected, sources());
        const bool once = !m_options.wait && !m_options.follow;
        if (state.settled() ? m_permits.settled() : once && !state.hopeful)
            startWaiting();
    } else if (m_phase == Phase::Waiting && allSeen())
        conclude();
}

void LiveRun::startWaiting()
{
    m_phase = Phase::Waiting;
    m_limit.stop();
    if (!m_options.wait || allSeen())
        conclude();
    else
        m_limit.start(*m_options.wait);
}

std::vector<const patroni::Cluster *> LiveRun::chosenClusters() const
{
    std::vector<const patroni::Cluster *> chosen = m_monitor.store().clusters();
    std::erase_if(chosen, [this](const patroni::Cluster *cluster) { return !matchesAny(m_options.clusters, cluster->names.key); });
    return chosen;
}

std::vector<const election::Election *> LiveRun::chosenElections() const
{
    std::vector<const election::Election *> chosen = m_monitor.elections().elections();
    std::erase_if(chosen, [this](const election::Election *e) {
        return (e->noise && !m_options.allLeases) || !isChosen(e->key, m_options.clusters);
    });
    return chosen;
}

int LiveRun::sayProblems()
{
    const Readiness state = readiness(m_expected, sources());
    for (const std::string &line : state.unreadable)
        m_sinks.err(line);
    for (const std::string &line : state.silent)
        m_sinks.err(line);
    return !state.silent.empty() ? SourceSilent : !state.unreadable.empty() || m_problemsBefore ? PartUnreadable : Answered;
}

void LiveRun::conclude()
{
    if (m_options.command == Command::Preflight && m_phase != Phase::Asking)
        askMembers();
    else
        print();
}

// What they say of themselves completes what the objects tell; where the account may not ask, the rules say what they cannot see.
void LiveRun::askMembers()
{
    m_phase = Phase::Asking;
    m_limit.start(m_times.silent);
    for (const patroni::Cluster *cluster : chosenClusters()) {
        Connection *connection = m_monitor.connection(QString::fromStdString(cluster->names.key.context));
        if (!connection)
            continue;
        const kube::Clock clock{[this] { return m_monitor.now(); }};
        auto *prober = new MemberProber(connection->client(), clock, {.every = 0ms}, this);
        m_probers[cluster->names.key] = prober;
        ++m_unanswered;
        connect(prober, &MemberProber::finished, this, [this] {
            if (--m_unanswered == 0 && m_phase == Phase::Asking)
                print();
        });
        prober->ask(*cluster);
    }
    if (m_unanswered == 0)
        print();
}

void LiveRun::print()
{
    const int sources = sayProblems();
    const std::vector<Event> events = readsElections() ? m_monitor.events() : m_monitor.store().events();
    Known known{m_monitor.store().clusters(), events, m_monitor.now(), m_monitor.elections().elections()};
    for (const auto &[key, prober] : m_probers)
        known.answers[key] = prober->answers();
    if (m_options.follow) {
        m_phase = Phase::Following;
        if (m_options.followFor)
            m_for.start(*m_options.followFor);
        if (!m_follower.update(known))
            interrupt();
        return;
    }
    if (m_options.command == Command::Dossier)
        known.audit = auditOfUser(m_options.demo);
    const Answer given = answer(m_options, known, m_sinks);
    // A cluster that is missing while a source cannot be read is not known to be missing.
    end(given.written && sources != Answered ? sources : given.exitCode);
}

void LiveRun::follow(const StoreChanges &changes)
{
    std::vector<const patroni::Cluster *> clusters;
    for (const patroni::ClusterKey &key : changes.clusters) {
        if (const patroni::Cluster *cluster = m_monitor.store().find(key))
            clusters.push_back(cluster);
    }
    if (!m_follower.update({clusters, changes.events, m_monitor.now()}))
        interrupt();
}

void LiveRun::end(int exitCode)
{
    if (m_phase == Phase::Finished)
        return;
    m_phase = Phase::Finished;
    m_limit.stop();
    m_pipe.stop();
    m_for.stop();
    m_recorder.stop();
    QMetaObject::invokeMethod(
        this, [this, exitCode] { Q_EMIT finished(exitCode); }, Qt::QueuedConnection);
}

} // namespace switchyard::headless
