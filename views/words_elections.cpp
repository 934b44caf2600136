// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Elections in words: states, holders, the sentence over the chosen one.
#include "views/words_elections.h"

#include "models/items/elections_model.h"
#include "views/words.h"
#include "views/words_tr.h"

#include <algorithm>
#include <array>
#include <map>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using namespace election;
using patroni::Freshness;

namespace {

QString joinedBy(const QStringList &parts)
{
    return parts.join(u"; "_s) + u'.';
}

QString quoted(const std::optional<std::string> &name)
{
    return name ? text(*name) : unknownText();
}

// "15 s"
QString durationOf(const Election &e)
{
    return Words::tr("%1 s").arg(*e.duration);
}

// By the holder's clock, which need not be ours.
QString leadsSince(const Election &e, Now now)
{
    const QString name = holderText(e);
    if (e.key.family == Family::LeaderForLife) {
        if (!e.createdAt)
            return Words::tr("%1 leads for life").arg(name);
        return Words::tr("%1 leads for life, since %2 by the API server's clock (%3)")
            .arg(name, timeText(*e.createdAt), secondsText(std::max(Duration::zero(), now.wall - *e.createdAt)));
    }
    const auto taken = std::find_if(e.changes.rbegin(), e.changes.rend(),
                                    [](const HolderChange &c) { return c.kind == ChangeKind::TakenOver || c.kind == ChangeKind::Retaken; });
    if (taken != e.changes.rend() && taken->to == e.holder && !taken->notBefore)
        return Words::tr("%1 leads since %2 by our clock, as seen here (%3)")
            .arg(name, timeText(taken->wall), secondsText(std::max(Duration::zero(), now.wall - taken->wall)));
    if (e.acquiredAt)
        return Words::tr("%1 leads since %2 by its own clock").arg(name, timeText(*e.acquiredAt));
    return Words::tr("%1 leads, since when is not recorded").arg(name);
}

QString renewedPhrase(const Election &e, Now now)
{
    const auto age = items::recordAge(e, now);
    if (!age)
        return Words::tr("no renewal seen yet");
    return Words::tr("record renewed %1").arg(agoText(e.changedNotAfter, now));
}

QString leftPhrase(const Election &e, Now now)
{
    if (!e.expiresAt)
        return {};
    const Duration left = *e.expiresAt - now.boot;
    return left > Duration::zero() ? Words::tr("%1 left of %2").arg(secondsText(left), e.duration ? durationOf(e) : unknownText())
                                   : Words::tr("its time is over, not confirmed yet");
}

QString podOwner(const Election &e)
{
    if (e.pod)
        return text(e.pod->name);
    return e.owners.size() == 1 ? text(e.owners.front().name) : quoted(e.holder);
}

QString unverifiedText(const Election &e, Now now)
{
    if (e.dataUnseen && e.owners.size() != 1)
        return Words::tr("Not known whether this is a lock: only its metadata was read, and they do not tell whether it has data.");
    if (e.key.family == Family::LeaderForLife)
        return Words::tr("Not known who leads: the lock is %1's, and whether that Pod runs is not known.").arg(podOwner(e));
    QStringList parts{Words::tr("Not known who leads")};
    if (e.holder && !e.holder->empty())
        parts << Words::tr("the record names %1").arg(text(*e.holder));
    if (e.disagrees)
        parts << Words::tr("two records name different holders");
    if (!e.duration)
        parts << Words::tr("it tells no duration, so that it cannot be judged");
    else if (e.changedNotAfter)
        parts << Words::tr("its last change was seen %1, longer ago than its %2, and it has not been read again since")
                     .arg(agoText(e.changedNotAfter, now), durationOf(e));
    else
        parts << Words::tr("no renewal has been seen yet, for %1; it is judged by the first one, or when its %2 are over")
                     .arg(e.firstSeen ? secondsText(now.boot - *e.firstSeen) : unknownText(), durationOf(e));
    return joinedBy(parts);
}

QString staleSentence(const Election &e, Now now)
{
    const QString why = e.freshness == Freshness::Forbidden ? Words::tr("it may not be read any more")
                                                            : Words::tr("no answer from the API server");
    const QString last = e.lastContact ? Words::tr(", as of %1").arg(timeText(now.toWall(*e.lastContact))) : QString();
    return e.holder && !e.holder->empty() ? Words::tr("Not known who leads now: %1; %2 held it%3.").arg(why, text(*e.holder), last)
                                          : Words::tr("Not known who leads now: %1%2.").arg(why, last);
}

// "expired 42 s ago"; what was never seen to be renewed may have been dead for long.
QString expiredAgo(const Election &e, Now now)
{
    if (!e.expiresAt)
        return Words::tr("expired");
    const QString ago = agoText(e.expiresAt, now);
    return e.changedNotAfter ? Words::tr("expired %1").arg(ago) : Words::tr("expired %1 or before", "42 s ago").arg(ago);
}

QString forLife(const Election &e, Now now)
{
    const QString pod = podOwner(e);
    switch (e.state) {
    case State::Orphaned: return Words::tr("Orphaned: the Pod %1 is gone; the lock waits for the garbage collector.").arg(pod);
    case State::Recreated:
        return Words::tr("Recreated: a Pod %1 is there again, but it is another one (its uid is new) and does not own the lock.").arg(pod);
    case State::Evicted: return Words::tr("Evicted: the Pod %1 failed by eviction and still owns the lock.").arg(pod);
    case State::Preempted: return Words::tr("Preempted: the Pod %1 failed by preemption and still owns the lock.").arg(pod);
    default: break;
    }
    const bool over = e.pod && (e.pod->phase == "Failed" || e.pod->phase == "Succeeded");
    if (e.state == State::Terminating && over)
        return Words::tr("Terminating: the Pod %1 has ended and is being deleted; it still owns the lock.").arg(pod);
    if (e.state == State::Stuck)
        return Words::tr("Stuck: the Pod %1 has ended and still owns the lock.").arg(pod);
    const QString who = leadsSince(e, now);
    if (e.state == State::Terminating)
        return Words::tr("%1; its Pod is being deleted.").arg(who);
    if (e.state == State::NodeNotReady)
        return Words::tr("%1; its Pod's node is not ready.").arg(who);
    return who + u'.';
}

} // namespace

