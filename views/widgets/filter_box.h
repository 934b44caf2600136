// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The filter field of a page. Announces at most every 150 ms while one types; Esc clears; Down goes to the table.
#include <QLineEdit>
#include <QTimer>

namespace switchyard::views {

class FilterBox : public QLineEdit
{
    Q_OBJECT
public:
    FilterBox(const QString &placeholder, QWidget *parent = nullptr);

Q_SIGNALS:
    void filterChanged(const QString &text);
    void leftDown(); // Down or Enter: the user wants the rows

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void announce();
    void colorIcon();

    QTimer m_throttle;
    QAction *m_icon;
};

} // namespace switchyard::views
