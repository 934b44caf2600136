// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/time_canvas.h"

#include "views/pages/cluster/parts.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"

#include <QEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QToolTip>

#include <cmath>

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

constexpr int axisHeight = 28;
constexpr int topSpace = 8;
constexpr double zoomStep = 0.8;
constexpr double panStep = 0.1;

} // namespace

TimeCanvas::TimeCanvas(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    grabGesture(Qt::PinchGesture);
}

void TimeCanvas::setAll(const TimeRange &all)
{
    const bool wasFollowing = m_follows;
    m_all = all.length() < shortestRange ? TimeRange{all.to - shortestRange, all.to} : all;
    if (m_whole)
        m_shown = m_all;
    else if (wasFollowing)
        m_shown = bounded({m_all.to - m_lastLength.value_or(m_shown.length()), m_all.to}, m_all);
    else
        m_shown = bounded(m_shown, m_all);
    update();
    Q_EMIT rangeChanged();
}

void TimeCanvas::setShown(const TimeRange &range)
{
    m_shown = bounded(range, m_all);
    m_follows = m_shown.to >= m_all.to;
    m_whole = m_shown == m_all;
    m_lastLength.reset();
    update();
    Q_EMIT rangeChanged();
}

void TimeCanvas::showAll()
{
    setShown(m_all);
    m_whole = true; // also of what is still to come
}

void TimeCanvas::clearCursor()
{
    m_cursor.reset();
    Q_EMIT told({});
    update();
}

void TimeCanvas::showLast(Duration length)
{
    setShown({m_all.to - length, m_all.to});
    m_whole = false;
    m_lastLength = length;
}

void TimeCanvas::zoomAt(double factor, Instant around)
{
    // At the end one wants to stay there.
    const bool atEnd = m_follows && factor > 1;
    setShown(zoomed(m_shown, factor, atEnd ? m_shown.to : around, m_all));
}

void TimeCanvas::zoom(double factor)
{
    const bool inSight = m_cursor && *m_cursor >= m_shown.from && *m_cursor <= m_shown.to;
    zoomAt(factor, inSight ? *m_cursor : m_shown.from + m_shown.length() / 2);
}

void TimeCanvas::pan(double pages)
{
    setShown(panned(m_shown, Duration(std::llround(static_cast<double>(m_shown.length().count()) * pages)), m_all));
}

void TimeCanvas::stepCursor(bool forward)
{
    const Instant from = m_cursor.value_or(forward ? m_shown.from : m_shown.to);
    const auto next = forward ? changeAfter(from) : changeBefore(from);
    if (!next)
        return;
    m_cursor = next;
    if (*next < m_shown.from || *next > m_shown.to)
        setShown({*next - m_shown.length() / 2, *next + m_shown.length() / 2});
    const QString text = textOf(*next);
    setAccessibleDescription(text);
    Q_EMIT told(text);
    update();
}

QRectF TimeCanvas::plotIn(const QRectF &area) const
{
    // room for half a tick label at the right end
    const int right = fontMetrics().horizontalAdvance(u"2031-02-01"_s) / 2 + grid;
    return {area.left() + leftSpace(), area.top() + topSpace, qMax<qreal>(50, area.width() - leftSpace() - right),
            qMax<qreal>(10, area.height() - topSpace - axisHeight)};
}

double TimeCanvas::xOf(Instant t, const QRectF &plot) const
{
    return plot.left() + toSeconds(t - m_shown.from) / std::max(1e-6, toSeconds(m_shown.length())) * plot.width();
}

Instant TimeCanvas::timeAt(double x, const QRectF &plot) const
{
    const double share = (x - plot.left()) / std::max(1.0, plot.width());
    return m_shown.from + Duration(std::llround(static_cast<double>(m_shown.length().count()) * share));
}

void TimeCanvas::paint(QPainter &painter, const QRectF &area, const QPalette &colours) const
{
    painter.save();
    painter.setFont(font());
    const QRectF plot = plotIn(area);
    if (isEmpty()) {
        painter.setPen(secondaryText(colours));
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, emptyText());
    } else {
        paintAxis(painter, plot, colours);
        paintPlot(painter, plot, colours);
    }
    painter.restore();
}

