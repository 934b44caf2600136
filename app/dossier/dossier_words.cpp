// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dossier/dossier_words.h"

#include "views/words.h"

namespace switchyard::dossier {

using namespace Qt::StringLiterals;
using patroni::EvidenceCode;
using patroni::Transition;
using views::text;

namespace {

QString detailOr(const std::string &detail, const QString &otherwise)
{
    return detail.empty() ? otherwise : text(detail);
}

QString subjectOr(const patroni::Evidence &evidence)
{
    return evidence.subject.empty() ? Words::tr("the old leader") : text(evidence.subject);
}

QString withFullStop(const QString &sentence)
{
    return sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

// "0 1" is kept.
QString restartsText(const std::string &detail)
{
    const QStringList parts = text(detail).split(u' ');
    return parts.size() == 2 ? Words::tr("from %1 to %2").arg(parts[0], parts[1]) : text(detail);
}

QString containerDetail(const Cause &cause)
{
    const bool restarted = !cause.evidence.empty() && cause.evidence.front().code == EvidenceCode::ContainerRestarted;
    if (restarted && !cause.detail.empty())
        return Words::tr("restarts: %1").arg(restartsText(cause.detail));
    return detailOr(cause.detail, Words::tr("no reason told"));
}

// Of a loss that nobody saw.
QString inferredSentence(const DossierMoment &m, const Transition &t)
{
    const QString who = memberName(t.from);
    const auto span = inferredLoss(t);
    const QString when = span ? Words::tr("between %1 and %2").arg(timeOf(span->from), timeOfEnd(span->to)) : Words::tr("about then");
    return m.kind == MomentKind::LastRenewal ? Words::tr("Inferred, not seen: %1 must have stopped renewing the lock %2.").arg(who, when)
                                             : Words::tr("Inferred, not seen: the lock of %1 must have been lost %2.").arg(who, when);
}

QString oldLeader(const Cause &cause, const Transition &t)
{
    if (!cause.subject.empty() && cause.code != CauseCode::ApiServer)
        return text(cause.subject);
    return t.from ? text(*t.from) : Words::tr("the old leader");
}

} // namespace

QString timeOf(Instant t)
{
    const std::string utc = formatUtc(t); // 2031-02-01T06:00:11.402917Z
    constexpr std::size_t dateEnd = 10;
    constexpr std::size_t milliseconds = 23;
    return text(utc.substr(0, dateEnd)) + u' ' + text(utc.substr(dateEnd + 1, milliseconds - dateEnd - 1)) + u" UTC"_s;
}

QString timeOfEnd(Instant t)
{
    return timeOf(std::chrono::ceil<std::chrono::milliseconds>(t));
}

QString memberName(const std::optional<std::string> &name)
{
    return name ? text(*name) : Words::tr("a member that is not recorded");
}

QString causeSentence(const Cause &cause, const Transition &t)
{
    const QString who = oldLeader(cause, t);
    switch (cause.code) {
    case CauseCode::Requested: return Words::tr("Somebody asked for it: a request to change the leader was carried out.");
    case CauseCode::Scheduled: return Words::tr("It was scheduled: a switchover that had been asked for was carried out at its time.");
    case CauseCode::OutOfMemory:
        return Words::tr("A container of %1 was killed because it ran out of memory (%2).").arg(who, text(cause.detail));
    case CauseCode::ContainerDied: return Words::tr("A container of %1 ended or was restarted (%2).").arg(who, containerDetail(cause));
    case CauseCode::PodFailed: return Words::tr("The Pod of %1 failed (%2).").arg(who, detailOr(cause.detail, Words::tr("no reason told")));
    case CauseCode::PodDeleted: return Words::tr("The Pod of %1 was deleted.").arg(who);
    case CauseCode::ApiServer:
        return Words::tr(
                   "Many clusters of this API server were late at the same time (%1): suspect the API server or the way to it, not %2.")
            .arg(detailOr(cause.detail, Words::tr("number not told")), t.from ? text(*t.from) : Words::tr("the old leader"));
    case CauseCode::LeaderUnwell:
        return Words::tr("%1 was not well: %2.").arg(who, detailOr(cause.detail, Words::tr("its Pod was not ready")));
    case CauseCode::LetGo:
        return Words::
            tr("%1 let the lock go itself, as it does when it is stopped in order, restarted or steps down. Who asked it to was not seen.")
                .arg(who);
    case CauseCode::FellSilent: return Words::tr("%1 stopped renewing its lock until it expired. Nothing that was seen says why.").arg(who);
    case CauseCode::FirstLeader: return Words::tr("The cluster was made: this was its first leader.");
    case CauseCode::ReTaken: return Words::tr("%1 was too late to renew its lock and took it again.").arg(who);
    case CauseCode::NotWatched: return Words::tr("It happened while nobody looked. Patroni stores no cause, so none is known.");
    case CauseCode::NotKnown: break;
    }
    return Words::tr("Nothing that was seen says why.");
}

QString certaintySentence(const Cause &cause)
{
    QString sentence;
    switch (cause.certainty) {
    case Certainty::Certain: sentence = Words::tr("Certain: it was seen from the request to the new leader."); break;
    case Certainty::Likely: sentence = Words::tr("Likely: the evidence fits, but Patroni does not tell causes."); break;
    case Certainty::Possible: sentence = Words::tr("Possible: it was seen about then, and may be the cause or an effect."); break;
    case Certainty::None: sentence = Words::tr("The cause is not known."); break;
    }
    if (cause.code == CauseCode::FirstLeader)
        sentence = Words::tr("Certain.");
    if (cause.blindSpot)
        sentence += u' ' + Words::tr("Part of the time nobody looked.");
    if (cause.mayNotSeeEvents)
        sentence += u' '
            + Words::tr("What Kubernetes tells of the Pods may not be read with this account: that nothing is shown of it says nothing.");
    return sentence;
}

QString evidenceSentence(const patroni::Evidence &e)
{
    const QString detail = text(e.detail);
    switch (e.code) {
    case EvidenceCode::Requested: return Words::tr("A matching request was pending.");
    case EvidenceCode::Released: return Words::tr("The leader's record was cleared by its holder.");
    case EvidenceCode::Expired:
        return detail.isEmpty() ? Words::tr("The lock was not renewed until it expired.")
                                : Words::tr("The lock was not renewed for %1 s, and expired.").arg(detail);
    case EvidenceCode::LateBefore: return Words::tr("Renewals were late before it; the longest took %1 s.").arg(detail);
    case EvidenceCode::MemberState: return Words::tr("The last status of %1 said: %2.").arg(subjectOr(e), detail);
    case EvidenceCode::PodGone: return Words::tr("The Pod of %1 was deleted.").arg(subjectOr(e));
    case EvidenceCode::PodNotReady: return Words::tr("The Pod of %1 was not ready.").arg(subjectOr(e));
    case EvidenceCode::PodFailed: return Words::tr("The Pod of %1 failed: %2.").arg(subjectOr(e), detail);
    case EvidenceCode::ContainerTerminated: return Words::tr("A container of %1 ended: %2.").arg(subjectOr(e), detail);
    case EvidenceCode::ContainerRestarted: return Words::tr("Restarts of a container of %1: %2.").arg(subjectOr(e), restartsText(e.detail));
    case EvidenceCode::ClusterEvent: return withFullStop(Words::tr("Kubernetes said of %1: %2").arg(subjectOr(e), detail));
    case EvidenceCode::ManyLate: return Words::tr("Other clusters of the same API server were late at the same time: %1.").arg(detail);
    case EvidenceCode::BlindSpot: return Words::tr("Nobody looked: %1.").arg(detail);
    case EvidenceCode::Paused: return Words::tr("The cluster was paused: Patroni did not act on its own.");
    case EvidenceCode::FailsafeMode: return Words::tr("Failsafe mode was set up.");
    case EvidenceCode::NotPermitted: return Words::tr("Events of Pods may not be read: none is shown, and there may have been some.");
    }
    return text(std::string(code(e.code)));
}

QString clockWords(const DossierMoment &m)
{
    switch (m.clock) {
    case WhoseClock::Ours: return Words::tr("ours");
    case WhoseClock::Member: return m.member.empty() ? Words::tr("a member's") : Words::tr("of %1", "clock").arg(text(m.member));
    case WhoseClock::ApiServer: return Words::tr("Kubernetes'");
    case WhoseClock::Schedule: return Words::tr("as asked for");
    case WhoseClock::Inferred: return Words::tr("inferred");
    }
    return {};
}

QString momentSentence(const DossierMoment &m, const Transition &t)
{
    const QString to = memberName(t.to), from = memberName(t.from);
    if (m.clock == WhoseClock::Inferred)
        return inferredSentence(m, t);
    switch (m.kind) {
    case MomentKind::LastRenewal: return Words::tr("The last renewal of the lock by %1 that was seen.").arg(from);
    case MomentKind::LockLost: return Words::tr("%1 lost the lock.").arg(from);
    case MomentKind::LockGained: return Words::tr("%1 was seen to hold the lock.").arg(to);
    case MomentKind::LockTaken: return Words::tr("%1 took the lock.").arg(to);
    case MomentKind::TimelineBegan: return Words::tr("The new timeline began, by the stored history.");
    case MomentKind::Writable: return Words::tr("%1 was seen as a running primary.").arg(to);
    case MomentKind::Streaming: return Words::tr("Every replica that stayed streams again.");
    case MomentKind::RequestSeen: return Words::tr("The request was seen.");
    case MomentKind::RequestDue: return Words::tr("The request was due.");
    case MomentKind::RequestReleased: return Words::tr("%1 let the lock go for the request.").arg(from);
    case MomentKind::RequestPromoted: return Words::tr("The new leader of the request was promoted.");
    case MomentKind::RequestDecided: return Words::tr("The fate of the request was known.");
    case MomentKind::WriteIntended: return Words::tr("About to be sent from here: %1").arg(text(m.detail));
    case MomentKind::WriteAnswered: return Words::tr("The API server's answer: %1").arg(text(m.detail));
    case MomentKind::Happened: return m.event ? views::eventSentence(*m.event) : QString();
    case MomentKind::Told: return m.evidence ? evidenceSentence(*m.evidence) : QString();
    case MomentKind::Noted: return Words::tr("A note by %1.").arg(text(m.detail));
    }
    return {};
}

QString sourceWords(patroni::Source source)
{
    switch (source) {
    case patroni::Source::None: return {};
    case patroni::Source::History: return Words::tr("from Patroni's history");
    case patroni::Source::Live: return Words::tr("seen live");
    case patroni::Source::Archive: return Words::tr("from the archive");
    case patroni::Source::Inferred: return Words::tr("inferred");
    }
    return {};
}

} // namespace switchyard::dossier