QString words(State state)
{
    switch (state) {
    case State::Held: return Words::tr("held", "election");
    case State::Late: return Words::tr("late", "election");
    case State::Expired: return Words::tr("expired", "election");
    case State::Stuck: return Words::tr("stuck", "election");
    case State::Released: return Words::tr("released", "election");
    case State::Unverified: return Words::tr("unverified", "election");
    case State::Stale: return Words::tr("stale", "election");
    case State::Orphaned: return Words::tr("orphaned", "election");
    case State::Evicted: return Words::tr("evicted", "election");
    case State::Preempted: return Words::tr("preempted", "election");
    case State::Terminating: return Words::tr("terminating", "election");
    case State::NodeNotReady: return Words::tr("node not ready", "election");
    case State::Recreated: return Words::tr("recreated", "election");
    case State::Invalid: return Words::tr("invalid", "election");
    }
    return unknownText();
}

QString words(Kind kind)
{
    switch (kind) {
    case Kind::Leases: return Words::tr("Lease");
    case Kind::Endpoints: return Words::tr("Endpoints");
    case Kind::ConfigMaps: return Words::tr("ConfigMap");
    case Kind::EndpointsLeases: return Words::tr("Endpoints + Lease");
    case Kind::ConfigMapsLeases: return Words::tr("ConfigMap + Lease");
    case Kind::LeaderForLife: return Words::tr("leader for life");
    case Kind::Patroni: return Words::tr("Patroni");
    }
    return unknownText();
}

QString words(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::FirstSeen: return Words::tr("first seen", "holder of an election");
    case ChangeKind::TakenOver: return Words::tr("taken over", "election");
    case ChangeKind::Released: return Words::tr("released", "election");
    case ChangeKind::Expired: return Words::tr("expired", "election");
    case ChangeKind::Retaken: return Words::tr("taken again", "election, by the same holder");
    case ChangeKind::Gone: return Words::tr("gone", "the object of an election");
    }
    return unknownText();
}

Tone toneOf(const Election &e)
{
    switch (e.state) {
    case State::Held: return e.disagrees ? Tone::Warning : Tone::Good;
    case State::Late:
    case State::Terminating:
    case State::NodeNotReady: return Tone::Warning;
    case State::Released: return Tone::Free;
    case State::Unverified:
    case State::Stale: return Tone::Unknown;
    case State::Expired:
    case State::Stuck:
    case State::Orphaned:
    case State::Evicted:
    case State::Preempted:
    case State::Recreated:
    case State::Invalid: break;
    }
    return Tone::Bad;
}

