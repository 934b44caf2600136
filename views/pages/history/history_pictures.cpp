// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/history/history_pictures.h"

#include "models/items/events_model.h"
#include "views/charts/lag_chart.h"
#include "views/charts/picture_panel.h"
#include "views/charts/renew_chart.h"
#include "views/charts/timeline_chart.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/history/picture_rows.h"
#include "views/pages/history/timelines_view.h"
#include "views/style/metrics.h"
#include "views/words.h"

#include <QHBoxLayout>
#include <QSet>
#include <QVBoxLayout>

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;

HistoryPictures::HistoryPictures(QWidget *parent)
    : QTabWidget(parent)
{
    m_leadersTab = buildLeaders();
    m_renewTab = buildRenewals();
    m_lagTab = buildLag();
    setDocumentMode(true);
    setAccessibleName(tr("Pictures of the history"));
    addTab(m_leadersTab, tr("Who &led when"));
    addTab(m_renewTab, tr("Rene&wals"));
    addTab(m_lagTab, tr("La&g"));
    connect(this, &QTabWidget::currentChanged, this, &HistoryPictures::refresh);
}

PicturePanel *HistoryPictures::panel(TimeCanvas *canvas, const QString &title, const QString &caption)
{
    auto *made = new PicturePanel(canvas, title, caption, this);
    connect(made, &PicturePanel::saveRequested, this, &HistoryPictures::saveRequested);
    m_panels.append(made);
    return made;
}

QWidget *HistoryPictures::buildLeaders()
{
    auto *tab = new QWidget(this);
    auto *column = new QVBoxLayout(tab);
    column->setContentsMargins(0, grid, 0, 0);
    m_timeline = new TimelineChart(tab);
    column->addWidget(panel(m_timeline, tr("Who led when"),
                            tr("high: leads; outlined: recorded, not seen \u00b7 low: sync, replica, stopped \u00b7 red: nobody led \u00b7 "
                               "hatched: not watched")));
    auto *tables = new QTabWidget(tab);
    tables->setDocumentMode(true);
    tables->setAccessibleName(tr("Tables of the history"));
    m_timelines = new TimelinesView(tables);
    m_transitions = new TransitionsTable(tables);
    m_spans = new FactsTable(tr("Who was what when"), leadershipColumns(), tr("Nothing is recorded about who led when."), tables);
    tables->addTab(m_timelines, tr("&Timelines"));
    tables->addTab(m_transitions, tr("T&ransitions"));
    tables->addTab(m_spans, tr("As in the pi&cture"));
    connect(tables, &QTabWidget::currentChanged, this, [this] {
        m_leadersStale = true;
        refresh();
    });
    column->addWidget(tables, 1);
    return tab;
}

QWidget *HistoryPictures::buildRenewals()
{
    auto *tab = new QWidget(this);
    auto *row = new QHBoxLayout(tab);
    row->setContentsMargins(0, grid, 0, 0);
    m_renewals = new RenewChart(tab);
    row->addWidget(panel(m_renewals, tr("Renewals of the lock"), tr("triangle: late \u00b7 hollow: still waited for")), 7);
    m_renewTable = new FactsTable(tr("Renewals of the lock"), renewColumns(), noIntervalText(), tab);
    row->addWidget(m_renewTable, 6); // all its columns at 1280 pixels
    connect(m_renewals, &TimeCanvas::rangeChanged, this, &HistoryPictures::showRenewStats);
    return tab;
}

QWidget *HistoryPictures::buildLag()
{
    auto *tab = new QWidget(this);
    auto *row = new QHBoxLayout(tab);
    row->setContentsMargins(0, grid, 0, 0);
    m_lag = new LagChart(tab);
    row->addWidget(panel(m_lag, tr("Lag of the replicas"), tr("as last reported \u00b7 no line: unknown")), 3);
    m_lagTable = new FactsTable(tr("Lag of the replicas"), lagColumns(), tr("No lag is known yet."), tab);
    row->addWidget(m_lagTable, 2);
    return tab;
}

