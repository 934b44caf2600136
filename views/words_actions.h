// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for the actions on a cluster: their names, what they do, why they cannot be asked for, and who else has a say in them.
#include "models/patroni/owner.h"
#include "models/rules/action.h"

#include <QString>

namespace switchyard::views {

QString words(rules::ActionKind kind);       // "switchover", "cancel the scheduled restart"
QString actionTitle(rules::ActionKind kind); // on buttons and in menus, with mnemonic: "&Restart\u2026"
QString explained(rules::ActionKind kind);   // one sentence: what it does
QString words(rules::ActionBar bar);         // why it makes no sense on what is seen
QString words(patroni::Operator o);          // "Zalando's operator"; empty: none
// "managed by Zalando's operator as postgresql acme"; empty: no operator is seen.
QString ownerText(const patroni::Ownership &owner);
// What the operator may do to such a change; empty: nothing known of.
QString ownerWarning(const patroni::Ownership &owner, patroni::OwnedChange change);

// How far a pause or its end has come: since when, and which members have seen it; empty: there is nothing to say.
QString pauseSentence(const patroni::Cluster &cluster, Now now);

// What stands between the user and any write, beside what the cluster itself says.
struct ActionGate
{
    bool replay = false;          // a recording
    bool readOnly = false;        // of the whole program
    bool contextReadOnly = false; // the user's own choice for the context
    bool operator==(const ActionGate &) const = default;
};
// Why it cannot be asked for now; empty: it can. `missingRight`: words of a right that is known to be missing; empty: none.
QString whyNot(const patroni::Cluster *cluster, rules::ActionKind kind, const ActionGate &gate, const QString &missingRight = {});
// Why this member cannot be asked for it, where others may be; empty: it can.
QString whyNotMember(const patroni::Cluster &cluster, const patroni::Member &member, rules::ActionKind kind);

} // namespace switchyard::views
