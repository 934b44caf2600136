// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words for what the rules found: health reasons, and what a preflight found.
#include "views/words.h"
#include "views/words_tr.h"

#include <algorithm>

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
    case HealthReason::AbsurdSchedule:
        return reason.subject == "long-past" ? Words::tr("the scheduled time of a request is long past, and it is still there")
                                             : Words::tr("a request is scheduled more than a year ahead");
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

namespace {

using rules::Finding;
using rules::RuleCode;

QString secondsAmount(std::optional<std::uint64_t> seconds)
{
    constexpr std::uint64_t most = 1'000'000'000;
    return seconds ? durationText(std::chrono::seconds(std::min(*seconds, most))) : unknownText();
}

// Of a request as a whole: sentences.
QString requestWords(const Finding &finding)
{
    const QString who = someone(finding.subject);
    switch (finding.rule) {
    case RuleCode::ViewStale: return Words::tr("What is shown is not current. Wait until the connection is back.");
    case RuleCode::ModeUnclear:
        return Words::tr(
            "It is unclear whether Patroni keeps its state in Endpoints or in ConfigMaps here; nothing can be written safely.");
    case RuleCode::NoLeader: return Words::tr("Nobody leads: there is no leader to switch over from.");
    case RuleCode::LeaderNotNamed: return Words::tr("A switchover names the leader that steps down.");
    case RuleCode::LeaderMismatch:
        return finding.subject.empty() ? Words::tr("The leader has changed. Look again and choose anew.")
                                       : Words::tr("The leader is %1 now. Look again and choose anew.").arg(who);
    case RuleCode::SameMember: return Words::tr("The candidate leads already. Choose another member.");
    case RuleCode::UnknownCandidate: return Words::tr("There is no member %1. Choose one of the list.").arg(who);
    case RuleCode::CandidateUnfit: return Words::tr("%1 cannot take over; the list says why. Choose another member.").arg(who);
    case RuleCode::CandidateNotNamed: return Words::tr("A failover names the member that takes over. Choose one.");
    case RuleCode::NoFitCandidate: return Words::tr("No member can take over; the list says why.");
    case RuleCode::TooFewForQuorum:
        return Words::tr("Quorum mode: %1 more members must be able to take over, or name one that can.").arg(finding.amount.value_or(1));
    default: return {};
    }
}

QString busyWords(const std::string &state)
{
    if (state == "starting")
        return Words::tr("The leader's PostgreSQL is starting: it may look at the request only when it runs.");
    return Words::tr("The leader is busy (%1): it looks at the request only when it is done with that.").arg(text(state));
}

QString timeWords(const Finding &finding)
{
    const QString who = someone(finding.subject);
    switch (finding.rule) {
    case RuleCode::PausedSchedule: return Words::tr("The cluster is paused: a schedule is kept but not acted on before resume.");
    case RuleCode::PausedNeedsCandidate: return Words::tr("The cluster is paused: Patroni switches only to a named member. Name one.");
    case RuleCode::PausedStandbyLeader:
        return Words::tr("A paused standby cluster keeps requests without acting on them. Resume it first.");
    case RuleCode::FailoverScheduled: return Words::tr("A failover cannot be scheduled. Schedule a switchover instead.");
    case RuleCode::InThePast: return Words::tr("That time is past. Choose a later one, or now.");
    case RuleCode::TooLate: return Words::tr("That time is too long past: Patroni would discard the request. Choose a later one, or now.");
    case RuleCode::TooNear: return Words::tr("That time is less than one loop away: the leader acts as soon as it reads the request.");
    case RuleCode::AlreadyPending:
        return finding.subject.empty() ? Words::tr("A request is pending already. A new one replaces it.")
                                       : Words::tr("A request is pending already (%1). A new one replaces it.").arg(who);
    case RuleCode::PendingUnparsable:
        return Words::tr("The time of the pending request cannot be read: the cluster is down because of it. Repair that first.");
    case RuleCode::RequestUnseen:
        return finding.subject.empty() ? Words::tr("Patroni cannot see what the request object says. A new request replaces it.")
                                       : Words::tr("Patroni cannot see the request that is there (%1). A new one replaces it.").arg(who);
    case RuleCode::ScheduleHasEffects:
        return Words::tr("Until it is due, an unplanned failover prefers this candidate and ignores the lag limit.");
    case RuleCode::LeaderStatusOld:
        return Words::tr("The leader has not renewed its lock for %1: it may not read the request.").arg(secondsAmount(finding.amount));
    case RuleCode::LeaderBusy: return busyWords(finding.subject);
    case RuleCode::LeaderHealthy:
        return Words::tr("The leader is healthy: a failover may lose what is not replicated. A switchover does not.");
    case RuleCode::SyncFailover: return Words::tr("The candidate is no synchronous standby: what was confirmed may be lost.");
    case RuleCode::CitusGroup: return Words::tr("Only this Citus group is switched over.");
    case RuleCode::OwnerReacts: return Words::tr("The operator %1 manages this cluster and may react to it.").arg(text(finding.subject));
    default: return {};
    }
}

QString memberWords(const Finding &finding)
{
    switch (finding.rule) {
    case RuleCode::IsLeader: return Words::tr("leads already");
    case RuleCode::NotReported: return Words::tr("Patroni there has not reported a status");
    case RuleCode::NoApiUrl: return Words::tr("it has not told where its REST API is");
    case RuleCode::NotRunning: return Words::tr("not running");
    case RuleCode::Deleting: return Words::tr("its Pod is being deleted");
    case RuleCode::NoFailoverTag: return Words::tr("tagged nofailover");
    case RuleCode::FailoverPriorityZero: return Words::tr("its failover_priority rules it out");
    case RuleCode::NotSyncStandby: return Words::tr("not a synchronous standby");
    case RuleCode::NotVoter: return Words::tr("not a voter of the quorum");
    case RuleCode::LagOverLimit: return Words::tr("lags %1, more than a failover allows").arg(amountText(finding.amount));
    case RuleCode::LagUnknown: return Words::tr("lag unknown");
    case RuleCode::PositionOld: return Words::tr("measured against a position %1 old").arg(secondsAmount(finding.amount));
    case RuleCode::OldTimeline: return Words::tr("on an old timeline");
    case RuleCode::StatusOld: return Words::tr("its status has not changed for %1").arg(secondsAmount(finding.amount));
    default: return {};
    }
}

QString liveWords(const Finding &finding)
{
    switch (finding.rule) {
    case RuleCode::WatchdogUnknown: return Words::tr("whether its watchdog works cannot be seen from here");
    case RuleCode::ReachabilityUnknown: return Words::tr("whether its REST API answers the leader cannot be seen from here");
    case RuleCode::NotReachable: return Words::tr("asked, and did not answer");
    case RuleCode::WatchdogFailed: return Words::tr("its watchdog has failed");
    case RuleCode::CutOff: return Words::tr("has not seen the API server for %1").arg(secondsAmount(finding.amount));
    case RuleCode::LiveNoFailover: return Words::tr("says that it does not take over");
    case RuleCode::LiveNotRunning:
        return finding.subject.empty() ? Words::tr("says that it does not run")
                                       : Words::tr("says that it is %1").arg(text(finding.subject));
    case RuleCode::LiveLagOverLimit:
        return Words::tr("lags %1 by its own word, more than a failover allows").arg(amountText(finding.amount));
    default: return {};
    }
}

} // namespace

QString words(const Finding &finding)
{
    for (const auto &part : {requestWords, timeWords, memberWords, liveWords}) {
        if (QString said = part(finding); !said.isEmpty())
            return said;
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

} // namespace switchyard::views