void HistoryPictures::setSources(items::EventsModel *events, const Trails *trails)
{
    m_source = events;
    m_trails = trails;
    if (events)
        connect(events, &QAbstractItemModel::rowsInserted, this,
                [this](const QModelIndex &, int first, int last) { addEvents(first, last); });
    gather();
}

void HistoryPictures::setPast(const patroni::ClusterKey &key, std::vector<Event> events, std::optional<Instant> lookedSince,
                              std::vector<patroni::HistoryEntry> timelines)
{
    if (!m_cluster || m_cluster->names.key != key)
        return;
    m_past = std::move(events);
    m_pastSince = lookedSince;
    m_pastTimelines = std::move(timelines);
    notePastExpiries();
    showTimelines();
    gather();
    m_leadersStale = true;
    refresh();
}

void HistoryPictures::setPastRenewals(const patroni::ClusterKey &key, QList<RenewMinute> minutes)
{
    if (!m_cluster || m_cluster->names.key != key)
        return;
    m_pastRenewals = std::move(minutes);
    if (isInSight(m_renewTab))
        refreshRenewals();
}

// Those of this run are among the cluster's transitions.
void HistoryPictures::notePastExpiries()
{
    const auto first = firstLook();
    m_pastRanOut.clear();
    for (const Event &event : m_past) {
        if (event.type == EventCode::LockExpired && (!first || event.wall < *first))
            m_pastRanOut.append(event.wall);
    }
}

// The model has the newest first.
void HistoryPictures::addEvents(int first, int last)
{
    if (!m_cluster)
        return;
    for (int row = last; row >= first; --row)
        if (const Event *event = m_source->eventAt(row); event && concerns(*event, m_cluster->names.key)) {
            m_events.push_back(*event);
            m_leadersStale = true;
        }
    // Older ones may come later, below the others.
    const auto earlier = [](const Event &a, const Event &b) { return a.wall < b.wall; };
    if (!std::is_sorted(m_events.begin(), m_events.end(), earlier))
        std::stable_sort(m_events.begin(), m_events.end(), earlier);
    refresh();
}

void HistoryPictures::gather()
{
    m_events.clear();
    if (m_source && m_cluster)
        addEvents(0, m_source->rowCount() - 1);
}

// What both the past and the present tell of counts once.
std::vector<Event> HistoryPictures::allEvents() const
{
    std::vector<Event> all = m_events;
    if (m_past.empty())
        return all;
    std::set<std::string> seen;
    for (const Event &event : m_events)
        seen.insert(event.id);
    std::copy_if(m_past.begin(), m_past.end(), std::back_inserter(all), [&](const Event &event) { return !seen.contains(event.id); });
    std::stable_sort(all.begin(), all.end(), [](const Event &a, const Event &b) { return a.wall < b.wall; });
    return all;
}

std::optional<Instant> HistoryPictures::lookedSince() const
{
    return m_pastSince ? m_pastSince : firstLook();
}

std::optional<Instant> HistoryPictures::firstLook() const
{
    const ClusterTrail *trail = m_trails ? m_trails->find(m_cluster->names.key) : nullptr;
    return trail && trail->lookedSince ? std::optional(m_now.toWall(*trail->lookedSince)) : m_firstShown;
}

void HistoryPictures::show(const Cluster &cluster, Now now)
{
    const bool other = !m_cluster || m_cluster->names.key != cluster.names.key;
    m_cluster = cluster;
    m_now = now;
    if (other) {
        m_past.clear();
        m_pastSince.reset();
        m_pastTimelines.clear();
        m_pastRenewals.clear();
        m_pastRanOut.clear();
        m_firstShown = now.wall;
        gather();
        const auto &key = cluster.names.key;
        for (PicturePanel *made : m_panels) {
            made->startAnew();
            made->setSubject(tr("%1 / %2 / %3", "context / namespace / cluster")
                                 .arg(text(key.context), text(key.ns), text(key.group ? key.base : key.scope)));
        }
    }
    showTimelines();
    m_transitions->show(cluster);
    m_leadersStale = true;
    refresh();
}

bool HistoryPictures::isInSight(QWidget *tab) const
{
    return m_cluster && isVisible() && currentWidget() == tab;
}

