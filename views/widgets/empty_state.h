// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an empty page says: what is (not) there, and the first step.
#include <QLabel>
#include <QWidget>

namespace switchyard::views {

class EmptyState : public QWidget
{
    Q_OBJECT
public:
    explicit EmptyState(QWidget *parent = nullptr);
    void set(const QString &title, const QString &next);
    QString title() const { return m_title->text(); }

protected:
    void changeEvent(QEvent *event) override;

private:
    void color();
    void setHeights();

    QLabel *m_title, *m_next;
};

} // namespace switchyard::views