QString explained(const Election &e)
{
    switch (e.state) {
    case State::Held:
        return e.key.family == Family::LeaderForLife
            ? Words::tr("Held until its Pod is deleted: there is no renewal and no expiry. A hung holder still leads.")
            : e.key.family == Family::Patroni ? Words::tr("The record changed within its ttl, by our own clock.")
                                              : Words::tr("The record changed within its duration, by our own clock.");
    case State::Late:
        return Words::tr("Still held, but the renewal comes much later than usual. If it does not come, the record expires and another "
                         "candidate may take it.");
    case State::Expired: return Words::tr("Nobody has taken it yet. Any candidate that watches may; if none does, none may be running.");
    case State::Stuck:
        if (e.key.family == Family::LeaderForLife)
            return Words::tr("Nobody leads, and as long as that Pod is there nobody else can.");
        return Words::tr("Its holder's own health check would fail now, and no candidate has taken it. Look at the Pods that should "
                         "compete for it.");
    case State::Released: return Words::tr("Free: its holder gave it up, nobody leads. Any candidate takes it at once.");
    case State::Unverified:
        if (e.dataUnseen && e.owners.size() != 1)
            return Words::tr(
                "It is asked for by name, whole: with data it is an ordinary ConfigMap, and leaves this list; without, it is a "
                "lock that no candidate can take.");
        if (e.key.family == Family::LeaderForLife)
            return Words::tr("A leader for life leads as long as its Pod is there.");
        return Words::tr("Times written into a record are not trusted: only a change that is seen proves a holder.");
    case State::Stale: return Words::tr("Our own connection is silent: this says nothing about the election.");
    case State::Orphaned:
        return Words::tr("Nobody leads until the garbage collector has removed it; candidates wait, up to 20 s after that.");
    case State::Evicted:
    case State::Preempted: return Words::tr("Nobody leads. A candidate deletes the failed Pod, and the garbage collector then the lock.");
    case State::Terminating: return Words::tr("The lock stays until the Pod is gone.");
    case State::NodeNotReady:
        return Words::tr(
            "Whether it still works is not known. Newer candidates delete Pod and lock by themselves, older ones wait for ever.");
    case State::Recreated:
        return Words::tr("Candidates compare names only and may take it for the leader; the garbage collector compares the uid and will "
                         "remove the lock.");
    case State::Invalid:
        return Words::tr("No candidate can take a lock like this: they wait for ever, until somebody mends or deletes it.");
    }
    return {};
}

QString electionHeadline(const Election &e, Now now)
{
    switch (e.state) {
    case State::Held:
    case State::Late: {
        if (e.key.family == Family::LeaderForLife)
            return forLife(e, now);
        QStringList parts{leadsSince(e, now)};
        parts << (e.state == State::Late ? Words::tr("the renewal is late: %1").arg(renewedPhrase(e, now)) : renewedPhrase(e, now));
        if (const QString left = leftPhrase(e, now); !left.isEmpty())
            parts << left;
        return joinedBy(parts);
    }
    case State::Expired:
        return Words::tr("Nobody leads: the record of %1 %2 and nobody has taken it.").arg(quoted(e.holder), expiredAgo(e, now));
    case State::Stuck:
        if (e.key.family == Family::LeaderForLife)
            return forLife(e, now);
        return Words::tr("Stuck: the record of %1 %2 and nobody has taken it; its holder's own health check would fail now.")
            .arg(quoted(e.holder), expiredAgo(e, now));
    case State::Released: return Words::tr("Released: free, nobody leads.");
    case State::Unverified: return unverifiedText(e, now);
    case State::Stale: return staleSentence(e, now);
    case State::Invalid:
        return e.defects.empty() ? Words::tr("Invalid: nobody can take or read this lock.")
                                 : Words::tr("Invalid: %1.").arg(defectText(e.defects.front()));
    default: return forLife(e, now);
    }
}

QString holderText(const Election &e)
{
    if (e.state == State::Released)
        return Words::tr("nobody");
    if (!e.holder)
        return unknownText();
    return e.holder->empty() ? Words::tr("nobody") : text(*e.holder);
}

