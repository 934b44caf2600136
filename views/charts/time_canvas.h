// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A picture over time: axis, zoom (wheel, pinch, keys, double click), pan (drag, keys), a cursor that goes from change to change, and
// what stands under the pointer. What is painted in it is up to those derived.
#include "views/charts/time_range.h"

#include <QPainter>
#include <QWidget>

namespace switchyard::views {

class TimeCanvas : public QWidget
{
    Q_OBJECT
public:
    explicit TimeCanvas(QWidget *parent = nullptr);

    const TimeRange &all() const { return m_all; }
    const TimeRange &shown() const { return m_shown; }
    void setShown(const TimeRange &range);
    void showAll();
    void showLast(Duration length);
    bool isAsChosen() const { return m_whole || m_lastLength.has_value(); } // by one of these two
    void zoom(double factor);                                               // around the cursor or the middle
    void pan(double pages);                                                 // by so many of what is shown; negative: back
    void stepCursor(bool forward);
    void clearCursor();
    std::optional<Instant> cursor() const { return m_cursor; }
    // All of it, for the window and for saved pictures.
    void paint(QPainter &painter, const QRectF &area, const QPalette &colours) const;
    virtual QString textAt(const QPointF &pos) const = 0; // what the pointer finds there
    QRectF plotIn(const QRectF &area) const;
    double xOf(Instant t, const QRectF &plot) const;
    Instant timeAt(double x, const QRectF &plot) const;

Q_SIGNALS:
    void rangeChanged();
    void told(const QString &text); // of the place under pointer or cursor; empty: none

protected:
    // What there is; a picture that shows the end goes along with it.
    void setAll(const TimeRange &all);
    virtual void paintPlot(QPainter &painter, const QRectF &plot, const QPalette &colours) const = 0;
    virtual int leftSpace() const = 0;
    virtual std::optional<Instant> changeAfter(Instant t) const = 0;
    virtual std::optional<Instant> changeBefore(Instant t) const = 0;
    virtual QString textOf(Instant cursor) const = 0;
    virtual bool isEmpty() const = 0;
    virtual QString emptyText() const = 0;

    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void zoomAt(double factor, Instant around);
    bool gesture(QEvent *event);
    bool moveByKey(int key);
    void paintAxis(QPainter &painter, const QRectF &plot, const QPalette &colours) const;
    void paintCursor(QPainter &painter, const QRectF &plot, const QPalette &colours) const;

    TimeRange m_all, m_shown;
    bool m_follows = true;                // the end is shown: so it stays
    bool m_whole = true;                  // all is shown: so it stays
    std::optional<Duration> m_lastLength; // asked for, before there was so much
    std::optional<Instant> m_cursor;
    std::optional<QPointF> m_dragFrom;
    TimeRange m_dragShown;
};

} // namespace switchyard::views
