// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/headless/option_values.h"

#include <QRegularExpression>

#include <cmath>

namespace switchyard::headless {

using namespace Qt::StringLiterals;

namespace {

using Problem = std::optional<QString>;

// The first of the named options that was given.
struct Given
{
    bool given;
    QString name;
};
Problem firstGiven(std::initializer_list<Given> all)
{
    for (const Given &one : all) {
        if (one.given)
            return one.name;
    }
    return {};
}

// How to connect: without meaning where there is no Kubernetes.
Problem firstConnecting(const Options &o)
{
    return firstGiven({{!o.overrides.asUser.isEmpty(), u"--as"_s},
                       {!o.overrides.asGroups.isEmpty(), u"--as-group"_s},
                       {!o.overrides.server.isEmpty(), u"--server"_s},
                       {!o.overrides.token.isEmpty(), u"--token"_s},
                       {!o.overrides.certificateAuthority.isEmpty(), u"--certificate-authority"_s},
                       {o.overrides.insecureSkipTlsVerify, u"--insecure-skip-tls-verify"_s},
                       {o.requestTimeout.has_value(), u"--request-timeout"_s},
                       {o.trustExec, u"--trust-exec"_s},
                       {o.poll.has_value(), u"--poll"_s},
                       {o.bypassApiService, u"--bypass-api-service"_s},
                       {!o.apiServers.isEmpty(), u"--api-server"_s}});
}

Problem overridesClash(const Options &o)
{
    if (o.overrides.insecureSkipTlsVerify && !o.overrides.certificateAuthority.isEmpty())
        return u"--certificate-authority and --insecure-skip-tls-verify exclude each other"_s;
    if (o.contexts.size() > 1 && !o.apiServers.isEmpty())
        return u"--api-server is for one --context, not for several"_s;
    if (o.contexts.size() > 1 && (!o.overrides.server.isEmpty() || !o.overrides.token.isEmpty()))
        return (o.overrides.server.isEmpty() ? u"--token"_s : u"--server"_s) + u" is for one --context, not for several"_s;
    return {};
}

// Of a command the archive is the source, of the window where it writes.
Problem archiveClash(const Options &o, const Problem &connection)
{
    const Problem keeping = firstGiven({{o.noArchive, u"--no-archive"_s},
                                        {o.archiveKeep.has_value(), u"--archive-keep"_s},
                                        {o.archiveMost.has_value(), u"--archive-max"_s}});
    if (o.command && keeping)
        return *keeping + u" is for the window, not for a command"_s;
    if (o.noArchive && (o.archive || o.archiveKeep || o.archiveMost))
        return u"--no-archive excludes the other options of the archive"_s;
    if ((o.archive || keeping) && (o.demo || o.replay || o.screenshot))
        return (o.archive ? u"--archive"_s : *keeping) + u" has no meaning with "_s
            + (o.demo         ? u"--demo"_s
                   : o.replay ? u"--replay"_s
                              : u"--screenshot"_s);
    if (!o.archive || !o.command)
        return {};
    const Problem connecting = connection ? connection : firstConnecting(o);
    if (connecting)
        return *connecting + u" has no meaning with --archive"_s;
    if (o.wait)
        return u"--wait has no meaning with --archive"_s;
    if (o.command == Command::List || o.command == Command::Members || o.command == Command::Elections || o.command == Command::Preflight)
        return u"--archive is for history, events, requests, transitions and dossier: "_s + QString::fromUtf8(code(*o.command).data())
            + u" is of now"_s;
    return {};
}

// A recording needs something to record, and time.
Problem recordClash(const Options &o)
{
    const Problem given = firstGiven(
        {{o.record.has_value(), u"--record"_s}, {o.followFor.has_value(), u"--for"_s}, {o.replaceNames, u"--replace-names"_s}});
    if (!given)
        return {};
    if (o.replaceNames && !o.record)
        return u"--replace-names needs --record"_s;
    if (!o.command)
        return *given + u" needs a command with --follow; the window has Record in its File menu"_s;
    if (o.replay || o.archive)
        return *given + (o.replay ? u" has no meaning with --replay"_s : u" has no meaning with --archive"_s);
    return o.follow ? Problem() : Problem(*given + u" needs --follow"_s);
}

Problem sourceClash(const Options &o)
{
    const Problem connection = firstGiven({{o.kubeconfig.has_value(), u"--kubeconfig"_s},
                                           {!o.contexts.isEmpty(), u"--context"_s},
                                           {!o.namespaces.isEmpty(), u"--namespace"_s},
                                           {o.allNamespaces, u"--all-namespaces"_s}});
    if (o.demo && o.replay)
        return u"--demo and --replay exclude each other"_s;
    if (o.allNamespaces && !o.namespaces.isEmpty())
        return u"--all-namespaces and --namespace exclude each other"_s;
    if (connection && (o.replay || (o.demo && o.command)))
        return *connection + (o.demo ? u" has no meaning with --demo"_s : u" has no meaning with --replay"_s);
    if (const Problem connecting = firstConnecting(o); connecting && (o.demo || o.replay))
        return *connecting + (o.demo ? u" has no meaning with --demo"_s : u" has no meaning with --replay"_s);
    if (Problem problem = archiveClash(o, connection))
        return problem;
    if (Problem problem = overridesClash(o))
        return problem;
    if (o.at && !o.replay)
        return u"--at needs --replay"_s;
    if (Problem problem = recordClash(o))
        return problem;
    return {};
}

// Nothing can have happened in such a time. Of an instant and an age only the moment of asking tells; see answer().
Problem timesClash(const Options &o)
{
    if (!o.since || !o.until || o.since->at.index() != o.until->at.index())
        return {};
    const Instant anyNow{};
    return o.until->resolve(anyNow) < o.since->resolve(anyNow) ? Problem(u"--until is before --since"_s) : Problem();
}

// The words of a question to the preflight, and what such a question cannot have.
Problem preflightClash(const Options &o)
{
    if (o.command != Command::Preflight) {
        const Problem asked = firstGiven({{o.kind.has_value(), u"--kind"_s},
                                          {o.leader.has_value(), u"--leader"_s},
                                          {o.candidate.has_value(), u"--candidate"_s},
                                          {o.scheduled.has_value(), u"--scheduled"_s}});
        return asked ? Problem(*asked + u" is for preflight"_s) : Problem();
    }
    if (o.clusters.size() != 1)
        return u"preflight needs one --cluster"_s;
    const Problem other = firstGiven({{o.since.has_value(), u"--since"_s}, {o.until.has_value(), u"--until"_s}, {o.follow, u"--follow"_s}});
    if (other)
        return *other + u" has no meaning with preflight"_s;
    if (o.kind == "failover"_L1 && o.leader)
        return u"--leader has no meaning with a failover: Patroni makes a switchover of it"_s;
    return {};
}

// From one archive into another: nothing else takes part.
Problem importClash(const Options &o)
{
    if (o.command != Command::Import)
        return o.from ? Problem(u"--from is for import"_s) : Problem();
    if (!o.from)
        return u"import needs --from FILE, the archive that is read"_s;
    Problem other = firstGiven({{o.demo, u"--demo"_s},
                                {o.replay.has_value(), u"--replay"_s},
                                {o.kubeconfig.has_value(), u"--kubeconfig"_s},
                                {!o.contexts.isEmpty(), u"--context"_s},
                                {!o.namespaces.isEmpty(), u"--namespace"_s},
                                {o.allNamespaces, u"--all-namespaces"_s},
                                {!o.clusters.empty(), u"--cluster"_s},
                                {o.format.has_value() || o.html, u"--format"_s},
                                {o.output.has_value(), u"--output"_s},
                                {o.since.has_value(), u"--since"_s},
                                {o.until.has_value(), u"--until"_s},
                                {o.follow, u"--follow"_s},
                                {o.wait.has_value(), u"--wait"_s}});
    if (!other)
        other = firstConnecting(o);
    return other ? Problem(*other + u" has no meaning with import"_s) : Problem();
}

Problem dossierClash(const Options &o)
{
    if (o.command != Command::Dossier) {
        if (o.html)
            return u"--format html is for dossier"_s;
        return o.transition ? Problem(u"--transition is for dossier"_s) : Problem();
    }
    if (o.clusters.size() != 1)
        return u"dossier needs one --cluster"_s;
    if (o.format && o.format != Format::Md && o.format != Format::Json)
        return u"--format "_s + QString::fromUtf8(code(*o.format).data()) + u": a dossier is written as md, html or json"_s;
    const Problem other = firstGiven({{o.since.has_value(), u"--since"_s}, {o.until.has_value(), u"--until"_s}, {o.follow, u"--follow"_s}});
    return other ? Problem(*other + u" has no meaning with dossier"_s) : Problem();
}

Problem windowClash(const Options &o)
{
    const Problem forCommand = firstGiven({{o.format.has_value() || o.html, u"--format"_s},
                                           {o.since.has_value(), u"--since"_s},
                                           {o.until.has_value(), u"--until"_s},
                                           {o.follow, u"--follow"_s},
                                           {o.output.has_value(), u"--output"_s},
                                           {o.wait.has_value(), u"--wait"_s}});
    if (forCommand)
        return *forCommand + u" needs a command: list, members, history, events, requests, transitions, elections, preflight or dossier"_s;
    const Problem forPicture = firstGiven(
        {{o.page.has_value(), u"--page"_s}, {o.size.has_value(), u"--size"_s}, {o.after.has_value(), u"--after"_s}, {o.dark, u"--dark"_s}});
    if (forPicture && !o.screenshot)
        return *forPicture + u" needs --screenshot or a command"_s;
    if (o.screenshot && o.clusters.size() > 1)
        return u"a picture shows one --cluster"_s;
    if (o.after && o.at)
        return u"--after and --at exclude each other"_s;
    return {};
}

Problem commandClash(const Options &o)
{
    const Problem forWindow = firstGiven({{o.screenshot.has_value(), u"--screenshot"_s},
                                          {o.page.has_value(), u"--page"_s},
                                          {o.size.has_value(), u"--size"_s},
                                          {o.after.has_value(), u"--after"_s},
                                          {o.dark, u"--dark"_s}});
    if (forWindow)
        return *forWindow + u" is for the window, not for a command"_s;
    if (o.follow && !canStream(o.formatOrDefault()))
        return u"--follow cannot be written as "_s + QString::fromUtf8(code(*o.format).data()) + u": use ndjson, csv or tsv"_s;
    if (o.follow && o.output)
        return u"--follow has no end, and --output writes a finished file: redirect the output instead"_s;
    if (o.format == Format::Xlsx && !o.output)
        return u"a workbook (xlsx) needs --output FILE"_s;
    if (o.wait && o.replay)
        return u"--wait has no meaning with --replay"_s;
    return {};
}

} // namespace

std::optional<std::chrono::milliseconds> parseSeconds(const QString &text)
{
    static const QRegularExpression form(uR"(\A[0-9]{1,8}(\.[0-9]{1,9})?\z)"_s);
    if (!form.match(text).hasMatch())
        return std::nullopt;
    const double seconds = text.toDouble();
    if (seconds > 1e7)
        return std::nullopt;
    return std::chrono::milliseconds(std::llround(seconds * 1000));
}

std::optional<std::chrono::milliseconds> parseTimeout(const QString &text)
{
    static const QRegularExpression whole(uR"(\A([0-9]+|([0-9]+(\.[0-9]+)?(ms|s|m|h))+)\z)"_s);
    static const QRegularExpression part(uR"(([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?)"_s);
    if (text.size() > 40 || !whole.match(text).hasMatch())
        return std::nullopt;
    double total = 0;
    for (auto parts = part.globalMatch(text); parts.hasNext();) {
        const auto match = parts.next();
        const QString unit = match.captured(2);
        const double factor = unit == u"ms"_s ? 1 : unit == u"m"_s ? 60e3 : unit == u"h"_s ? 3600e3 : 1e3;
        total += match.captured(1).toDouble() * factor;
    }
    constexpr double week = 7 * 86400e3;
    return total <= week ? std::optional(std::chrono::milliseconds(std::llround(total))) : std::nullopt;
}

std::optional<std::chrono::hours> parseAge(const QString &text)
{
    static const QRegularExpression form(uR"(\A([0-9]{1,6})([dh])\z)"_s);
    if (text == u"0"_s)
        return std::chrono::hours(0);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const std::chrono::hours age(match.captured(1).toInt() * (match.captured(2) == u"d"_s ? 24 : 1));
    constexpr std::chrono::hours century(24 * 36525);
    return age <= century ? std::optional(age) : std::nullopt;
}

std::optional<std::int64_t> parseBytes(const QString &text)
{
    static const QRegularExpression form(uR"(\A([0-9]{1,6})([MGT])iB\z)"_s);
    if (text == u"0"_s)
        return 0;
    const auto match = form.match(text);
    if (!match.hasMatch() || match.captured(1).toInt() == 0)
        return std::nullopt;
    const QString unit = match.captured(2);
    const int shift = unit == u"M"_s ? 20 : unit == u"G"_s ? 30 : 40;
    return static_cast<std::int64_t>(match.captured(1).toInt()) << shift;
}

std::optional<QSize> parseSize(const QString &text)
{
    static const QRegularExpression form(uR"(\A([0-9]{3,5})x([0-9]{3,5})\z)"_s);
    const auto match = form.match(text);
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    constexpr int smallest = 100;
    constexpr int largest = 16384;
    const bool sensible = size.width() >= smallest && size.height() >= smallest && size.width() <= largest && size.height() <= largest;
    return match.hasMatch() && sensible ? std::optional(size) : std::nullopt;
}

std::optional<QString> findClash(const Options &options)
{
    if (Problem problem = sourceClash(options))
        return problem;
    if (Problem problem = preflightClash(options))
        return problem;
    if (Problem problem = dossierClash(options))
        return problem;
    if (Problem problem = importClash(options))
        return problem;
    if (Problem problem = timesClash(options))
        return problem;
    if (options.allLeases && options.command != Command::Elections)
        return u"--all-leases is for elections"_s;
    return options.command ? commandClash(options) : windowClash(options);
}

} // namespace switchyard::headless
