// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened to one cluster: who led when, renewals of the lock and lags of the replicas, each as a picture with its table.
#include "models/core/renew_minute.h"
#include "models/store/trails.h"

#include <QList>
#include <QWidget>

#include <memory>

namespace switchyard {
struct Event;
}

namespace switchyard::items {
class EventsModel;
}

namespace switchyard::views {

class HistoryPage : public QWidget
{
    Q_OBJECT
public:
    explicit HistoryPage(QWidget *parent = nullptr);
    ~HistoryPage() override;
    void setCluster(const patroni::Cluster &cluster, Now now);
    void setGone(); // deleted, or no longer to be seen: what is shown stays, and says so
    void clear();
    void tick(Now now);
    // What the pictures are made of beside the cluster. Both outlive the page; without them only the history is shown.
    void setSources(items::EventsModel *events, const Trails *trails);
    // What happened to the open cluster before this program was started, in order, with a BlindSpot for each time at which nobody
    // looked; lookedSince: its first look. timelines: those that Patroni's history has lost since are shown, and marked.
    void setPast(const patroni::ClusterKey &key, std::vector<Event> events, std::optional<Instant> lookedSince,
                 std::vector<patroni::HistoryEntry> timelines = {});
    std::vector<patroni::HistoryEntry> lostTimelines() const; // those of them that are shown
    // Renewals that were not seen by this run, or no longer known one by one: oldest first.
    void setPastRenewals(const patroni::ClusterKey &key, QList<RenewMinute> minutes);
    // "leaders" "renewals" "lag": the picture in front. False: there is none of that name.
    bool showPicture(const QString &code);
    void setContextMark(const QString &colour); // code of the user's mark of the context: a frame

Q_SIGNALS:
    void exportRequested(bool transitions); // false: the history table
    void pictureRequested(const QString &file, const QByteArray &bytes);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
