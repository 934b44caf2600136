// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is said of elections.
#include "models/election/election_store.h"
#include "models/events/event.h"
#include "views/style/colors.h"

#include <QString>
#include <QStringList>

namespace switchyard::views {

QString words(election::State state);
QString words(election::Kind kind);
QString words(election::ChangeKind kind);
Tone toneOf(const election::Election &election);

// What that state means, and what waits for what: for who sees it for the first time, at night.
QString explained(const election::Election &election);
// Who leads since when, by whose clock; how its record does; what is not known, and why.
QString electionHeadline(const election::Election &election, Now now);
// "scheduler-a", "nobody", "unknown"
QString holderText(const election::Election &election);
// "web-0, Running", "web-0, Failed (Evicted)", "no such Pod", "Pods may not be read"
QString podText(const election::Election &election);
// By our own clock: "11 s left", "expired 42 s ago", "last change 8 s ago"; empty: nothing to be said
QString recordText(const election::Election &election, Now now);
// The records that name different holders; empty: they do not
QString disagreementText(const election::Election &election);
QString defectText(const patroni::Defect &defect);
// Those that are shown: "12 elections: 1 stuck, 11 held. operators/foo: ..."
QString electionsSentence(const std::vector<const election::Election *> &elections, Now now);
// What is not read, line by line: "Leases, Endpoints in payments of context lab may not be read"
QStringList sourceLines(const std::vector<election::Source> &sources);
// Locks of one API server that are late at once, Patroni's and others: a line for each server
QStringList lateTogetherLines(const std::vector<LateLocks::Together> &locks, const std::vector<LateLocks::Together> &elections);
bool isMissing(const election::Source &source); // the server has nothing of that kind

// An event of an election, not of a Patroni cluster.
bool isElection(const Event &event);
election::Key electionOf(const Event &event);
// One sentence for an event of an election.
QString electionSentence(const Event &event);

} // namespace switchyard::views
