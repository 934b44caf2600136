// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/empty_state.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"

#include <QEvent>
#include <QVBoxLayout>

namespace switchyard::views {

EmptyState::EmptyState(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel(this))
    , m_next(new QLabel(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(grid);
    layout->addStretch(2);
    for (QLabel *label : {m_title, m_next}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setMinimumWidth(640);
        label->setMaximumWidth(720);
        layout->addWidget(label, 0, Qt::AlignHCenter);
    }
    layout->addStretch(3);
    m_title->setFont(titleFont(font()));
    m_next->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_next->setMinimumHeight(0);
    color();
}

void EmptyState::set(const QString &title, const QString &next)
{
    if (title == m_title->text() && next == m_next->text())
        return;
    m_title->setText(title);
    m_next->setText(next);
    m_next->setAccessibleName(title + u'\n' + next);
    setHeights();
}

void EmptyState::setHeights()
{
    for (QLabel *label : {m_title, m_next}) // a wrapping label tells its height only for a width
        label->setMinimumHeight(label->heightForWidth(label->minimumWidth()));
}

void EmptyState::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        color();
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        setHeights();
}

void EmptyState::color()
{
    QPalette p = palette();
    p.setColor(QPalette::WindowText, secondaryText(p));
    m_next->setPalette(p);
}

} // namespace switchyard::views
