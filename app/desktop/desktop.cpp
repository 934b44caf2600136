// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/desktop.h"

#include "app/desktop/archive_control.h"
#include "app/desktop/context_rows.h"
#include "app/desktop/dossiers.h"
#include "app/desktop/exporter.h"
#include "app/desktop/log_quotes.h"
#include "app/desktop/record_control.h"
#include "app/desktop/replay_control.h"
#include "app/desktop/write_flow.h"
#include "app/export/atomic_file.h"
#include "app/headless/options.h"
#include "app/simulator/simulator.h"
#include "views/pages/contexts_page.h"
#include "views/words.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QStandardPaths>
#include <QStatusBar>

#include <algorithm>
#include <cstdio>

namespace switchyard::desktop {

using namespace std::chrono_literals;

namespace {

using views::text;

// A picture is taken of whatever is to be seen by then.
constexpr auto pictureLimit = 20s;
// A page that was hidden finds its heights in several rounds: words that wrap would be cut off.
constexpr auto layoutTime = 200ms;

// Frozen ones count too: there is nothing else to choose from. nullptr: the leader is alone.
const patroni::Member *anyReplica(const patroni::Cluster &cluster)
{
    const auto found = std::find_if(cluster.members.begin(), cluster.members.end(),
                                    [&](const patroni::Member &m) { return m.record.name != cluster.leaderName.value_or(""); });
    return found == cluster.members.end() ? nullptr : &*found;
}

} // namespace

Desktop::Desktop(DesktopOptions options, QObject *parent)
    : QObject(parent)
    , m_options(std::move(options))
{
    const kube::Clock system = kube::systemClock();
    m_monitor = std::make_unique<Monitor>(kube::Clock{[this, system] {
        const auto replayed = m_replay ? m_replay->now() : std::nullopt;
        return replayed ? *replayed : system.now();
    }});
    m_settings = std::make_unique<Settings>(settingsFile());
    m_window = std::make_unique<views::MainWindow>(&m_fleet, &m_events, &m_contexts);
    m_flow = new WriteFlow(m_monitor.get(), m_window.get(), auditPath(), m_options.readOnly, this);
    m_logs = new LogQuotes(m_monitor.get(), m_window.get(), this);
    m_dossiers = new Dossiers(m_monitor.get(), m_window.get(), auditPath(), this);
    m_replay = new ReplayControl(m_monitor.get(), system, this);
    m_record = new RecordControl(m_monitor.get(), m_window.get(), this);
    wire();
    wireAudit();
    wireArchive();
    wireRights();
    wirePictures();
    wireElections();
}

Desktop::~Desktop()
{
    m_settings->setGeometry(m_window->saveGeometry());
    m_settings->setContextsPage(m_window->contextsPage()->saveState());
    m_window->disconnect(this);
    delete m_flow; // first: a write under way leaves its last word in the audit file, by the monitor's clock
}

// The demo's clusters are nobody's: what is done to them does not belong among real writes.
QString Desktop::auditPath() const
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + (m_options.demo ? u"/demo-audit.ndjson" : u"/audit.ndjson");
}

void Desktop::wire()
{
    connect(m_monitor.get(), &Monitor::changed, &m_throttle, &Throttle::add);
    connect(&m_throttle, &Throttle::flushed, this, &Desktop::refresh);
    connect(&m_second, &QTimer::timeout, this, &Desktop::everySecond);
    views::MainWindow *window = m_window.get();
    connect(window, &views::MainWindow::clusterOpened, this, &Desktop::openCluster);
    connect(window, &views::MainWindow::actionRequested, m_flow,
            [this](const patroni::ClusterKey &key, rules::ActionKind kind, const QString &member) {
                if (member.isEmpty())
                    m_flow->act(key, kind);
                else
                    m_flow->actOn(key, kind, member.toStdString());
            });
    connect(window, &views::MainWindow::actionForAllRequested, m_flow,
            [this](const std::vector<patroni::ClusterKey> &keys, rules::ActionKind kind) { m_flow->act(keys, kind); });
    new Exporter(
        m_monitor.get(), window, &m_events, [this](bool wholeFile) { return auditTable(wholeFile); }, this);
    connect(window, &views::MainWindow::demoActionRequested, this, &Desktop::demoAction);
    connect(window, &views::MainWindow::relistRequested, this, [this] {
        for (Connection *connection : m_monitor->connections())
            connection->relist();
    });
    window->setReadOnly(m_options.readOnly || !m_options.replayFile.isEmpty());
    window->resize(m_options.size);
    window->showPage(m_options.page);
    window->restoreGeometry(m_settings->geometry());
    window->contextsPage()->restoreState(m_settings->contextsPage());
}

