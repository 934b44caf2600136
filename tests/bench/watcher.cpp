// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "watcher.h"

#include <QAbstractProxyModel>
#include <QFile>
#include <QNetworkReply>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <ctime>

#include <sys/resource.h>

namespace switchyard::bench {

namespace {

constexpr Nanoseconds longestThrottle = 500'000'000; // ten times what it should be

Nanoseconds clockNow(clockid_t clock)
{
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<Nanoseconds>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

double milliseconds(Nanoseconds t)
{
    return static_cast<double>(t) / 1e6;
}

} // namespace

Nanoseconds steady()
{
    return clockNow(CLOCK_MONOTONIC);
}

Nanoseconds wallClock()
{
    return clockNow(CLOCK_REALTIME);
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

long memoryKib(const char *field)
{
    QFile file(QStringLiteral("/proc/self/status"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QList<QByteArray> lines = file.readAll().split('\n');
    for (const QByteArray &line : lines)
        if (line.startsWith(field))
            return line.mid(line.indexOf(':') + 1).trimmed().split(' ').first().toLong();
    return 0;
}

bool Application::notify(QObject *receiver, QEvent *event)
{
    if (QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    if (type == QEvent::MetaCall && watcher && qobject_cast<QNetworkReply *>(receiver))
        watcher->bytesCame();
    const bool window = type == QEvent::UpdateRequest && receiver->isWidgetType();
    const Nanoseconds begin = ++m_depth == 1 ? steady() : 0;
    const bool result = QApplication::notify(receiver, event);
    if (--m_depth == 0)
        longest = std::max(longest, steady() - begin);
    if (watcher && type == QEvent::Paint)
        watcher->painted(receiver);
    if (watcher && window)
        watcher->windowUpdated();
    return result;
}

double Samples::quantile(double q) const
{
    if (milliseconds.empty())
        return -1;
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[static_cast<std::size_t>(std::lround(q * static_cast<double>(sorted.size() - 1)))];
}

QByteArray Samples::json() const
{
    return QByteArray("{\"n\": ") + QByteArray::number(qlonglong(milliseconds.size()))
        + ", \"p50\": " + QByteArray::number(quantile(0.5), 'f', 2) + ", \"p95\": " + QByteArray::number(quantile(0.95), 'f', 2)
        + ", \"p99\": " + QByteArray::number(quantile(0.99), 'f', 2) + ", \"max\": " + QByteArray::number(quantile(1), 'f', 2) + '}';
}

Watcher::Watcher(desktop::Desktop *desktop, int clusters)
    : m_desktop(desktop)
    , m_clusters(clusters)
{
    const auto tables = desktop->window()->findChildren<QTableView *>();
    for (QTableView *table : tables) {
        QAbstractItemModel *model = table->model();
        while (auto *proxy = qobject_cast<QAbstractProxyModel *>(model))
            model = proxy->sourceModel();
        if (auto *fleet = qobject_cast<items::FleetModel *>(model); fleet && !m_fleet) {
            m_fleet = fleet;
            m_table = table;
        }
    }
    if (!m_fleet)
        qFatal("the window has no table of clusters");
}

Watcher::~Watcher()
{
    m_stop = true;
    if (m_beat.joinable())
        m_beat.join();
}

void Watcher::look()
{
    m_looking = true;
    m_since = steady();
    connect(m_desktop->monitor(), &Monitor::changed, this, &Watcher::changed);
    connect(m_fleet, &QAbstractItemModel::dataChanged, this, &Watcher::applied);
    for (Connection *connection : m_desktop->monitor()->connections())
        connect(connection, &Connection::observed, this, [this] { ++m_observations; });
    m_beat = std::thread([this] { beat(); });
}

void Watcher::beat()
{
    while (!m_stop) {
        const Nanoseconds asked = steady();
        std::atomic<bool> answered = false;
        QMetaObject::invokeMethod(
            this,
            [this, asked, &answered] {
                if (m_looking)
                    m_answers.milliseconds.push_back(milliseconds(steady() - asked));
                answered = true;
            },
            Qt::QueuedConnection);
        do
            QThread::msleep(5);
        while (!answered && !m_stop);
    }
}

void Watcher::changed(const StoreChanges &changes)
{
    if (!m_looking)
        return;
    for (const auto &key : changes.clusters) {
        const patroni::Cluster *cluster = m_desktop->monitor()->store().find(key);
        const Pending now{m_bytesAt, cluster ? cluster->lock.renewTime : std::nullopt, changes.urgent.contains(key)};
        const auto [it, fresh] = m_pending.try_emplace(key, now);
        // An earlier change that showed nowhere in the table waits for no paint; one that goes at once takes earlier ones along.
        const bool showedNowhere = now.bytesAt - it->second.bytesAt > longestThrottle && !m_applied.contains(key);
        if (!fresh && (showedNowhere || (now.urgent && !it->second.urgent)))
            it->second = now;
    }
}

void Watcher::applied(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles)
{
    if (!roles.contains(items::SortRole)) // the clock's tick, not a change
        return;
    for (int row = first.row(); row <= last.row(); ++row) { // of many at once, with all between them
        if (const patroni::Cluster *cluster = m_fleet->clusterAt(row))
            m_applied.insert(cluster->names.key);
    }
}

void Watcher::painted(QObject *receiver)
{
    if (receiver != m_table->viewport())
        return;
    m_tablePainted = true;
    ++m_paints;
}

void Watcher::windowUpdated()
{
    if (!std::exchange(m_tablePainted, false))
        return;
    if (!m_complete)
        checkComplete();
    if (m_looking)
        record();
}

void Watcher::checkComplete()
{
    if (m_fleet->rowCount() < m_clusters || m_table->model()->rowCount() < m_clusters)
        return;
    for (int row = 0; row < m_fleet->rowCount(); ++row) {
        const patroni::Cluster *cluster = m_fleet->clusterAt(row);
        if (!cluster->leaderName || cluster->members.size() < 3 || !cluster->config)
            return;
    }
    m_complete = true;
    Q_EMIT fleetComplete();
}

std::set<patroni::ClusterKey> Watcher::visible() const
{
    std::set<patroni::ClusterKey> keys;
    const int height = m_table->viewport()->height();
    const int first = std::max(0, m_table->rowAt(0)), end = m_table->rowAt(height - 1);
    const int last = end < 0 ? m_table->model()->rowCount() - 1 : end;
    for (int row = first; row <= last; ++row)
        keys.insert(m_table->model()->index(row, 0).data(items::KeyRole).value<patroni::ClusterKey>());
    return keys;
}

// What was applied before this paint and is in sight has now been painted.
void Watcher::record()
{
    const Nanoseconds now = steady(), wall = wallClock();
    const auto seen = visible();
    for (const auto &key : std::exchange(m_applied, {})) {
        const auto it = m_pending.find(key);
        if (it == m_pending.end())
            continue;
        if (const Pending &p = it->second; seen.contains(key)) {
            (p.urgent ? m_leaderToPainted : m_toPainted).milliseconds.push_back(milliseconds(now - p.bytesAt));
            if (p.written)
                (p.urgent ? m_leaderWriteToPainted : m_writeToPainted)
                    .milliseconds.push_back(milliseconds(wall - p.written->time_since_epoch().count() * 1000));
        }
        m_pending.erase(it);
    }
}

QByteArray Watcher::report() const
{
    const double seconds = milliseconds(steady() - m_since) / 1000;
    return "\"looked_s\": " + QByteArray::number(seconds, 'f', 1)
        + ", \"events_per_s\": " + QByteArray::number(double(m_observations) / seconds, 'f', 1)
        + ", \"paints_per_s\": " + QByteArray::number(double(m_paints) / seconds, 'f', 1) + ", \"to_painted\": " + m_toPainted.json()
        + ", \"leader_to_painted\": " + m_leaderToPainted.json() + ", \"write_to_painted\": " + m_writeToPainted.json()
        + ", \"leader_write_to_painted\": " + m_leaderWriteToPainted.json() + ", \"stall\": " + m_answers.json();
}

} // namespace switchyard::bench
