// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/context_frame.h"

#include "views/style/marks.h"

#include <QEvent>
#include <QPainter>

namespace switchyard::views {

ContextFrame::ContextFrame(QWidget *around)
    : QWidget(around)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    around->installEventFilter(this);
    setGeometry(around->rect());
    hide();
}

void ContextFrame::setMark(const QString &colour, const QString &context)
{
    m_colour = colour;
    m_context = context;
    setVisible(this->colour().isValid());
    raise();
    update();
}

QColor ContextFrame::colour() const
{
    const QColor mark = markColour(m_colour, palette());
    return mark.isValid() || m_context.isEmpty() ? mark : contextColor(m_context, palette());
}

// What is added to the page later would lie above it.
bool ContextFrame::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) {
        setGeometry(parentWidget()->rect());
        raise();
    }
    return QWidget::eventFilter(watched, event);
}

void ContextFrame::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(QPen(colour(), width));
    constexpr double half = width / 2.0;
    painter.drawRect(QRectF(rect()).adjusted(half, half, -half, -half));
}

} // namespace switchyard::views
