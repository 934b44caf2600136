// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// When: now, or at a time with an explicit zone, echoed in local time, in UTC and as a countdown.
#include "views/dialogs/zoned_time.h"
#include "views/pages/cluster/parts.h"

class QComboBox;
class QDateTimeEdit;
class QLabel;
class QRadioButton;

namespace switchyard::views {

class WhenBox : public Card
{
    Q_OBJECT
public:
    explicit WhenBox(Now now, QWidget *parent = nullptr);
    bool scheduled() const;
    ZonedTime time() const; // as typed, in the chosen zone; only meaningful when scheduled()
    void tick(Now now);     // the countdown

Q_SIGNALS:
    void changed();

protected:
    void changeEvent(QEvent *event) override;

private:
    void echo();
    QTimeZone zone() const;

    Now m_now;
    QRadioButton *m_atOnce = nullptr, *m_atTime = nullptr;
    QDateTimeEdit *m_edit = nullptr;
    QComboBox *m_zone = nullptr;
    QLabel *m_echo = nullptr;
};

} // namespace switchyard::views
