// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/document.h"
#include "app/headless/report.h"

#include <QStandardPaths>

#include <algorithm>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

struct Chosen
{
    const patroni::Cluster *cluster = nullptr;
    const patroni::Transition *transition = nullptr;
};

// By its id; without one the newest. nullptr: there is none.
const patroni::Transition *find(const patroni::Cluster &cluster, const std::optional<QString> &id)
{
    const auto &log = cluster.transitions;
    if (!id)
        return log.empty() ? nullptr : &log.back();
    const auto found = std::find_if(log.begin(), log.end(), [wanted = id->toStdString()](const auto &t) { return t.id == wanted; });
    return found == log.end() ? nullptr : &*found;
}

std::optional<Chosen> choose(const Options &options, const Known &known, const Sinks &sinks)
{
    const std::string name = options.clusters.front().text();
    std::vector<Chosen> found;
    bool any = false;
    for (const patroni::Cluster *cluster : known.clusters) {
        if (!matchesAny(options.clusters, cluster->names.key))
            continue;
        any = true;
        if (const patroni::Transition *transition = find(*cluster, options.transition))
            found.push_back({cluster, transition});
    }
    if (found.size() == 1)
        return found.front();
    if (!any)
        sinks.err("no cluster " + name + " is seen");
    else if (!found.empty())
        sinks.err(std::to_string(found.size()) + " clusters are named " + name
                  + ": say which with --context, NS/SCOPE:GROUP or --transition");
    else if (options.transition)
        sinks.err(name + ": no transition " + options.transition->toStdString() + " is known; \"switchyard transitions\" lists them");
    else
        sinks.err(name + ": no change of leadership is known");
    return std::nullopt;
}

std::string written(const Options &options, const Dossier &dossier)
{
    if (options.format == Format::Json)
        return dossier::json(dossier).toStdString();
    const dossier::Document document = dossier::documentOf(dossier);
    return (options.html ? dossier::html(document) : dossier::markdown(document)).toStdString();
}

// An archive may know the same cluster under other contexts.
std::vector<DossierAudit> auditOf(const Options &options, const Known &known, const patroni::ClusterKey &key)
{
    std::vector<DossierAudit> all;
    for (const actions::AuditEntry &e : known.audit) {
        if (e.ns == key.ns && e.scope == key.scope && (options.archive || e.context == key.context))
            all.push_back({e.osUser, e.user, e.asUser, e.context, e.server, e.action, e.summary, e.preflight, e.body, e.result, e.outcome,
                           e.at, e.answeredAt});
    }
    return all;
}

} // namespace

std::vector<actions::AuditEntry> auditOfUser(bool demo)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    auto read = actions::readAudit(folder + (demo ? u"/demo-audit.ndjson"_s : u"/audit.ndjson"_s));
    return read ? std::move(read->entries) : std::vector<actions::AuditEntry>();
}

Answer answerDossier(const Options &options, const Known &known, const Sinks &sinks)
{
    const auto chosen = choose(options, known, sinks);
    if (!chosen)
        return {true, CouldNot};
    DossierInput input;
    input.cluster = chosen->cluster;
    input.transition = chosen->transition;
    input.events.assign(known.events.begin(), known.events.end());
    if (const auto objects = known.objects.find(input.cluster->names.key); objects != known.objects.end())
        input.objects = objects->second;
    if (!input.transition->request.empty())
        input.audit = auditOf(options, known, input.cluster->names.key);
    if (const auto notes = known.notes.find(input.transition->id); notes != known.notes.end())
        input.notes = notes->second;
    input.now = known.now;
    const bool there = deliver(options, written(options, makeDossier(input)), sinks);
    return {there, there ? Answered : CouldNot};
}

} // namespace switchyard::headless
