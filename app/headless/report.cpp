// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/report.h"

#include "app/export/atomic_file.h"
#include "app/export/export_rows.h"
#include "app/headless/election_rows.h"
#include "app/headless/preflight_table.h"

#include <algorithm>

namespace switchyard::headless {

namespace {

bool writeWorkbook(const Options &options, const Table &table, const Sinks &sinks)
{
    const exports::Order order{*options.output, Format::Xlsx, table.columns, QString::fromUtf8(code(*options.command))};
    const auto written = exports::exportRows(order, exports::rowsOf(table.rows));
    if (!written)
        sinks.err(describe(written.error()));
    else if (written->cutTexts > 0)
        sinks.err(std::to_string(written->cutTexts) + " texts were longer than a cell of a workbook holds and are cut");
    return written.has_value();
}

bool print(const Options &options, const Table &table, const Sinks &sinks)
{
    if (options.formatOrDefault() == Format::Xlsx)
        return writeWorkbook(options, table, sinks);
    return deliver(options, format(table, options.formatOrDefault()), sinks);
}

bool saysUnreadable(const Options &options, const Known &known, const Sinks &sinks)
{
    bool any = false;
    if (options.command != Command::History)
        return any;
    for (const patroni::Cluster *cluster : known.clusters) {
        if (!matchesAny(options.clusters, cluster->names.key) || (cluster->config && cluster->config->history.readable))
            continue;
        sinks.err(cluster->names.key.text()
                  + (cluster->config ? ": its history cannot be read" : ": it has no config object, so its history is unknown"));
        any = true;
    }
    return any;
}

bool isElection(const Known &known, const ClusterSelector &selector)
{
    const auto named = [&](const election::Key &key) { return isChosen(key, {selector}); };
    return std::any_of(known.elections.begin(), known.elections.end(), [&](const election::Election *e) { return named(e->key); })
        || std::any_of(known.remembered.begin(), known.remembered.end(), named);
}

bool saysMissing(const Options &options, const Known &known, const Sinks &sinks)
{
    bool any = false;
    for (const ClusterSelector &selector : options.clusters) {
        const auto matches = [&](const patroni::Cluster *cluster) { return selector.matches(cluster->names.key); };
        if (std::any_of(known.clusters.begin(), known.clusters.end(), matches)
            || (namesElections(*options.command) && isElection(known, selector)))
            continue;
        const bool elections = options.command == Command::Elections;
        sinks.err((elections ? "no election " : "no cluster ") + selector.text() + " is seen");
        any = true;
    }
    return any;
}

Answer answerPreflight(const Options &options, const Known &known, const Sinks &sinks)
{
    const PreflightTable judged = preflightTable(options, known);
    if (!print(options, judged.table, sinks))
        return {false, CouldNot};
    if (saysMissing(options, known, sinks))
        return {true, CouldNot};
    return {true, judged.fit ? Answered : Unfit};
}

} // namespace

bool deliver(const Options &options, const std::string &bytes, const Sinks &sinks)
{
    if (!options.output) {
        if (sinks.out(bytes))
            return true;
        sinks.err("cannot write the answer to standard output");
        return false;
    }
    if (const auto written = exports::writeFileAtomically(*options.output, bytes); !written) {
        sinks.err(describe(written.error()));
        return false;
    }
    return true;
}

Filters filtersOf(const Options &options, Instant now)
{
    Filters filters{options.clusters, {}, {}};
    filters.allLeases = options.allLeases;
    if (options.since)
        filters.since = options.since->resolve(now);
    if (options.until)
        filters.until = options.until->resolve(now);
    if (options.archive)
        filters.mode = "archive";
    return filters;
}

Answer answer(const Options &options, const Known &known, const Sinks &sinks)
{
    if (options.command == Command::Dossier)
        return answerDossier(options, known, sinks);
    if (options.command == Command::Preflight)
        return answerPreflight(options, known, sinks);
    const bool timed = options.command != Command::List && options.command != Command::Members && options.command != Command::Elections;
    if (!timed && (options.since || options.until))
        sinks.err("--since and --until have no effect on " + std::string(code(*options.command)) + ": it shows one moment");
    const Filters filters = filtersOf(options, known.now.wall);
    if (timed && filters.since && filters.until && *filters.until < *filters.since) {
        sinks.err("--until is before --since");
        return {false, WrongArguments};
    }
    const Table table = rows(*options.command, known.clusters, known.events, known.now, filters, known.elections);
    if (!print(options, table, sinks))
        return {false, CouldNot};
    const bool missing = saysMissing(options, known, sinks);
    const bool unreadable = saysUnreadable(options, known, sinks);
    return {true, missing ? CouldNot : unreadable ? PartUnreadable : Answered};
}

} // namespace switchyard::headless