void TimeCanvas::paintAxis(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(hairline(colours), 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    const QList<TimeTick> ticks = timeTicks(m_shown, static_cast<int>(plot.width()));
    for (const TimeTick &tick : ticks) {
        const double x = xOf(tick.at, plot);
        painter.setPen(QPen(hairline(colours), 1));
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        painter.setPen(secondaryText(colours));
        painter.drawText(QRectF(x - 100, plot.bottom() + 5, 200, axisHeight - 5), Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
}

void TimeCanvas::paintCursor(QPainter &painter, const QRectF &plot, const QPalette &colours) const
{
    if (!m_cursor || *m_cursor < m_shown.from || *m_cursor > m_shown.to)
        return;
    painter.setPen(QPen(colours.color(QPalette::WindowText), 1, Qt::DashLine));
    painter.drawLine(QPointF(xOf(*m_cursor, plot), plot.top()), QPointF(xOf(*m_cursor, plot), plot.bottom()));
}

void TimeCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (isDimmed(this))
        painter.setOpacity(0.6);
    paint(painter, rect(), palette());
    painter.setOpacity(1);
    if (!isEmpty())
        paintCursor(painter, plotIn(rect()), palette());
    if (!hasFocus())
        return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(accentColor(palette()), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool TimeCanvas::gesture(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture) {
        const auto *native = static_cast<QNativeGestureEvent *>(event);
        if (native->gestureType() != Qt::ZoomNativeGesture)
            return false;
        zoomAt(1 / std::max(0.1, 1 + native->value()), timeAt(native->position().x(), plotIn(rect())));
        return true;
    }
    auto *gestures = static_cast<QGestureEvent *>(event);
    const auto *pinch = static_cast<QPinchGesture *>(gestures->gesture(Qt::PinchGesture));
    if (!pinch)
        return false;
    if (pinch->changeFlags() & QPinchGesture::ScaleFactorChanged)
        zoomAt(1 / std::max(0.1, pinch->scaleFactor()), timeAt(mapFromGlobal(pinch->centerPoint()).x(), plotIn(rect())));
    return true;
}

bool TimeCanvas::event(QEvent *event)
{
    if ((event->type() == QEvent::NativeGesture || event->type() == QEvent::Gesture) && !isEmpty())
        return gesture(event) || QWidget::event(event);
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), isEmpty() ? QString() : textAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void TimeCanvas::wheelEvent(QWheelEvent *event)
{
    if (isEmpty())
        return event->ignore();
    const QPoint turned = event->angleDelta();
    if (turned.x() != 0 || event->modifiers().testFlag(Qt::ShiftModifier))
        pan(-panStep * (turned.x() != 0 ? turned.x() : turned.y()) / 120.0);
    else
        zoomAt(std::pow(zoomStep, turned.y() / 120.0), timeAt(event->position().x(), plotIn(rect())));
    event->accept();
}

void TimeCanvas::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || isEmpty())
        return QWidget::mousePressEvent(event);
    m_dragFrom = event->position();
    m_dragShown = m_shown;
    setCursor(Qt::ClosedHandCursor);
}

void TimeCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (isEmpty())
        return;
    const QRectF plot = plotIn(rect());
    if (m_dragFrom) {
        const double share = (m_dragFrom->x() - event->position().x()) / std::max(1.0, plot.width());
        return setShown(panned(m_dragShown, Duration(std::llround(static_cast<double>(m_dragShown.length().count()) * share)), m_all));
    }
    const QString text = textAt(event->position());
    Q_EMIT told(text);
}

void TimeCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    m_dragFrom.reset();
    unsetCursor();
    QWidget::mouseReleaseEvent(event);
}

void TimeCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (!isEmpty())
        zoomAt(zoomStep * zoomStep * zoomStep, timeAt(event->position().x(), plotIn(rect())));
}

void TimeCanvas::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    Q_EMIT told(m_cursor ? textOf(*m_cursor) : QString());
}

bool TimeCanvas::moveByKey(int key)
{
    switch (key) {
    case Qt::Key_Left: pan(-panStep); return true;
    case Qt::Key_Right: pan(panStep); return true;
    case Qt::Key_PageUp: pan(-0.9); return true;
    case Qt::Key_PageDown: pan(0.9); return true;
    case Qt::Key_Home: setShown({m_all.from, m_all.from + m_shown.length()}); return true;
    case Qt::Key_End: setShown({m_all.to - m_shown.length(), m_all.to}); return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoomStep); return true;
    case Qt::Key_Minus: zoom(1 / zoomStep); return true;
    case Qt::Key_0: showAll(); return true;
    default: return false;
    }
}

void TimeCanvas::keyPressEvent(QKeyEvent *event)
{
    if (isEmpty())
        return QWidget::keyPressEvent(event);
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (control && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        return stepCursor(event->key() == Qt::Key_Right);
    if (event->key() == Qt::Key_Escape && m_cursor) {
        return clearCursor();
    }
    if (!moveByKey(event->key()))
        QWidget::keyPressEvent(event);
}

void TimeCanvas::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimeCanvas::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace switchyard::views
