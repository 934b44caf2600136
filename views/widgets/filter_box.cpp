// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/filter_box.h"

#include "views/style/colors.h"
#include "views/style/icons.h"

#include <QAction>
#include <QEvent>
#include <QKeyEvent>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

FilterBox::FilterBox(const QString &placeholder, QWidget *parent)
    : QLineEdit(parent)
    , m_icon(addAction(QIcon(), QLineEdit::LeadingPosition))
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    setClearButtonEnabled(true);
    setMinimumWidth(12 * fontMetrics().height());
    colorIcon();
    m_throttle.setSingleShot(true);
    m_throttle.setInterval(150ms);
    connect(&m_throttle, &QTimer::timeout, this, &FilterBox::announce);
    connect(this, &QLineEdit::textChanged, this, [this] {
        if (!m_throttle.isActive()) // started only when idle: a restarted timer would never fire under fast typing
            m_throttle.start();
    });
}

void FilterBox::announce()
{
    Q_EMIT filterChanged(text());
}

void FilterBox::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        clear();
        m_throttle.stop();
        announce();
        return;
    }
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        m_throttle.stop();
        announce();
        Q_EMIT leftDown();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void FilterBox::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange && m_icon)
        colorIcon();
    QLineEdit::changeEvent(event);
}

void FilterBox::colorIcon()
{
    m_icon->setIcon(icon(u"search"_s, secondaryText(palette())));
}

} // namespace switchyard::views
