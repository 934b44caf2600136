// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/command_fold.h"

#include "views/pages/cluster/parts.h"
#include "views/style/metrics.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace switchyard::views {

CommandFold::CommandFold(QWidget *parent)
    : QWidget(parent)
    , m_head(new QToolButton(this))
    , m_body(new QWidget(this))
    , m_lines(new QVBoxLayout(m_body))
{
    m_head->setText(tr("Show as command"));
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setArrowType(Qt::RightArrow);
    m_head->setAutoRaise(true);
    m_head->setCheckable(true);
    m_head->setFocusPolicy(Qt::StrongFocus);
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(grid / 2);
    m_body->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid / 2);
    column->addWidget(m_head, 0, Qt::AlignLeft);
    column->addWidget(m_body);
    connect(m_head, &QToolButton::toggled, this, [this](bool open) {
        m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_body->setVisible(open);
    });
}

void CommandFold::setOpen(bool open)
{
    m_head->setChecked(open);
}

QString CommandFold::text() const
{
    QStringList lines;
    for (const Command &command : m_commands)
        lines << (command.line.isEmpty() ? command.absent : command.line);
    return lines.join(QLatin1Char('\n'));
}

void CommandFold::setCommands(const QList<Command> &commands)
{
    if (commands == m_commands)
        return;
    m_commands = commands;
    while (QLayoutItem *item = m_lines->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const Command &command : commands)
        add(command);
    setVisible(!commands.isEmpty());
}

void CommandFold::add(const Command &command)
{
    auto *row = new QWidget(m_body);
    auto *cells = new QHBoxLayout(row);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->setSpacing(grid);
    m_lines->addWidget(row);
    if (command.line.isEmpty()) {
        auto *why = new CaptionLabel(QStringLiteral("%1: %2").arg(command.program, command.absent), row);
        why->setWordWrap(true);
        cells->addWidget(why);
        return;
    }
    auto *shown = new QPlainTextEdit(command.line, row);
    shown->setReadOnly(true);
    shown->setTabChangesFocus(true);
    shown->setFont(monospaceFont(font()));
    shown->setWordWrapMode(QTextOption::WrapAnywhere);
    shown->setAccessibleName(command.program);
    shown->setFixedHeight(3 * shown->fontMetrics().lineSpacing() + 2 * grid);
    auto *copy = new QPushButton(tr("Copy"), row);
    copy->setAutoDefault(false);
    copy->setAccessibleName(tr("Copy the %1 command").arg(command.program));
    copy->setToolTip(copy->accessibleName());
    connect(copy, &QPushButton::clicked, copy, [line = command.line] { QGuiApplication::clipboard()->setText(line); });
    cells->addWidget(shown, 1);
    cells->addWidget(copy, 0, Qt::AlignTop);
}

} // namespace switchyard::views