void HistoryPictures::refresh()
{
    if (isInSight(m_leadersTab) && m_leadersStale)
        refreshLeaders();
    if (isInSight(m_renewTab))
        refreshRenewals();
    if (isInSight(m_lagTab))
        refreshLag();
}

void HistoryPictures::refreshLeaders()
{
    m_leadersStale = false;
    const std::vector<Event> events = allEvents();
    const Leadership lanes = leadership(*m_cluster, events, lookedSince(), m_now);
    m_timeline->show(lanes);
    if (m_spans->isVisible())
        m_spans->set(leadershipRows(lanes, m_pastSince ? firstLook() : std::nullopt));
    showArchived();
    m_timeline->setAccessibleDescription(tr("%n lane(s); the tables below tell the same.", nullptr, static_cast<int>(lanes.lanes.size())));
}

// Those that were trimmed since; they come before Patroni's own.
std::vector<patroni::HistoryEntry> HistoryPictures::lostTimelines() const
{
    if (!m_cluster || !m_cluster->config || !m_cluster->config->history.readable || m_cluster->config->history.entries.empty())
        return {};
    const auto &entries = m_cluster->config->history.entries;
    const auto first = std::min_element(entries.begin(), entries.end(), [](auto &a, auto &b) { return a.timeline < b.timeline; });
    std::vector<patroni::HistoryEntry> lost = m_pastTimelines;
    std::erase_if(lost, [oldest = first->timeline](const patroni::HistoryEntry &entry) { return entry.timeline >= oldest; });
    return lost;
}

void HistoryPictures::showTimelines()
{
    const std::vector<patroni::HistoryEntry> lost = lostTimelines();
    std::set<std::int64_t> archived;
    for (const patroni::HistoryEntry &entry : lost)
        archived.insert(entry.timeline);
    m_timelines->setArchived(std::move(archived));
    if (lost.empty())
        return m_timelines->showCluster(*m_cluster, m_now);
    Cluster all = *m_cluster;
    auto &entries = all.config->history.entries;
    entries.insert(entries.begin(), lost.begin(), lost.end());
    m_timelines->showCluster(all, m_now);
}

void HistoryPictures::showArchived()
{
    const auto first = firstLook();
    const bool some = m_pastSince && first;
    for (PicturePanel *made : m_panels)
        if (made->canvas() == m_timeline)
            made->setSummary(some ? tr("From the archive: %1 to %2.").arg(timeText(*m_pastSince), timeText(*first)) : QString());
}

void HistoryPictures::refreshRenewals()
{
    RenewData renewals = renewData(*m_cluster, m_now);
    renewals.minutes = minutesBeside(renewals.points, m_pastRenewals);
    renewals.ranOut += m_pastRanOut;
    m_renewals->show(renewals);
    showRenewStats();
}

void HistoryPictures::showRenewStats()
{
    if (!isInSight(m_renewTab))
        return;
    m_renewTable->set(m_renewRows.of(m_renewals->data(), m_renewals->shown()));
    for (PicturePanel *made : m_panels)
        if (made->canvas() == m_renewals)
            made->setSummary(renewSummary(m_renewals->stats(), m_renewals->minuteStats()));
}

void HistoryPictures::refreshLag()
{
    const LagData lags = lagData(*m_cluster, m_trails ? m_trails->find(m_cluster->names.key) : nullptr, m_now);
    m_lag->show(lags);
    m_lagTable->set(lagRows(lags));
}

void HistoryPictures::tick(Now now)
{
    m_now = now;
    m_timelines->tick(now);
    if (isInSight(m_leadersTab) && !m_leadersStale)
        m_timeline->goOn(now.wall);
    refresh();
}

void HistoryPictures::clear()
{
    m_cluster.reset();
    m_events.clear();
    m_past.clear();
    m_pastSince.reset();
    m_pastTimelines.clear();
    m_pastRenewals.clear();
    m_pastRanOut.clear();
    m_timelines->clear();
}

bool HistoryPictures::choose(const QString &code)
{
    const QStringList codes{u"leaders"_s, u"renewals"_s, u"lag"_s};
    if (!codes.contains(code))
        return false;
    setCurrentIndex(static_cast<int>(codes.indexOf(code)));
    return true;
}

} // namespace switchyard::views
