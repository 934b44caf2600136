// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Seconds between renewals of the lock, against the band in which a renewal is in time (loop_wait + retry_timeout) and the ttl.
// A late one is a triangle with its value.
#include "models/patroni/cluster.h"

#include <QWidget>

namespace switchyard::views {

struct RenewPoint
{
    Instant at{};
    double seconds = 0;
    bool operator==(const RenewPoint &) const = default;
};

struct RenewData
{
    QList<RenewPoint> points;     // oldest first
    std::optional<double> inTime; // loop_wait + retry_timeout; nullopt: unknown
    double ttl = 30;
    std::optional<double> open; // seconds since the last renewal, still counting; nullopt: not known, or nobody holds the lock
    Instant now{};
};
RenewData renewData(const patroni::Cluster &cluster, Now now);
// Points in a row without a break between them. After a break (another holder, a gap in our view) no line may suggest renewals in between.
QList<QList<RenewPoint>> unbroken(const QList<RenewPoint> &points);

class RenewChart : public QWidget
{
    Q_OBJECT
public:
    explicit RenewChart(QWidget *parent = nullptr);
    ~RenewChart() override;
    void show(const RenewData &values); // painted a moment later, however often it is called
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    class View;
    View *m_view;
};

} // namespace switchyard::views
