// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Seconds between renewals of the lock, against the band in which a renewal is in time (loop_wait + retry_timeout), the ttl, and what
// half and 95 % of them took. A late one is a triangle with its value. What only an archive tells of is a bar a minute, from the mean to the
// longest; a minute without a record is a gap.
#include "views/charts/renew_stats.h"
#include "views/charts/scale.h"
#include "views/charts/series_plot.h"
#include "views/charts/time_canvas.h"

namespace switchyard::views {

class RenewChart : public TimeCanvas
{
    Q_OBJECT
public:
    explicit RenewChart(QWidget *parent = nullptr);
    void show(const RenewData &values);
    RenewStats stats() const { return renewStats(m_data, shown()); } // of what is shown
    MinuteStats minuteStats() const { return views::minuteStats(m_data, shown()); }
    const RenewData &data() const { return m_data; }
    QString textAt(const QPointF &pos) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const override;
    int leftSpace() const override;
    std::optional<Instant> changeAfter(Instant t) const override;
    std::optional<Instant> changeBefore(Instant t) const override;
    QString textOf(Instant cursor) const override;
    bool isEmpty() const override { return m_data.points.isEmpty() && m_data.minutes.isEmpty() && !m_data.open; }
    QString emptyText() const override;

private:
    bool inTime(double seconds) const { return !m_data.inTime || seconds <= *m_data.inTime; }
    void paintLevels(QPainter &painter, const UprightScale &scale, const QPalette &colours) const;
    void paintMinutes(QPainter &painter, const UprightScale &scale, const QPalette &colours) const;
    void paintShares(QPainter &painter, const UprightScale &scale, const QPalette &colours) const;
    QString minutesText(const TimeRange &range) const;
    const RenewPoint *pointNear(double x, const QRectF &plot) const;
    void paintPoint(QPainter &painter, const QPointF &p, double seconds, const QRectF &plot, const QPalette &colours) const;
    void paintOpen(QPainter &painter, const UprightScale &scale, const QPalette &colours) const;

    RenewData m_data;
    QList<QList<RenewPoint>> m_runs;
    std::unique_ptr<SeriesPlot> m_plot = std::make_unique<SeriesPlot>();
};

} // namespace switchyard::views
