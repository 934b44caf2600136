// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The last look before a write: everything that the safety rules demand to be named. Default button: Cancel.
#include "models/core/time.h"
#include "views/dialogs/command_fold.h"

#include <QDialog>
#include <QStringList>

#include <memory>

namespace switchyard::views {

struct ConfirmFacts
{
    // A further line of the table: "Members", "acme-0, acme-2".
    struct Row
    {
        QString caption, text;
        bool operator==(const Row &) const = default;
    };
    // One of several clusters.
    struct Target
    {
        QString name;    // "prod-eu / payments/acme"
        QString leftOut; // why nothing is written to it; empty: it is written to
        bool operator==(const Target &) const = default;
    };

    QString action; // "Switch over" ... the button repeats it with the names
    QString button; // "Switch over payments/acme from acme-1 to acme-2"
    QString context, ns, scope;
    QString server, account;   // the API server; the user entry, and whom it acts as. Empty: not said
    QString colour;            // code of the user's mark of the context, for the frame; empty: one made of its name
    QString from, to;          // to: "Patroni decides" in words when open; both empty: it is no change of leader
    std::optional<Instant> at; // scheduled: shown in local time and UTC with a countdown; nullopt: now
    QString nowText;           // what "now" means: "acme-1 restarts at once"; empty: the leader's next loop
    bool cancels = false;      // a pending request is cleared; `at` is the time it was for
    QString atRaw;             // cancels: its time as written, where that is none
    QString dataAge;           // "live, last contact 0.8 s ago"
    QString replaces;          // the pending request it replaces, in words; empty: none
    QList<Row> more;           // before the warnings
    QList<Target> targets;     // several clusters; empty: the one above
    QStringList warnings;
    QString preflight;       // one line; empty: this action has none
    QString typeToConfirm;   // the context is protected: this must be typed; empty: it is not
    QString request;         // "PATCH /api/v1/namespaces/..."
    QString body;            // exact bytes
    QList<Command> commands; // the same by hand
};

class ConfirmWriteDialog : public QDialog
{
    Q_OBJECT
public:
    ConfirmWriteDialog(const ConfirmFacts &facts, Now now, QWidget *parent = nullptr);
    ~ConfirmWriteDialog() override;
    void tick(Now now);
    void block(const QString &why); // data went stale or changed while it was open: the action button is disabled and says why

    // What the API server said to a try that stores nothing.
    enum class DryRun { Waiting, Accepted, Refused, NotTried };
    void setDryRun(DryRun state, const QString &text); // Waiting and Refused disable the action button

    void accept() override; // nothing while it is blocked or incomplete

protected:
private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

} // namespace switchyard::views
