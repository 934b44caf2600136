// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words for what the rules found: health reasons, fitness of members, problems of a wish.
#include "views/words.h"
#include "views/words_tr.h"

namespace switchyard::views {

using patroni::HealthReason;

namespace {

QString someone(const std::string &subject)
{
    return subject.empty() ? Words::tr("a member") : text(subject);
}

QString disagreement(const std::string &what)
{
    if (what == "holder")
        return Words::tr("the lock's holder is not among the members");
    if (what == "label")
        return Words::tr("the leader label is not on the lock's holder");
    if (what == "address")
        return Words::tr("the service address is not the lock holder's");
    return Words::tr("lock, label and address name different leaders");
}

QString amountText(std::optional<std::uint64_t> amount)
{
    return amount ? bytesText(*amount) : unknownText();
}

} // namespace

QString words(const patroni::Reason &reason)
{
    const QString who = someone(reason.subject);
    switch (reason.code) {
    case HealthReason::ViewStale: return Words::tr("no answer from the API server: what is shown is old");
    case HealthReason::ViewForbidden: return Words::tr("not allowed to read this cluster's objects");
    case HealthReason::Connecting: return Words::tr("still connecting");
    case HealthReason::Initializing: return Words::tr("being initialized");
    case HealthReason::NothingDecodable: return Words::tr("none of its objects can be read");
    case HealthReason::LockReleased: return Words::tr("lock released and nobody took it");
    case HealthReason::LockAbsent: return Words::tr("no lock: the leader object is missing");
    case HealthReason::LockExpired: return Words::tr("lock expired and nobody took it");
    case HealthReason::HolderNotRunning:
        return reason.subject.empty() ? Words::tr("the lock's holder does not run as primary")
                                      : Words::tr("%1 holds the lock but does not run as primary").arg(who);
    case HealthReason::UnparsableSchedule:
        return Words::tr("the scheduled time cannot be read: every member stops on it, cancel the request now");
    case HealthReason::StrictSyncEmpty: return Words::tr("strict synchronous mode without a synchronous standby: writes wait");
    case HealthReason::LateRenewal: return Words::tr("lock renewal is late");
    case HealthReason::MemberDown: return Words::tr("%1 is down").arg(who);
    case HealthReason::MemberNotStreaming: return Words::tr("%1 is not streaming").arg(who);
    case HealthReason::MemberOldTimeline: return Words::tr("%1 is on an old timeline").arg(who);
    case HealthReason::LagOverLimit: return Words::tr("%1 lags %2, more than a failover allows").arg(who, amountText(reason.amount));
    case HealthReason::NoCandidate: return Words::tr("no member could take over");
    case HealthReason::SyncEmpty: return Words::tr("synchronous mode without a synchronous standby");
    case HealthReason::TwoLeaderLabels: return Words::tr("two Pods carry the leader label");
    case HealthReason::LeaderDisagreement: return disagreement(reason.subject);
    case HealthReason::FailsafeActive: return Words::tr("failsafe mode is active");
    case HealthReason::Paused: return Words::tr("paused: no automatic failover");
    case HealthReason::RequestPending: return Words::tr("a request is pending: an unplanned failover would ignore the lag limit");
    case HealthReason::StandbySourceUnknown: return Words::tr("standby cluster whose source is unknown");
    case HealthReason::LockUnverified: return Words::tr("lock not confirmed by a renewal yet");
    }
    return unknownText();
}

QString words(const rules::Finding &finding)
{
    using rules::FitnessCode;
    switch (finding.code) {
    case FitnessCode::IsLeader: return Words::tr("leads already");
    case FitnessCode::NotReported: return Words::tr("Patroni there has not reported a status");
    case FitnessCode::NotRunning: return Words::tr("not running");
    case FitnessCode::Deleting: return Words::tr("its Pod is being deleted");
    case FitnessCode::NoFailoverTag: return Words::tr("tagged nofailover");
    case FitnessCode::NotSyncStandby: return Words::tr("not a synchronous standby");
    case FitnessCode::LagOverLimit: return Words::tr("lags %1, more than a failover allows").arg(amountText(finding.amount));
    case FitnessCode::LagUnknown: return Words::tr("lag unknown");
    case FitnessCode::OldTimeline: return Words::tr("on an old timeline");
    case FitnessCode::NotReachableKnown: return Words::tr("whether its REST API answers the leader cannot be seen from here");
    }
    return unknownText();
}

QString words(rules::Severity severity)
{
    switch (severity) {
    case rules::Severity::Note: return Words::tr("note");
    case rules::Severity::Warning: return Words::tr("warning");
    case rules::Severity::Blocks: return Words::tr("blocks");
    }
    return unknownText();
}

QString words(const rules::Problem &problem)
{
    using rules::RequestProblem;
    const QString subject = text(problem.subject);
    const QString who = someone(problem.subject);
    switch (problem.code) {
    case RequestProblem::ViewStale: return Words::tr("What is shown is not current. Wait until the connection is back.");
    case RequestProblem::NoLeader: return Words::tr("Nobody leads: there is no leader to switch over from.");
    case RequestProblem::LeaderMismatch:
        return subject.isEmpty() ? Words::tr("The leader has changed. Look again and choose anew.")
                                 : Words::tr("The leader is %1 now. Look again and choose anew.").arg(subject);
    case RequestProblem::SameMember: return Words::tr("The candidate leads already. Choose another member.");
    case RequestProblem::UnknownCandidate: return Words::tr("There is no member %1. Choose one of the list.").arg(who);
    case RequestProblem::CandidateUnfit: return Words::tr("%1 cannot take over; the list says why. Choose another member.").arg(who);
    case RequestProblem::NoFitCandidate: return Words::tr("No member can take over; the list says why.");
    case RequestProblem::PausedSchedule: return Words::tr("The cluster is paused: a schedule is kept but not acted on before resume.");
    case RequestProblem::PausedNeedsCandidate:
        return Words::tr("The cluster is paused: Patroni switches only to a named member. Name one.");
    case RequestProblem::InThePast: return Words::tr("That time is past. Choose a later one, or now.");
    case RequestProblem::TooNear:
        return Words::tr("That time is less than one loop away: the leader acts as soon as it reads the request.");
    case RequestProblem::TooLate:
        return Words::tr("That time is too long past: Patroni would discard the request. Choose a later one, or now.");
    case RequestProblem::StandbyClusterPaused:
        return Words::tr("A paused standby cluster keeps requests without acting on them. Resume it first.");
    case RequestProblem::RequestAlreadyPending:
        return subject.isEmpty() ? Words::tr("A request is pending already. A new one replaces it.")
                                 : Words::tr("A request is pending already (%1). A new one replaces it.").arg(subject);
    case RequestProblem::ModeUnclear:
        return Words::tr(
            "It is unclear whether Patroni keeps its state in Endpoints or in ConfigMaps here; nothing can be written safely.");
    }
    return unknownText();
}

} // namespace switchyard::views
