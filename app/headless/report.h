// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From what is known to the printed answer of one command.
#include "app/actions/audit_reader.h"
#include "app/headless/options.h"
#include "models/events/dossier.h"
#include "models/rules/live_answer.h"

#include <functional>

namespace switchyard::headless {

struct Sinks
{
    std::function<bool(std::string_view)> out;           // false: nobody reads any more, or the disk is full
    std::function<void(const std::string &)> err;        // one line, without its end
    std::function<bool()> closed = [] { return false; }; // the reader of out has gone
};

// What a command reads.
struct Known
{
    std::vector<const patroni::Cluster *> clusters;
    std::span<const Event> events;
    Now now;
    std::vector<const election::Election *> elections{};         // beside the clusters' own
    std::vector<election::Key> remembered{};                     // elections that were asked for and of which an archive tells
    std::map<patroni::ClusterKey, rules::LiveAnswers> answers{}; // what members said of themselves, where they were asked
    // of a dossier
    std::map<patroni::ClusterKey, std::vector<SeenObject>> objects{}; // beside the clusters' own snapshots
    std::vector<actions::AuditEntry> audit{};                         // of any cluster
    std::map<std::string, std::vector<DossierNote>> notes{};          // by transition
};

Filters filtersOf(const Options &options, Instant now);

struct Answer
{
    bool written = false; // the whole table reached its reader or its file
    int exitCode = 0;
};
// Prints the table (or writes the file) and says on stderr what it cannot answer: a named cluster that is not there (1), a history
// that cannot be read (4).
Answer answer(const Options &options, const Known &known, const Sinks &sinks);

// To standard output or into --output's file. False: it did not get there, and why is said.
bool deliver(const Options &options, const std::string &bytes, const Sinks &sinks);

// One change of leadership in full; see app/dossier.
Answer answerDossier(const Options &options, const Known &known, const Sinks &sinks);
// Of this user's own audit file: who asked, from here.
std::vector<actions::AuditEntry> auditOfUser(bool demo);

} // namespace switchyard::headless
