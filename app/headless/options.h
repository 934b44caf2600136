// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The whole command line as a value. Pure.
#include "app/headless/tables.h"
#include "app/headless/time_spec.h"
#include "app/kube/kubeconfig.h"
#include "models/core/table_formats.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <chrono>

namespace switchyard::headless {

// The answer of every command; see helpText().
enum ExitCode { Answered = 0, CouldNot = 1, WrongArguments = 2, SourceSilent = 3, PartUnreadable = 4, Unfit = 5 };

struct Options
{
    bool help = false, version = false;
    std::optional<Command> command; // nullopt: the window

    // what to watch
    std::optional<QString> kubeconfig;
    QStringList contexts, namespaces; // empty: the file's current context; its own namespace
    bool allNamespaces = false;
    bool demo = false;
    std::optional<QString> replay;
    bool readOnly = false;
    std::optional<QString> archive;                // a command's source; of the window and of import: where it is written
    bool noArchive = false;                        // the window keeps nothing
    std::optional<std::chrono::hours> archiveKeep; // 0: for ever
    std::optional<std::int64_t> archiveMost;       // bytes; 0: no limit
    std::optional<QString> from;                   // import: the other archive

    // how to connect
    kube::Overrides overrides;
    bool trustExec = false;                                  // programs that kubeconfigs name run without a question
    bool bypassApiService = false;                           // also the API servers of Endpoints default/kubernetes
    QStringList apiServers;                                  // beside the context's own
    std::optional<std::chrono::milliseconds> requestTimeout; // 0: the program's own limits
    std::optional<std::chrono::milliseconds> poll;           // lists at this interval instead of watches

    // a picture of a page, and no window
    std::optional<QString> screenshot;
    std::optional<QString> page; // fleet cluster history events contexts permissions
    std::optional<QSize> size;
    std::optional<std::chrono::milliseconds> after;
    bool dark = false;

    std::optional<TimeSpec> at;            // --replay only: the moment to look at, relative to its end
    std::vector<ClusterSelector> clusters; // the window takes one

    // commands
    std::optional<Format> format;
    std::optional<TimeSpec> since, until;
    bool follow = false;
    std::optional<QString> output;
    std::optional<std::chrono::milliseconds> wait;
    std::optional<std::chrono::milliseconds> followFor; // --for: then it ends
    std::optional<QString> record;                      // what is seen goes into this file, too
    bool replaceNames = false;                          // in it

    // elections
    bool allLeases = false; // also those that are none

    // dossier
    std::optional<QString> transition; // its id; nullopt: the newest
    bool html = false;                 // --format html

    // preflight: the question
    std::optional<QString> kind; // switchover, or failover
    std::optional<QString> leader, candidate;
    std::optional<Instant> scheduled;

    Format formatOrDefault() const { return format.value_or(follow ? Format::Ndjson : Format::Table); }
    bool operator==(const Options &) const = default;
};

// arguments: without the program's name. Error::BadInput or NotSupported with the message for stderr; exit code 2.
Result<Options> parseArguments(const QStringList &arguments);

// "", -n and -A as Monitor::open takes them: empty = the context's own, {""} = all.
QStringList namespacesToWatch(const Options &options);

QString helpText();

} // namespace switchyard::headless