void Desktop::start()
{
    m_window->show();
    openSources();
    m_second.start(1s);
    everySecond();
    if (!m_options.screenshotFile.isEmpty()) {
        connect(&m_picture, &QTimer::timeout, this, &Desktop::waitForPicture);
        m_picture.start(50ms);
    }
}

void Desktop::refresh(const StoreChanges &changes)
{
    const Now now = m_monitor->now();
    std::vector<const patroni::Cluster *> changed;
    for (const auto &key : changes.clusters) {
        if (const patroni::Cluster *cluster = m_monitor->store().find(key))
            changed.push_back(cluster);
    }
    m_fleet.updateSome(changed, {changes.removed.begin(), changes.removed.end()}, now);
    m_events.append(changes.events);
    for (const patroni::Cluster *cluster : changed) {
        showCluster(*cluster, now);
        m_flow->clusterChanged(cluster->names.key);
        m_logs->look(cluster->names.key);
    }
    for (const auto &key : changes.removed) {
        m_window->clusterRemoved(key);
        m_flow->clusterChanged(key);
    }
    refreshPatroniLocks(changes);
    if (!changes.contexts.empty())
        showContexts();
}

void Desktop::showContexts()
{
    std::vector<items::ContextRow> rows = m_book ? m_book->rows() : std::vector<items::ContextRow>();
    if (!m_book) { // a recording
        for (const ContextState &state : m_monitor->store().contexts())
            rows.push_back(rowOf(state));
    }
    std::vector<views::ContextStatus> shown;
    for (const items::ContextRow &row : rows) {
        if (row.open())
            shown.push_back(statusOf(row));
    }
    m_contexts.set(std::move(rows), m_monitor->now());
    m_window->setContexts(shown, m_monitor->now());
}

void Desktop::everySecond()
{
    const Now now = m_monitor->now();
    m_window->tick(now);
    m_flow->tick(now);
    showContexts();
    follow();
    followAudit();
}

// What is on screen, and what waits for an answer to a request of ours, is watched most closely.
void Desktop::follow()
{
    std::vector<patroni::ClusterKey> keys;
    if (const auto open = m_window->openedCluster())
        keys.push_back(*open);
    for (const patroni::ClusterKey &key : m_flow->written()) {
        const patroni::Cluster *cluster = m_monitor->store().find(key);
        if (cluster && cluster->pendingRequest() && std::find(keys.begin(), keys.end(), key) == keys.end())
            keys.push_back(key);
    }
    if (keys != m_followed)
        m_monitor->follow(keys);
    m_followed = std::move(keys);
}

void Desktop::openCluster(const patroni::ClusterKey &key)
{
    m_window->openCluster(key, m_monitor->store().find(key), m_monitor->now());
    if (m_archive)
        m_archive->opened(key);
    m_logs->opened(key);
    follow();
}

