// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/context_rows.h"

#include "views/widgets/contexts_words.h"
#include "views/words.h"

#include <QCoreApplication>
#include <QUrl>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;
using items::Standing;
using patroni::Freshness;

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(ContextRows)
};

using views::text;

// Error text without its advice: that has a line of its own. What ails the whole server is said without the request that met it, and
// the cause comes first: lines are cut off at their end.
QString oneLine(const Error &error)
{
    Error cause = error;
    cause.advice.clear();
    const bool ofServer = error.kind == ErrorKind::Unreachable || error.kind == ErrorKind::Unauthorized
        || error.kind == ErrorKind::Throttled || error.kind == ErrorKind::Server;
    if (!ofServer)
        return text(describe(cause));
    for (std::string *part : {&cause.verb, &cause.resource, &cause.ns, &cause.name, &cause.where})
        part->clear();
    const QString what = text(describe(cause));
    return error.where.empty() ? what : Text::tr("%1 (%2)", "what is wrong, server").arg(what, text(error.where));
}

// Forbidden is not empty: which verb, of what, where.
QString refusedText(const StreamState &stream)
{
    const bool forbidden = stream.error && stream.error->kind == ErrorKind::Forbidden;
    if (!forbidden && !stream.named)
        return {};
    const std::string_view resource = code(stream.resource);
    const QString what = QString::fromUtf8(resource.data(), qsizetype(resource.size()));
    // A stream whose objects are read by name is live, and yet its list is missing: there may be clusters that nobody named.
    const std::string refused = stream.missing ? stream.missing->verb : forbidden ? stream.error->verb : std::string();
    const QString verb = refused.empty() ? u"list"_s : text(refused);
    return stream.ns.empty() ? Text::tr("all namespaces: %1 %2 forbidden", "verb, resource").arg(verb, what)
                             : Text::tr("namespace %1: %2 %3 forbidden", "namespace, verb, resource").arg(text(stream.ns), verb, what);
}

Standing standingOf(const ContextState &state)
{
    switch (state.freshness) {
    case Freshness::Live: return Standing::Live;
    case Freshness::Forbidden:
        return state.error && state.error->kind == ErrorKind::Unauthorized ? Standing::Unauthorized : Standing::Forbidden;
    case Freshness::Stale: return state.lastContact ? Standing::Stale : Standing::Connecting; // never heard: nothing to be stale
    case Freshness::Connecting: break;
    }
    return Standing::Connecting;
}

Standing standingOf(const ContextFacts &facts)
{
    if (!facts.connection)
        return facts.config->usable() ? Standing::Closed : Standing::Unusable;
    if (!facts.question.isEmpty())
        return Standing::Waiting;
    return facts.state ? standingOf(*facts.state) : Standing::Connecting;
}

QString nextStep(Standing standing, const ContextFacts &facts)
{
    switch (standing) {
    case Standing::Unauthorized:
        return Text::tr(
                   "Log in anew or renew the credential of user %1; a changed kubeconfig is taken over by itself. Then \"Connect again\".")
            .arg(facts.config->credential.userName);
    case Standing::Forbidden:
        return Text::tr("Choose namespaces that this account may read (\"Namespaces...\"), or ask for the missing right; the page "
                        "Permissions says which.");
    case Standing::Stale:
    case Standing::Connecting:
        return facts.state && facts.state->error
            ? Text::tr("Check that %1 can be reached from here. It is tried again by itself.").arg(facts.config->server)
            : QString();
    case Standing::Waiting: return Text::tr("Answer the question in its window; \"Connect again\" asks anew.");
    case Standing::Unusable: return Text::tr("Mend the kubeconfig; the change is noticed by itself.");
    case Standing::Live:
    case Standing::Closed: break;
    }
    return {};
}

