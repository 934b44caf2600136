// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Timeline history of one cluster: who led when (picture and table), transitions, and the renew chart of the lock.
#include "models/patroni/cluster.h"

#include <QWidget>

#include <memory>

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
    void setContextMark(const QString &colour); // code of the user's mark of the context: a frame

Q_SIGNALS:
    void exportRequested(bool transitions); // false: the history table

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
