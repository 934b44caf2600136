// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/fold.h"

#include "views/style/colors.h"
#include "views/style/metrics.h"

#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace switchyard::views {

Fold::Fold(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_head(new QToolButton(this))
    , m_text(new QPlainTextEdit(this))
{
    m_head->setText(title);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setArrowType(Qt::RightArrow);
    m_head->setAutoRaise(true);
    m_head->setCheckable(true);
    m_head->setFocusPolicy(Qt::StrongFocus);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(monospaceFont(font()));
    m_text->setAccessibleName(title);
    m_text->setWordWrapMode(QTextOption::WrapAnywhere);
    m_text->setFixedHeight(6 * m_text->fontMetrics().lineSpacing() + 2 * grid);
    m_text->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid / 2);
    column->addWidget(m_head);
    column->addWidget(m_text);
    connect(m_head, &QToolButton::toggled, this, [this](bool open) {
        m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_text->setVisible(open);
    });
}

void Fold::setText(const QString &text)
{
    if (m_text->toPlainText() != text)
        m_text->setPlainText(text);
}

QString Fold::text() const
{
    return m_text->toPlainText();
}

void Fold::setOpen(bool open)
{
    m_head->setChecked(open);
}

} // namespace switchyard::views
