// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// When: now, or at a time with an explicit zone, echoed in local time, in UTC and as a countdown. A time that the clocks skip or run
// through twice is explained; of the latter one says which is meant.
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
    void setNowText(const QString &choice, const QString &echo); // what "now" means
    bool scheduled() const;
    ZonedTime time() const;  // as typed, in the chosen zone; only meaningful when scheduled()
    void choose(Instant at); // in UTC
    void tick(Now now);      // the countdown

Q_SIGNALS:
    void changed();

protected:
    void changeEvent(QEvent *event) override;

private:
    void build();
    void buildZones();
    void offerMeanings();
    void refresh();
    void echo();
    QTimeZone zone() const; // invalid: what is typed names none
    ZonedTime typed() const;

    Now m_now;
    QString m_nowEcho;
    QRadioButton *m_atOnce, *m_atTime;
    QDateTimeEdit *m_edit;
    QComboBox *m_zone, *m_which;
    QLabel *m_echo;
    QList<ZonedTime::Meaning> m_meanings;
};

} // namespace switchyard::views
