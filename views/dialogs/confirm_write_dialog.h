// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The last look before a write: everything that the safety rules demand to be named. Default button: Cancel.
#include "models/core/time.h"

#include <QDialog>
#include <QStringList>

#include <memory>

namespace switchyard::views {

struct ConfirmFacts
{
    QString action; // "Switch over" ... the button repeats it with the names
    QString button; // "Switch over payments/acme to acme-2"
    QString context, ns, scope;
    QString server, account;   // the API server; the user entry, and whom it acts as. Empty: not said
    QString colour;            // code of the user's mark of the context, for the frame; empty: one made of its name
    QString from, to;          // to: "Patroni decides" in words when open
    std::optional<Instant> at; // scheduled: shown in local time and UTC with a countdown; nullopt: now
    bool cancels = false;      // a pending request is cleared; `at` is the time it was for
    QString atRaw;             // cancels: its time as written, where that is none
    QString dataAge;           // "live, last contact 0.8 s ago"
    QString replaces;          // the pending request it replaces, in words; empty: none
    QStringList warnings;
    QString request;    // "PATCH /api/v1/namespaces/..."
    QString body;       // exact bytes
    QString equivalent; // patronictl form
};

class ConfirmWriteDialog : public QDialog
{
    Q_OBJECT
public:
    ConfirmWriteDialog(const ConfirmFacts &facts, Now now, QWidget *parent = nullptr);
    ~ConfirmWriteDialog() override;
    void tick(Now now);
    void block(const QString &why); // data went stale or changed while it was open: the action button is disabled and says why

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
