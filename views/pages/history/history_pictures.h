// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The pictures of the history page, one a tab, each with its table. Only the one in front is drawn.
#include "models/events/event.h"
#include "models/store/trails.h"
#include "views/pages/history/picture_rows.h"

#include <QTabWidget>

namespace switchyard::items {
class EventsModel;
}

namespace switchyard::views {

class FactsTable;
class LagChart;
class PicturePanel;
class RenewChart;
class TimelineChart;
class TimelinesView;
class TransitionsTable;

class HistoryPictures : public QTabWidget
{
    Q_OBJECT
public:
    explicit HistoryPictures(QWidget *parent = nullptr);
    void setSources(items::EventsModel *events, const Trails *trails);
    void setPast(const patroni::ClusterKey &key, std::vector<Event> events, std::optional<Instant> lookedSince,
                 std::vector<patroni::HistoryEntry> timelines);
    void setPastRenewals(const patroni::ClusterKey &key, QList<RenewMinute> minutes);
    void show(const patroni::Cluster &cluster, Now now);
    void refresh(); // what came while nobody saw it
    void tick(Now now);
    void clear();
    bool choose(const QString &code);                         // leaders renewals lag
    std::vector<patroni::HistoryEntry> lostTimelines() const; // shown, although Patroni's history does not tell of them any more

Q_SIGNALS:
    void saveRequested(const QString &file, const QByteArray &bytes);

private:
    QWidget *buildLeaders();
    QWidget *buildRenewals();
    QWidget *buildLag();
    PicturePanel *panel(class TimeCanvas *canvas, const QString &title, const QString &caption);
    void gather();
    void notePastExpiries();
    std::vector<Event> allEvents() const;
    void addEvents(int first, int last);
    void refreshLeaders();
    void refreshRenewals();
    void showRenewStats();
    void refreshLag();
    std::optional<Instant> lookedSince() const;
    std::optional<Instant> firstLook() const; // of this run
    void showArchived();
    void showTimelines();
    bool isInSight(QWidget *tab) const;

    std::optional<patroni::Cluster> m_cluster;
    Now m_now;
    items::EventsModel *m_source = nullptr;
    const Trails *m_trails = nullptr;
    std::vector<Event> m_past, m_events; // before this program was started; since then
    std::optional<Instant> m_pastSince, m_firstShown;
    std::vector<patroni::HistoryEntry> m_pastTimelines;
    QList<RenewMinute> m_pastRenewals;
    QList<Instant> m_pastRanOut;
    bool m_leadersStale = false;
    QList<PicturePanel *> m_panels;
    QWidget *m_leadersTab = nullptr, *m_renewTab = nullptr, *m_lagTab = nullptr;
    TimelineChart *m_timeline = nullptr;
    FactsTable *m_spans = nullptr;
    TimelinesView *m_timelines = nullptr;
    TransitionsTable *m_transitions = nullptr;
    RenewChart *m_renewals = nullptr;
    FactsTable *m_renewTable = nullptr;
    RenewRows m_renewRows;
    LagChart *m_lag = nullptr;
    FactsTable *m_lagTable = nullptr;
};

} // namespace switchyard::views
