// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/words_episodes.h"

#include "views/words.h"
#include "views/words_tr.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

QString lasted(const Event &event)
{
    return toldLength(event, "seconds");
}

QString listed(const Event &event, const char *key)
{
    return detail(event, key).split(u',', Qt::SkipEmptyParts).join(u", "_s);
}

QString syncSentence(const Event &event)
{
    if (event.type == EventCode::SyncEmpty) {
        return detail(event, "strict") == "true"_L1
            ? Words::tr("Synchronous mode is on and nobody is synchronous: writes wait, as the mode is strict")
            : Words::tr("Synchronous mode is on and nobody is synchronous: what is written now may be lost with the leader");
    }
    if (detail(event, "mode") == "off"_L1)
        return afterSeconds(Words::tr("Synchronous mode ended without a synchronous standby"), event);
    const QString again = afterSeconds(Words::tr("There is a synchronous standby again"), event);
    return Words::tr("%1: %2", "sentence, names").arg(again, listed(event, "to"));
}

QString silenceSentence(const Event &event)
{
    const QString member = detail(event, "member");
    if (event.type == EventCode::StatusResumed)
        return afterSeconds(Words::tr("The status of %1 changes again").arg(member), event);
    return Words::tr("The status of %1 has not changed for %2, though the leader has written more: its Patroni may be dead or cut off, "
                     "or its replication stands still")
        .arg(member, lasted(event));
}

QString disagreementSentence(const Event &event)
{
    const QString lock = detail(event, "lock");
    if (event.type == EventCode::LeaderAgreement)
        return afterSeconds(Words::tr("Lock, role label and address agree again on %1").arg(lock), event);
    QStringList others;
    const QStringList what = detail(event, "what").split(u',', Qt::SkipEmptyParts);
    const QString nobody = Words::tr("nobody", "who has the label or address of the leader");
    if (what.contains("holder"_L1))
        others << Words::tr("there is no such Pod");
    if (what.contains("label"_L1))
        others << Words::tr("the role label names %1").arg(listed(event, "label").isEmpty() ? nobody : listed(event, "label"));
    if (what.contains("address"_L1))
        others << Words::tr("the address belongs to %1").arg(listed(event, "address").isEmpty() ? nobody : listed(event, "address"));
    return Words::tr("The lock names %1 as the leader, but %2").arg(lock, others.join(Words::tr(", and ")));
}

QString historySentence(const Event &event)
{
    const QString kind = detail(event, "kind"), lost = listed(event, "lost");
    if (kind == "incarnation"_L1)
        return Words::tr("The cluster was initialized anew: system %1 instead of %2")
            .arg(detail(event, "system"), detail(event, "old_system"));
    if (kind == "reset"_L1)
        return Words::tr("The timeline history was emptied; lost with it: the ends of timelines %1").arg(lost);
    if (kind == "trimmed"_L1)
        return Words::tr("The timeline history was cut: no longer in it are the ends of timelines %1").arg(lost);
    return Words::tr("The timeline history was rewritten; gone or changed: the ends of timelines %1").arg(lost);
}

QString manyLateSentence(const Event &event)
{
    const QString count = detail(event, "count"), of = detail(event, "of"), contexts = listed(event, "contexts");
    const bool elections = detail(event, "what") == "elections"_L1;
    const QString begins = Words::tr("%1 of %2 elections are late at once: suspect the API server, not their holders");
    const QString ends = Words::tr("The API server's elections are no longer late at once (%1 of %2)");
    const QString said = elections && lasted(event).isEmpty() ? begins.arg(count, of)
        : elections                                           ? afterSeconds(ends.arg(count, of), event)
        : lasted(event).isEmpty()
        ? Words::tr("The locks of %1 of %2 clusters are late at once: suspect the API server, not the clusters").arg(count, of)
        : afterSeconds(Words::tr("The locks of the API server's clusters are no longer late at once (%1 of %2)").arg(count, of), event);
    const QString server = detail(event, "server");
    if (contexts.isEmpty())
        return server.isEmpty() ? said : Words::tr("%1 (%2)", "sentence, address of an API server").arg(said, server);
    return server.isEmpty() ? Words::tr("%1 (contexts %2)", "sentence, names").arg(said, contexts)
                            : Words::tr("%1 (%2, contexts %3)", "sentence, address, names").arg(said, server, contexts);
}

QString blindSentence(const Event &event)
{
    const auto from = parseInstant(detail(event, "from").toStdString()), to = parseInstant(detail(event, "to").toStdString());
    const QString when = from && to ? Words::tr("from %1 to %2", "times").arg(timeText(*from), timeText(*to)) : QString();
    return Words::tr("Nothing was seen of %1 for %2 %3: what happened then was only found afterwards")
        .arg(detail(event, "resource"), lasted(event), when)
        .simplified();
}

} // namespace

// Whole seconds and tenths were cut: they tell nothing finer.
QString toldLength(const Event &event, const char *key)
{
    const QString told = detail(event, key);
    bool known = false;
    const double seconds = told.toDouble(&known);
    if (!known)
        return {};
    const auto length = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    const bool tenths = told.contains(u'.');
    if (length == Duration::zero())
        return tenths ? Words::tr("less than 0.1 s") : Words::tr("less than 1 s");
    if (tenths && seconds < 1)
        return Words::tr("%1 s").arg(told);
    return tenths ? durationText(length) : secondsText(length);
}

QString afterSeconds(const QString &sentence, const Event &event)
{
    const QString time = lasted(event);
    return time.isEmpty() ? sentence : Words::tr("%1 after %2", "sentence, duration").arg(sentence, time);
}

QString episodeSentence(const Event &event)
{
    switch (event.type) {
    case EventCode::NearMiss:
        return Words::tr("%1 renewed its lock after %2 s: %3 s of the ttl of %4 s were left")
            .arg(detail(event, "holder"), detail(event, "seconds"), detail(event, "left"), detail(event, "ttl"));
    case EventCode::PauseOff: return afterSeconds(Words::tr("The cluster was resumed"), event);
    case EventCode::FailsafeOn: return Words::tr("Failsafe mode was set up");
    case EventCode::FailsafeOff: return afterSeconds(Words::tr("Failsafe mode was taken away"), event);
    case EventCode::SyncEmpty:
    case EventCode::SyncFilled: return syncSentence(event);
    case EventCode::StatusSilent:
    case EventCode::StatusResumed: return silenceSentence(event);
    case EventCode::LeaderDisagreement:
    case EventCode::LeaderAgreement: return disagreementSentence(event);
    case EventCode::HistoryRewritten: return historySentence(event);
    case EventCode::ManyLate: return manyLateSentence(event);
    case EventCode::BlindSpot: return blindSentence(event);
    default: break;
    }
    return words(event.type);
}

} // namespace switchyard::views
