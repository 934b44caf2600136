// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/archive/each_row.h"
#include "app/headless/election_rows.h"
#include "app/headless/follower.h"
#include "app/headless/process.h"
#include "app/headless/run.h"
#include "app/kube/watch.h"

#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <set>

namespace switchyard::headless {

using namespace std::chrono_literals;
using archive::ArchiveReader;

namespace {

// An event may be written some time after it happened: another program was late, or its archive was not to be written for a while.
constexpr Duration lateness = 10min;

// The time of a row as a boot time: both clocks are one here.
Now clockAt(Instant wall)
{
    return {Boot(wall.time_since_epoch()), wall};
}

// Everything that the archive knows of one cluster, in the form that every command prints from.
class Loader
{
public:
    Loader(ArchiveReader &reader, const archive::KnownCluster &known)
        : m_reader(reader)
        , m_row(known.row)

    {
        m_cluster.names.key = known.id.key();
        m_cluster.names.mode = known.id.mode.value_or(patroni::Mode::Endpoints);
        m_cluster.names.leaderName = known.id.base + (m_cluster.names.mode == patroni::Mode::ConfigMaps ? "-leader" : "");
        m_cluster.names.configName = known.id.base + "-config";
        m_cluster.names.failoverName = known.id.base + "-failover";
        m_cluster.names.syncName = known.id.base + "-sync";
        if (!known.id.incarnation.empty())
            m_cluster.systemId = known.id.incarnation;
        m_cluster.view.freshness = patroni::Freshness::Stale;
        m_cluster.view.staleSince = m_cluster.view.lastContact = clockAt(known.lastSeen).boot;
        m_cluster.config.emplace();
    }

    Result<patroni::Cluster> load(Command command)
    {
        Result<void> loaded;
        const bool whole = command == Command::Dossier;
        if (command == Command::Transitions || whole)
            loaded = all<archive::TransitionRecord>(&ArchiveReader::transitions,
                                                    [&](auto &row) { m_cluster.transitions.push_back(std::move(row.transition)); });
        if (loaded && (command == Command::Requests || whole))
            loaded = all<archive::RequestRecord>(&ArchiveReader::requests,
                                                 [&](auto &row) { m_cluster.requests.push_back(std::move(row.request)); });
        if (loaded && (command == Command::History || whole))
            loaded = all<archive::TimelineRecord>(&ArchiveReader::timelines,
                                                  [&](auto &row) { m_cluster.config->history.entries.push_back(std::move(row.entry)); });
        return loaded ? Result<patroni::Cluster>(std::move(m_cluster)) : tl::unexpected(loaded.error());
    }

    // The states of its objects, and what people wrote of its transitions.
    Result<void> addTo(Known &to)
    {
        auto read = all<archive::SnapshotRecord>(&ArchiveReader::snapshots, [&](archive::SnapshotRecord &row) {
            to.objects[m_cluster.names.key].push_back(
                {row.seen, {row.object, row.resourceVersion, clockAt(row.seen).boot, std::move(row.annotations)}});
        });
        if (!read)
            return read;
        return all<archive::NoteRecord>(&ArchiveReader::notes, [&](archive::NoteRecord &row) {
            to.notes[row.transition].push_back({row.at, row.author, row.text});
        });
    }

private:
    template<class T, class Take>
    Result<void> all(Result<archive::Page<T>> (ArchiveReader::*question)(const archive::Query &), Take take)
    {
        archive::Query query;
        query.clusters = {m_row};
        query.newestFirst = false;
        return archive::eachRow<T>(m_reader, question, query, take);
    }

    ArchiveReader &m_reader;
    std::int64_t m_row;
    patroni::Cluster m_cluster;
};

class ArchiveRun
{
public:
    ArchiveRun(const Options &options, const Sinks &sinks)
        : m_options(options)
        , m_sinks(sinks)
        , m_follower(options, sinks)
    {}

    int once()
    {
        const Now now = clockAt(kube::systemClock().now().wall);
        const auto clusters = load();
        if (!clusters)
            return couldNot(clusters.error());
        std::vector<Event> events;
        // The changes of elections are kept as events.
        if (m_options.command == Command::Events || m_options.command == Command::Dossier || m_options.command == Command::Transitions) {
            const auto read = eachPage(now, [&](std::vector<Event> page) {
                std::move(page.begin(), page.end(), std::back_inserter(events));
                return true;
            });
            if (!read)
                return couldNot(read.error());
        }
        Known known{pointers(*clusters), events, now};
        if (const auto found = findElections(known); !found)
            return couldNot(found.error());
        if (m_options.command == Command::Dossier) {
            if (const auto more = addDossier(known); !more)
                return couldNot(more.error());
        }
        return answer(m_options, known, m_sinks).exitCode;
    }

    // What is there, and what has come since the last time. False: it is over, with this exit code.
    bool more(int &exitCode)
    {
        const Now now = clockAt(kube::systemClock().now().wall);
        const auto clusters = load();
        if (!clusters) {
            exitCode = couldNot(clusters.error());
            return false;
        }
        if (m_options.command != Command::Events && m_options.command != Command::Transitions)
            return m_follower.update({pointers(*clusters), {}, now});
        bool open = true;
        const auto read = eachPage(now, [&](std::vector<Event> page) {
            std::erase_if(page, [&](const Event &event) { return !isNew(event); });
            open = m_follower.update({pointers(*clusters), page, now});
            return open;
        });
        if (!read)
            exitCode = couldNot(read.error());
        return read && open;
    }

private:
    Result<void> addDossier(Known &to)
    {
        for (const archive::KnownCluster &one : m_known) {
            if (auto added = Loader(*m_reader, one).addTo(to); !added)
                return added;
        }
        return archive::eachRow<archive::AuditRecord>(*m_reader, &ArchiveReader::audit, {},
                                                      [&](archive::AuditRecord &row) { to.audit.push_back(std::move(row.entry)); });
    }