QString podText(const Election &e)
{
    if (!e.pod) {
        if (e.state == State::Released || !e.holder || e.holder->empty())
            return {};
        return e.podsReadable ? Words::tr("no such Pod") : Words::tr("unknown");
    }
    const HolderPod &pod = *e.pod;
    QString state = pod.phase ? text(*pod.phase) : unknownText();
    if (pod.reason)
        state = Words::tr("%1 (%2)", "phase of a Pod (reason)").arg(state, text(*pod.reason));
    if (pod.deleting)
        state += Words::tr(", being deleted");
    else if (pod.ready == false && pod.phase == "Running")
        state += Words::tr(", not ready");
    return Words::tr("%1, %2", "Pod, state").arg(text(pod.name), state);
}

QString recordText(const Election &e, Now now)
{
    if (leads(e.state) && e.expiresAt && *e.expiresAt > now.boot)
        return Words::tr("%1 left").arg(secondsText(*e.expiresAt - now.boot));
    if ((e.state == State::Expired || e.state == State::Stuck) && e.expiresAt) {
        const QString over = secondsText(std::max(Duration::zero(), now.boot - *e.expiresAt));
        return e.changedNotAfter ? Words::tr("%1 over", "so long after its expiry").arg(over) : Words::tr("at least %1 over").arg(over);
    }
    if (e.key.family == Family::LeaderForLife)
        return e.createdAt ? Words::tr("age %1").arg(secondsText(std::max(Duration::zero(), now.wall - *e.createdAt))) : QString();
    const auto age = items::recordAge(e, now);
    return age ? Words::tr("age %1").arg(secondsText(*age)) : QString();
}

QString disagreementText(const Election &e)
{
    if (!e.disagrees)
        return {};
    QStringList all;
    for (const Record &record : e.records) {
        const QString name = !record.holder ? unknownText() : record.holder->empty() ? Words::tr("nobody") : text(*record.holder);
        const QString where = record.resource == Resource::Leases ? Words::tr("the Lease")
            : record.resource == Resource::Endpoints              ? Words::tr("the Endpoints' annotation")
                                                                  : Words::tr("the ConfigMap's annotation");
        all << Words::tr("%1 names %2", "record, holder").arg(where, name);
    }
    return Words::tr("Its records disagree: %1. A client that uses both sees the holder leaderelection.k8s.io/unknown; the Lease counts.")
        .arg(all.join(u", "_s));
}

QString defectText(const patroni::Defect &defect)
{
    if (defect.detail == "no-owner")
        return Words::tr("it has no owner, and it takes exactly one Pod");
    if (defect.detail == "several-owners")
        return Words::tr("it has several owners, and it takes exactly one Pod");
    if (defect.detail == "owner-no-pod")
        return Words::tr("its owner is no Pod");
    const QString where = defect.field.empty() ? text(defect.object) : text(defect.field);
    return where.isEmpty() ? text(defect.detail)
                           : Words::tr("%1 %2", "field, what is wrong: duration is negative").arg(where, text(defect.detail));
}

QString electionsSentence(const std::vector<const Election *> &elections, Now now)
{
    if (elections.empty())
        return {};
    std::array<int, stateCount> count{};
    const Election *worst = elections.front();
    for (const Election *e : elections) {
        ++count.at(static_cast<std::size_t>(e->state));
        if (items::electionRank(*e) < items::electionRank(*worst))
            worst = e;
    }
    const QString all = elections.size() == 1 ? Words::tr("1 election") : Words::tr("%1 elections").arg(elections.size());
    QStringList parts;
    constexpr std::array order{State::Stuck,   State::Expired,    State::Invalid,      State::Orphaned, State::Recreated,
                               State::Evicted, State::Preempted,  State::NodeNotReady, State::Late,     State::Terminating,
                               State::Stale,   State::Unverified, State::Released,     State::Held};
    for (const State state : order)
        if (const int n = count.at(static_cast<std::size_t>(state)); n > 0)
            parts << u"%1 %2"_s.arg(QString::number(n), words(state));
    QString sentence = Words::tr("%1: %2.", "12 elections: 1 stuck, 11 held").arg(all, parts.join(u", "_s));
    if (troubled(worst->state)) {
        const QString name = Words::tr("%1 / %2", "namespace / election").arg(text(worst->key.ns), text(worst->key.name)),
                      record = recordText(*worst, now);
        sentence += u' '
            + (record.isEmpty() ? Words::tr("%1: %2.", "election: state").arg(name, words(worst->state))
                                : Words::tr("%1: %2, %3.", "election: state, its record").arg(name, words(worst->state), record));
    }
    return sentence;
}