void addProblem(items::ContextRow &row, const ContextFacts &facts)
{
    QStringList lines, advice;
    if (!facts.question.isEmpty())
        lines << Text::tr("waits for your permission to run %1").arg(facts.question);
    if (facts.state && facts.state->error && row.standing != Standing::Waiting) {
        lines << oneLine(*facts.state->error);
        advice << text(facts.state->error->advice);
    }
    for (const Error &problem : facts.config->problems) {
        lines << oneLine(problem);
        advice << text(problem.advice);
    }
    if (facts.vanished && facts.connection)
        lines << Text::tr("gone from the kubeconfig; it goes on as long as it is open");
    advice.removeAll(QString());
    row.problem = lines.join(u"; "_s);
    row.advice = advice.isEmpty() ? nextStep(row.standing, facts) : advice.join(u' ');
}

void addConnection(items::ContextRow &row, const Connection &connection)
{
    row.address = connection.server();
    row.version = connection.serverVersion();
    row.latency = connection.latency();
    row.skew = connection.skew();
    row.notice = connection.notice();
    row.retryIn = connection.retryIn();
    row.namespaces = connection.namespaces();
}

void addState(items::ContextRow &row, const ContextState &state)
{
    row.lastContact = state.lastContact;
    row.staleSince = state.staleSince;
    for (const StreamState &stream : state.streams) {
        const std::string_view resource = code(stream.resource);
        row.watches.push_back({QString::fromUtf8(resource.data(), qsizetype(resource.size())), text(stream.ns), stream.freshness,
                               stream.lastContact, stream.error ? oneLine(*stream.error) : QString(), refusedText(stream)});
    }
}

Freshness freshnessOf(Standing standing)
{
    switch (standing) {
    case Standing::Unauthorized:
    case Standing::Forbidden: return Freshness::Forbidden;
    case Standing::Stale: return Freshness::Stale;
    case Standing::Live: return Freshness::Live;
    default: return Freshness::Connecting;
    }
}

} // namespace

items::ContextRow rowOf(const ContextFacts &facts)
{
    items::ContextRow row;
    row.name = facts.config->name;
    row.alias = facts.choice.alias;
    row.colour = facts.choice.colour;
    row.favourite = facts.choice.favourite;
    row.readOnly = facts.choice.readOnly;
    row.isProtected = facts.choice.isProtected;
    row.current = facts.current;
    row.vanished = facts.vanished;
    row.insecure = facts.config->insecureSkipTlsVerify;
    row.chosen = facts.byHand;
    row.user = facts.config->credential.userName;
    row.cluster = facts.config->clusterName;
    row.file = facts.config->file;
    row.server = QUrl(facts.config->server).toString(QUrl::RemoveUserInfo);
    row.namespaces = facts.namespaces;
    row.standing = standingOf(facts);
    if (facts.connection)
        addConnection(row, *facts.connection);
    if (facts.state)
        addState(row, *facts.state);
    addProblem(row, facts);
    return row;
}

views::ContextStatus statusOf(const items::ContextRow &row)
{
    views::ContextStatus status;
    status.name = row.name;
    status.alias = row.alias;
    status.colour = row.colour;
    status.readOnly = row.readOnly;
    status.isProtected = row.isProtected;
    status.freshness = freshnessOf(row.standing);
    status.lastContact = row.lastContact;
    status.staleSince = row.staleSince;
    status.retryIn = row.retryIn;
    status.error = row.problem;
    status.insecure = row.insecure;
    status.server = row.address.isEmpty() ? row.server : row.address;
    status.user = row.user;
    const bool failing = row.standing == Standing::Connecting && !row.problem.isEmpty();
    if (row.standing == Standing::Unauthorized || row.standing == Standing::Waiting || failing)
        status.state = views::standingText(row, {});
    status.skew = row.skew;
    for (const items::ContextWatch &watch : row.watches)
        if (!watch.refused.isEmpty())
            status.refused << watch.refused;
    return status;
}

items::ContextRow rowOf(const ContextState &state)
{
    items::ContextRow row;
    row.name = text(state.context);
    row.standing = standingOf(state);
    addState(row, state);
    row.problem = state.error ? oneLine(*state.error) : QString();
    for (const StreamState &stream : state.streams)
        if (const QString ns = text(stream.ns); !row.namespaces.contains(ns))
            row.namespaces << ns;
    return row;
}

} // namespace switchyard::desktop
