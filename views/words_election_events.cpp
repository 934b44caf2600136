// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened to elections.
#include "views/words.h"
#include "views/words_elections.h"
#include "views/words_episodes.h"
#include "views/words_tr.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString nameOr(const Event &event, const char *key)
{
    const QString name = detail(event, key);
    return name.isEmpty() ? Words::tr("nobody") : name;
}

// "Lease kube-scheduler": said first, so that no line reads like one of a Patroni cluster
QString electionName(const Event &event)
{
    const auto kind = election::kindFromCode(detail(event, "election").toStdString());
    const QString name = text(event.object);
    return kind ? Words::tr("%1 %2", "kind of election, name").arg(words(*kind), name) : Words::tr("Election %1").arg(name);
}

QString withSeconds(const QString &sentence, const Event &event)
{
    const QString length = toldLength(event, "seconds");
    return length.isEmpty() ? sentence : Words::tr("%1: none for %2", "sentence, how long without a renewal").arg(sentence, length);
}

QString leaderText(const Event &event)
{
    const QString to = nameOr(event, "to"), from = detail(event, "from"), how = detail(event, "how");
    if (how == "first-seen"_L1)
        return Words::tr("%1 leads, as seen for the first time").arg(to);
    if (how == "retaken"_L1)
        return Words::tr("%1 leads again").arg(to);
    const QString sentence = from.isEmpty() ? Words::tr("%1 leads now").arg(to) : Words::tr("%1 leads now, before it %2").arg(to, from);
    const QString gap = toldLength(event, "gap");
    return gap.isEmpty() ? sentence : Words::tr("%1; nobody did for %2").arg(sentence, gap);
}

QString stoppedText(const Event &event)
{
    const QString holder = nameOr(event, "holder"), how = detail(event, "how");
    if (how == "released"_L1)
        return Words::tr("%1 released it; nobody leads").arg(holder);
    if (how == "expired"_L1)
        return Words::tr("the record of %1 expired; nobody leads").arg(holder);
    if (how == "gone"_L1)
        return Words::tr("its object was deleted; %1 held it").arg(holder);
    if (how == "orphaned"_L1)
        return Words::tr("its Pod %1 is gone; the lock waits for the garbage collector").arg(holder);
    if (how == "evicted"_L1)
        return Words::tr("its Pod %1 was evicted").arg(holder);
    if (how == "preempted"_L1)
        return Words::tr("its Pod %1 was preempted").arg(holder);
    if (how == "stuck"_L1)
        return Words::tr("its Pod %1 has ended and still owns the lock").arg(holder);
    if (how == "recreated"_L1)
        return Words::tr("its Pod %1 was replaced by another of that name, which does not own the lock").arg(holder);
    return how.isEmpty() ? Words::tr("%1 stopped leading").arg(holder) : Words::tr("%1 stopped leading: %2").arg(holder, how);
}

// It had stopped leading before.
QString podNewsText(const Event &event)
{
    const QString holder = nameOr(event, "holder"), how = detail(event, "how");
    if (how == "orphaned"_L1)
        return Words::tr("its Pod %1 is gone now; the lock waits for the garbage collector").arg(holder);
    if (how == "recreated"_L1)
        return Words::tr("another Pod is called %1 now; it does not own the lock").arg(holder);
    if (how == "evicted"_L1 || how == "preempted"_L1)
        return stoppedText(event);
    return Words::tr("its Pod %1: %2", "Pod, state").arg(holder, how);
}

QString evidenceText(const Event &event)
{
    const QString reason = detail(event, "reason"), message = detail(event, "message");
    const QString said = reason.isEmpty() ? message
        : message.isEmpty()               ? reason
                                          : Words::tr("%1: %2", "reason: message").arg(reason, message);
    const QString source = detail(event, "source");
    return source.isEmpty() ? Words::tr("an Event says: %1").arg(said)
                            : Words::tr("%1 says: %2", "component, what its Event says").arg(source, said);
}

QString core(const Event &event)
{
    switch (event.type) {
    case EventCode::ElectionLeader: return leaderText(event);
    case EventCode::ElectionStopped: return stoppedText(event);
    case EventCode::ElectionPod: return podNewsText(event);
    case EventCode::ElectionLate: return withSeconds(Words::tr("the renewal by %1 is late").arg(nameOr(event, "holder")), event);
    case EventCode::ElectionStuck:
        return withSeconds(Words::tr("stuck: the record of %1 expired, nobody has taken it, and its holder's health check would fail")
                               .arg(nameOr(event, "holder")),
                           event);
    case EventCode::ElectionDisagreement:
        return Words::tr("its two records disagree: the Lease names %1, the annotation %2")
            .arg(nameOr(event, "lease"), nameOr(event, "annotation"));
    case EventCode::ElectionAgreement: return Words::tr("its two records agree again");
    case EventCode::ElectionInvalid: {
        const QString reason = defectText({{}, {}, detail(event, "reason").toStdString()});
        return reason.isEmpty() ? Words::tr("nobody can take or read this lock")
                                : Words::tr("nobody can take or read this lock: %1").arg(reason);
    }
    case EventCode::ElectionEvidence: return evidenceText(event);
    default: return words(event.type);
    }
}

} // namespace

bool isElection(const Event &event)
{
    return event.type >= EventCode::ElectionLeader && event.type <= EventCode::ElectionEvidence;
}

election::Key electionOf(const Event &event)
{
    const auto kind = election::kindFromCode(detail(event, "election").toStdString());
    const bool forLife = kind == election::Kind::LeaderForLife, patroni = kind == election::Kind::Patroni;
    return {event.cluster.context, event.cluster.ns, event.object,
            forLife       ? election::Family::LeaderForLife
                : patroni ? election::Family::Patroni
                          : election::Family::ClientGo};
}

QString electionSentence(const Event &event)
{
    return Words::tr("%1: %2", "election: what happened").arg(electionName(event), core(event));
}

} // namespace switchyard::views