    int couldNot(const Error &error) const
    {
        m_sinks.err(describe(error));
        return CouldNot;
    }

    static std::vector<const patroni::Cluster *> pointers(const std::vector<patroni::Cluster> &clusters)
    {
        std::vector<const patroni::Cluster *> all;
        for (const patroni::Cluster &cluster : clusters)
            all.push_back(&cluster);
        return all;
    }

    Result<ArchiveReader *> reader()
    {
        if (!m_reader) {
            auto opened = ArchiveReader::open(*m_options.archive);
            if (!opened)
                return tl::unexpected(opened.error());
            m_reader = std::move(*opened);
        }
        return m_reader.get();
    }

    Result<std::vector<patroni::Cluster>> load()
    {
        const auto open = reader();
        if (!open)
            return tl::unexpected(open.error());
        const auto known = (*open)->clusters();
        if (!known)
            return tl::unexpected(known.error());
        std::vector<patroni::Cluster> clusters;
        m_rows.clear();
        m_known.clear();
        m_namespaces.clear();
        m_renewed.clear();
        for (const archive::KnownCluster &one : *known) {
            if (one.id.scope.empty() && !one.id.base.empty()) { // an election
                m_renewed.push_back({{}, one.id.ns, one.id.base});
                continue;
            }
            if (!mayTellOf(one.id))
                continue;
            m_rows.push_back(one.row);
            if (one.id.scope.empty()) { // a connection
                m_namespaces.push_back(one.row);
                continue;
            }
            auto cluster = Loader(**open, one).load(*m_options.command);
            if (!cluster)
                return tl::unexpected(cluster.error());
            clusters.push_back(std::move(*cluster));
            m_known.push_back(one);
        }
        return clusters;
    }

    // What happened to an election is kept as what happened in its namespace.
    bool mayTellOf(const archive::ClusterId &id) const
    {
        const auto &chosen = m_options.clusters;
        if (matchesAny(chosen, id.key()))
            return true;
        return id.scope.empty() && namesElections(*m_options.command)
            && std::any_of(chosen.begin(), chosen.end(), [&](const ClusterSelector &one) { return one.ns == id.ns; });
    }

    // Those among the chosen that were ever seen to be renewed, or to change.
    Result<void> findElections(Known &to)
    {
        for (const ClusterSelector &chosen : m_options.clusters) {
            const election::Key key{{}, chosen.ns, chosen.scope};
            if (std::find(m_renewed.begin(), m_renewed.end(), key) != m_renewed.end()) {
                to.remembered.push_back(key);
                continue;
            }
            archive::Query query;
            query.clusters = m_namespaces;
            query.object = chosen.scope;
            query.most = 1;
            const auto page = m_namespaces.empty() ? Result<archive::Page<archive::EventRecord>>() : (*reader())->events(query);
            if (!page)
                return tl::unexpected(page.error());
            if (!page->rows.empty() && isChosen(page->rows.front().event, {chosen}))
                to.remembered.push_back(key);
        }
        return {};
    }

    // Events, oldest first. take: false when nobody reads any more.
    template<class Take>
    Result<void> eachPage(Now now, Take take)
    {
        archive::Query query;
        query.newestFirst = false;
        query.clusters = m_rows;
        query.since = filtersOf(m_options, now.wall).since;
        if (m_newest && (!query.since || *m_newest - lateness > *query.since))
            query.since = *m_newest - lateness;
        do {
            auto page = (*reader())->events(query);
            if (!page)
                return tl::unexpected(page.error());
            std::vector<Event> events;
            for (archive::EventRecord &record : page->rows)
                events.push_back(std::move(record.event));
            if (!take(std::move(events)))
                return {};
            query.after = page->next;
        } while (query.after && !m_rows.empty());
        return {};
    }

    bool isNew(const Event &event)
    {
        m_newest = std::max(m_newest.value_or(event.wall), event.wall);
        return m_told.insert(event.cluster.text() + '\0' + event.id).second;
    }

    Options m_options;
    Sinks m_sinks;
    Follower m_follower;
    std::unique_ptr<ArchiveReader> m_reader;
    std::vector<std::int64_t> m_rows, m_namespaces; // m_namespaces: those of m_rows that tell of elections
    std::vector<election::Key> m_renewed;           // elections, without a context
    std::vector<archive::KnownCluster> m_known;     // clusters among them
    std::set<std::string> m_told;
    std::optional<Instant> m_newest;
};

int followArchive(ArchiveRun &run, const Sinks &sinks)
{
    int exitCode = Answered;
    if (!run.more(exitCode))
        return exitCode;
    QEventLoop loop;
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &loop, &QEventLoop::quit);
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        if (sinks.closed() || !run.more(exitCode))
            loop.quit();
    });
    timer.start(1s);
    loop.exec();
    return exitCode;
}

} // namespace

int runArchive(const Options &options, const Sinks &sinks)
{
    ArchiveRun run(options, sinks);
    return options.follow ? followArchive(run, sinks) : run.once();
}

} // namespace switchyard::headless
