// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Show as command": the same by hand, each line with a button that copies it. Folded away until one wants it.
#include <QWidget>

class QPlainTextEdit;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace switchyard::views {

struct Command
{
    QString program; // "patronictl"
    QString line;    // to be pasted; empty: there is none
    QString absent;  // why there is none
    bool operator==(const Command &) const = default;
};

class CommandFold : public QWidget
{
    Q_OBJECT
public:
    explicit CommandFold(QWidget *parent = nullptr);
    void setCommands(const QList<Command> &commands);
    void setOpen(bool open);
    QString text() const; // all lines

private:
    void add(const Command &command);

    QToolButton *m_head;
    QWidget *m_body;
    QVBoxLayout *m_lines;
    QList<Command> m_commands;
};

} // namespace switchyard::views
