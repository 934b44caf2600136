// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Text that is folded away until one wants it: exact requests, bodies, commands.
#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace switchyard::views {

class Fold : public QWidget
{
    Q_OBJECT
public:
    Fold(const QString &title, QWidget *parent = nullptr);
    void setText(const QString &text);
    QString text() const;
    void setOpen(bool open);

private:
    QToolButton *m_head;
    QPlainTextEdit *m_text;
};

} // namespace switchyard::views
