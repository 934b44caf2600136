// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A request has left and its answer takes long. Blocks nothing; closing it takes nothing back, and it says so.
#include "models/core/time.h"

#include <QDialog>

class QLabel;
class QPushButton;

namespace switchyard::views {

class WaitingDialog : public QDialog
{
    Q_OBJECT
public:
    // what: "Restart of acme-0"
    WaitingDialog(const QString &title, Now now, QWidget *parent = nullptr);
    // One of several: "2 of 3: acme-0". The time counts anew. last: no further one follows.
    void setStep(const QString &step, bool last, Now now);
    void tick(Now now);

Q_SIGNALS:
    void stopRequested(); // those that have not been sent yet shall not be

private:
    void say(Now now);

    QString m_step;
    Now m_sent;
    QLabel *m_text;
    QLabel *m_hint;
    QPushButton *m_stop;
};

} // namespace switchyard::views