void Desktop::demoAction(views::DemoAction action, const patroni::ClusterKey &asked)
{
    if (!m_simulator)
        return;
    // No cluster is open: any will do to see what happens.
    const auto clusters = m_monitor->store().clusters();
    const patroni::Cluster *cluster = m_monitor->store().find(asked);
    if (!cluster && !clusters.empty())
        cluster = clusters.front();
    switch (action) {
    case views::DemoAction::CrashLeader:
        if (cluster)
            m_simulator->crashLeader(cluster->names.key.ns, cluster->names.key.scope);
        break;
    case views::DemoAction::FreezeMember:
        if (const patroni::Member *replica = cluster ? anyReplica(*cluster) : nullptr)
            m_simulator->freezeMember(cluster->names.key.ns, cluster->names.key.scope, replica->record.name);
        break;
    case views::DemoAction::ThawAll: m_simulator->thawAll(); break;
    case views::DemoAction::StopApiServer: m_simulator->stopApi(); break;
    case views::DemoAction::StartApiServer: m_simulator->startApi(); break;
    }
}

// Shown on the empty page, and said on stderr where only a picture is taken.
void Desktop::notice(const QString &text)
{
    m_window->setNotice(text);
    if (m_options.screenshotFile.isEmpty())
        return;
    std::fprintf(stderr, "switchyard: %s\n", text.toUtf8().constData());
    m_exitCode = headless::CouldNot;
}

bool Desktop::listedOrFailed() const
{
    const auto contexts = m_monitor->store().contexts();
    if (contexts.size() < m_monitor->connections().size())
        return false;
    return std::all_of(contexts.begin(), contexts.end(), [&](const ContextState &context) {
        Connection *connection = m_monitor->connection(text(context.context));
        if (connection && context.streams.size() < 3 * static_cast<std::size_t>(connection->namespaces().size()))
            return false;
        return std::all_of(context.streams.begin(), context.streams.end(), [](const StreamState &s) { return s.listed || s.error; });
    });
}

void Desktop::waitForPicture()
{
    const Boot now = kube::systemClock().now().boot;
    if (!m_pictureSince)
        m_pictureSince = now;
    const bool ready = !m_options.replayFile.isEmpty()
        || (listedOrFailed() && (m_options.page != views::Page::Permissions || rightsAsked()));
    const bool tooLong = now - *m_pictureSince > pictureLimit;
    if (!m_pictureFrom && !ready && tooLong) {
        std::fprintf(stderr, "switchyard: not everything could be listed within %lld s; the picture shows what is there\n",
                     static_cast<long long>(pictureLimit.count()));
        m_exitCode = headless::SourceSilent;
    }
    if (!m_pictureFrom && (ready || tooLong))
        m_pictureFrom = now;
    if (!m_pictureFrom || now - *m_pictureFrom < std::max<Duration>(m_options.after, 300ms))
        return;
    m_picture.stop();
    takePicture();
}

void Desktop::takePicture()
{
    const auto clusters = m_monitor->store().clusters();
    const patroni::Cluster *chosen = nullptr;
    for (const patroni::Cluster *cluster : clusters) {
        if (!chosen && (!m_options.cluster || m_options.cluster->matches(cluster->names.key)))
            chosen = cluster;
    }
    if (m_options.cluster && !chosen) {
        std::fprintf(stderr, "switchyard: no cluster %s was found\n", m_options.cluster->text().c_str());
        QCoreApplication::exit(1);
        return;
    }
    if (chosen
        && (m_options.cluster || m_options.page == views::Page::Cluster || m_options.page == views::Page::History
            || m_options.page == views::Page::Dossier))
        m_window->openCluster(chosen->names.key, chosen, m_monitor->now());
    m_window->showPage(m_options.page);
    m_window->showPicture(m_options.picture);
    everySecond();
    QTimer::singleShot(layoutTime, this, &Desktop::savePicture);
}

void Desktop::savePicture()
{
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    const bool made = m_window->grab().save(&png, "PNG");
    const auto written = exports::writeFileAtomically(m_options.screenshotFile,
                                                      {png.data().constData(), static_cast<std::size_t>(png.data().size())});
    if (!made || !written) {
        std::fprintf(stderr, "switchyard: %s\n", written ? "the picture could not be made" : describe(written.error()).c_str());
        QCoreApplication::exit(1);
        return;
    }
    QCoreApplication::exit(m_exitCode);
}

} // namespace switchyard::desktop