static QString resourceName(Resource resource)
{
    switch (resource) {
    case Resource::Leases: return Words::tr("Leases");
    case Resource::Endpoints: return Words::tr("Endpoints");
    case Resource::ConfigMaps: return Words::tr("ConfigMaps");
    case Resource::Pods: return Words::tr("Pods");
    case Resource::Nodes: return Words::tr("Nodes");
    case Resource::Events: break;
    }
    return Words::tr("Events");
}

// What is lost with it.
static QString refusedText(Resource resource)
{
    if (resource == Resource::Nodes)
        return Words::tr("%1 may not be read: whether a lock's node is ready is unknown");
    if (resource == Resource::Pods)
        return Words::tr("%1 may not be read: what became of the Pods that hold locks is unknown");
    return Words::tr("%1 may not be read: there may be elections that are not shown");
}

// %1: what is not read; empty: it is, or has just been asked for
static QString sourceState(const Source &source)
{
    if (isMissing(source))
        return Words::tr("%1: this API server has none");
    const QString message = source.error ? text(source.error->message) : QString();
    switch (source.freshness) {
    case Freshness::Forbidden: return refusedText(source.resource);
    case Freshness::Connecting: return message.isEmpty() ? QString() : Words::tr("%1 could not be read: ") + message;
    case Freshness::Stale:
        return message.isEmpty() ? Words::tr("%1: no answer; what is shown is old")
                                 : Words::tr("%1: no answer; what is shown is old: ") + message;
    case Freshness::Live: break;
    }
    return {};
}

QStringList lateTogetherLines(const std::vector<LateLocks::Together> &locks, const std::vector<LateLocks::Together> &elections)
{
    std::map<std::pair<std::string, std::string>, QStringList> counts; // by server, or context where that is not known
    const auto add = [&](const std::vector<LateLocks::Together> &all, const QString &what) {
        for (const LateLocks::Together &one : all)
            counts[{one.server, one.server.empty() ? one.contexts.front() : std::string()}] << what.arg(one.late).arg(one.of);
    };
    add(locks, Words::tr("%1 of %2 locks of Patroni clusters"));
    add(elections, Words::tr("%1 of %2 other elections"));
    QStringList lines;
    for (const auto &[place, parts] : counts) {
        const auto &[server, context] = place;
        const QString what = parts.join(Words::tr(" and ")),
                      where = server.empty() ? Words::tr("of context %1").arg(text(context)) : Words::tr("at %1").arg(text(server));
        lines << Words::tr("%1 %2 are late at once: suspect the API server, or the way to it, before their holders.").arg(what, where);
    }
    return lines;
}

bool isMissing(const Source &source)
{
    return source.error && (source.error->kind == ErrorKind::NotFound || source.error->kind == ErrorKind::NotSupported);
}

QStringList sourceLines(const std::vector<Source> &sources)
{
    struct Line
    {
        std::string context, ns;
        QString state;
        QStringList resources;
    };
    std::vector<Line> lines; // those of a namespace that are doing alike share one
    for (const Source &source : sources) {
        const QString state = sourceState(source);
        if (state.isEmpty() || (source.resource == Resource::Events && source.freshness == Freshness::Forbidden)) // mere evidence
            continue;
        const auto alike = std::find_if(lines.begin(), lines.end(), [&](const Line &l) {
            return l.context == source.context && l.ns == source.ns && l.state == state;
        });
        if (alike == lines.end())
            lines.push_back({source.context, source.ns, state, {resourceName(source.resource)}});
        else
            alike->resources << resourceName(source.resource);
    }
    QStringList all;
    for (const Line &line : lines) {
        const QString what = line.resources.join(u", "_s);
        all << QString(line.state)
                   .replace(u"%1"_s,
                            line.ns.empty() ? Words::tr("%1 of context %2").arg(what, text(line.context))
                                            : Words::tr("%1 in %2 of context %3").arg(what, text(line.ns), text(line.context)));
    }
    return all;
}

} // namespace switchyard::views
