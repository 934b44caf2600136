// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes by which each replica is behind, over time: one line a member, by colour, dashes and name. Unknown is a break in the line.
#include "models/store/trails.h"
#include "views/charts/scale.h"
#include "views/charts/series_plot.h"
#include "views/charts/time_canvas.h"

namespace switchyard::views {

struct LagPoint
{
    Instant at{};
    std::optional<std::uint64_t> bytes; // nullopt: unknown from then on
    bool operator==(const LagPoint &) const = default;
};

struct LagLine
{
    std::string member;
    QList<LagPoint> points; // oldest first; each holds until the next
};

struct LagData
{
    QList<LagLine> lines;               // by name
    std::optional<std::uint64_t> limit; // maximum_lag_on_failover; nullopt: unknown
    Instant now{};
};
LagData lagData(const patroni::Cluster &cluster, const ClusterTrail *trail, Now now);

// Without a break: steps from change to change, until the next unknown or now.
using LagRun = QList<QPointF>; // milliseconds, bytes
QList<LagRun> lagRuns(const LagLine &line, Instant now);

class LagChart : public TimeCanvas
{
    Q_OBJECT
public:
    explicit LagChart(QWidget *parent = nullptr);
    void show(const LagData &values);
    const LagData &data() const { return m_data; }
    QString textAt(const QPointF &pos) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const override;
    int leftSpace() const override;
    std::optional<Instant> changeAfter(Instant t) const override;
    std::optional<Instant> changeBefore(Instant t) const override;
    QString textOf(Instant cursor) const override;
    bool isEmpty() const override;
    QString emptyText() const override;

private:
    double top() const;
    QList<DrawnLine> drawn(qsizetype index, const QRectF &plot, const QPalette &colours) const;
    void paintName(QPainter &painter, qsizetype index, const QPointF &end, const QRectF &plot) const;

    LagData m_data;
    QList<QList<LagRun>> m_runs; // line by line
    std::unique_ptr<SeriesPlot> m_plot = std::make_unique<SeriesPlot>();
};

} // namespace switchyard::views
