// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The leadership timeline: one lane a member, a bar for each time in office with its timeline, lower ones for what it was else, red
// where nobody led, hatched where nobody looked, marks above.
#include "models/events/leadership.h"
#include "views/charts/time_canvas.h"

namespace switchyard::views {

class TimelineChart : public TimeCanvas
{
    Q_OBJECT
public:
    explicit TimelineChart(QWidget *parent = nullptr);
    void show(const Leadership &data);
    void goOn(Instant now); // time passes, nothing happened
    const Leadership &data() const { return m_data; }
    QString textAt(const QPointF &pos) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const override;
    int leftSpace() const override;
    std::optional<Instant> changeAfter(Instant t) const override;
    std::optional<Instant> changeBefore(Instant t) const override;
    QString textOf(Instant cursor) const override;
    bool isEmpty() const override { return !m_data.from; }
    QString emptyText() const override;

private:
    void measure();

    Leadership m_data;
};

} // namespace switchyard::views
