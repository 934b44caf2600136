// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fleet's health over time, a strip a cluster: low and green while healthy, higher when degraded, full and red when unhealthy,
// hatched where it is unknown or nobody looked.
#include "models/store/trails.h"
#include "views/charts/time_canvas.h"

namespace switchyard::views {

struct HealthSpan
{
    patroni::Health health = patroni::Health::Unknown;
    Instant from{}, to{};
    std::optional<patroni::Reason> reason{};
    bool current = false;
    bool operator==(const HealthSpan &) const = default;
};

struct HealthStrip
{
    patroni::ClusterKey key;
    QString name;
    std::vector<HealthSpan> spans; // by time; before the first look there is none
};
std::vector<HealthSpan> healthSpans(const ClusterTrail &trail, Now now);

class HealthStrips : public TimeCanvas
{
    Q_OBJECT
public:
    explicit HealthStrips(QWidget *parent = nullptr);
    void show(std::vector<HealthStrip> strips, Instant now);
    const std::vector<HealthStrip> &strips() const { return m_strips; }
    int rows() const; // that have room
    int firstRow() const { return m_first; }
    void setFirstRow(int row);
    QString textAt(const QPointF &pos) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rowsChanged(); // how many there are, how many have room, which is the first

protected:
    void paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const override;
    int leftSpace() const override;
    std::optional<Instant> changeAfter(Instant t) const override;
    std::optional<Instant> changeBefore(Instant t) const override;
    QString textOf(Instant cursor) const override;
    bool isEmpty() const override { return m_strips.empty(); }
    QString emptyText() const override;
    void wheelEvent(QWheelEvent *event) override; // alone it goes through the rows, with Ctrl it zooms
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    int rowHeight() const;
    void paintStrip(QPainter &painter, const HealthStrip &strip, const QRectF &row, const QPalette &colours) const;

    std::vector<HealthStrip> m_strips;
    int m_first = 0;
};

} // namespace switchyard::views
