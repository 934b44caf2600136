// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Codes to words. A switch without default: the compiler reports a code that has no words.
#include "views/words.h"
#include "views/words_tr.h"

namespace switchyard::views {

using namespace patroni;

QString words(Health h)
{
    switch (h) {
    case Health::Healthy: return Words::tr("healthy");
    case Health::Degraded: return Words::tr("degraded");
    case Health::Unhealthy: return Words::tr("unhealthy");
    case Health::Unknown: break;
    }
    return unknownText();
}

QString words(LockState s, bool late)
{
    switch (s) {
    case LockState::Absent: return Words::tr("no lock");
    case LockState::Released: return Words::tr("released");
    case LockState::Unverified: return late ? Words::tr("late", "lock renewal") : Words::tr("unverified", "lock: no renewal seen yet");
    case LockState::Held: return late ? Words::tr("late", "lock renewal") : Words::tr("held", "lock");
    case LockState::Expired: return Words::tr("expired");
    case LockState::Stale: return Words::tr("stale");
    }
    return unknownText();
}

QString words(Role r)
{
    switch (r) {
    case Role::Leader: return Words::tr("leader");
    case Role::StandbyLeader: return Words::tr("standby leader");
    case Role::SyncStandby: return Words::tr("sync standby");
    case Role::QuorumStandby: return Words::tr("quorum standby");
    case Role::Replica: return Words::tr("replica");
    case Role::Unknown: break;
    }
    return unknownText();
}

QString words(Freshness f)
{
    switch (f) {
    case Freshness::Live: return Words::tr("connected");
    case Freshness::Stale: return Words::tr("stale");
    case Freshness::Forbidden: return Words::tr("forbidden");
    case Freshness::Connecting: return Words::tr("connecting");
    }
    return unknownText();
}

QString words(Outcome o)
{
    switch (o) {
    case Outcome::Pending: return Words::tr("pending");
    case Outcome::KeptWhilePaused: return Words::tr("kept while paused");
    case Outcome::NotPickedUp: return Words::tr("not picked up");
    case Outcome::Outage: return Words::tr("outage");
    case Outcome::Done: return Words::tr("done");
    case Outcome::DoneOther: return Words::tr("done, another member won");
    case Outcome::TakenBack: return Words::tr("taken back");
    case Outcome::Erased: return Words::tr("erased");
    case Outcome::Superseded: return Words::tr("superseded");
    case Outcome::Cancelled: return Words::tr("cancelled");
    case Outcome::Refused: return Words::tr("refused");
    }
    return unknownText();
}

QString explained(Outcome o)
{
    switch (o) {
    case Outcome::Pending: return Words::tr("It is waiting for Patroni. Nothing has been decided.");
    case Outcome::KeptWhilePaused:
        return Words::tr("The cluster is paused: Patroni keeps the schedule and looks at it again after resume.");
    case Outcome::NotPickedUp:
        return Words::tr(
            "It is still set more than three loops after it was due: the leader is stuck, busy or paused, or Patroni does not see "
            "the object. Look at the leader's log.");
    case Outcome::Outage:
        return Words::tr(
            "Its time cannot be read, and every member stops on it: a running primary goes read-only. Cancel this request now.");
    case Outcome::Done: return Words::tr("The cluster has the leader that was asked for.");
    case Outcome::DoneOther: return Words::tr("The candidate that was asked for did not lead in the end; another member took the lock.");
    case Outcome::TakenBack: return Words::tr("The former leader stepped down and took the lock again: no other member was able to lead.");
    case Outcome::Erased:
        return Words::tr("The leader changed before the time came; that erases any schedule. Ask again if it is still wanted.");
    case Outcome::Superseded: return Words::tr("A newer request took its place before it was acted on.");
    case Outcome::Cancelled: return Words::tr("It was cleared before its time came; nothing was done.");
    case Outcome::Refused: return Words::tr("Patroni cleared it and kept the leader.");
    }
    return {};
}

QString words(Refusal r)
{
    switch (r) {
    case Refusal::Stale:
        return Words::tr(
            "The request was already more than one and a half loops late when the leader read it. Ask again, now or with a later time.");
    case Refusal::NoOffset:
        return Words::tr("The time had no zone offset, and Patroni acts on none without. Ask again with a time that carries its offset.");
    case Refusal::LeaderMismatch:
        return Words::tr("The member to step down was not the leader at that moment. Look who leads now and ask again from that member.");
    case Refusal::AlreadyLeader: return Words::tr("The candidate was the leader already. Choose another member.");
    case Refusal::PausedNeedsCandidate:
        return Words::tr("While the cluster is paused, Patroni switches only to a named member. Name one, or resume the cluster first.");
    case Refusal::NotSyncStandby:
        return Words::tr(
            "Synchronous mode is on and the candidate was not a synchronous standby. Choose one of those, or wait until it is one.");
    case Refusal::NoHealthyCandidate:
        return Words::tr("No member passed the leader's health check: reachable, allowed to lead, and lag within maximum_lag_on_failover. "
                         "Look at the members, mend or wait, and ask again.");
    case Refusal::Unknown: break;
    }
    return Words::tr("The objects do not say which rule refused it. The leader's log does: look there for the lines about the request.");
}

QString words(RequestStep s)
{
    switch (s) {
    case RequestStep::Scheduled: return Words::tr("scheduled");
    case RequestStep::Due: return Words::tr("due, waiting for the leader");
    case RequestStep::SteppingDown: return Words::tr("leader stepping down");
    case RequestStep::Leaderless: return Words::tr("leaderless");
    case RequestStep::Promoted: return Words::tr("new leader promoted");
    case RequestStep::Decided: return Words::tr("decided");
    }
    return unknownText();
}

QString words(RequestKind k)
{
    switch (k) {
    case RequestKind::Switchover: return Words::tr("switchover");
    case RequestKind::Failover: return Words::tr("failover");
    }
    return unknownText();
}

QString words(TransitionKind k)
{
    switch (k) {
    case TransitionKind::Bootstrap: return Words::tr("bootstrap");
    case TransitionKind::Switchover: return Words::tr("switchover");
    case TransitionKind::ScheduledSwitchover: return Words::tr("scheduled switchover");
    case TransitionKind::Failover: return Words::tr("failover, asked for");
    case TransitionKind::LockExpired: return Words::tr("failover after the lock expired");
    case TransitionKind::LockReleased: return Words::tr("failover after the lock was released");
    case TransitionKind::ReTaken: return Words::tr("taken again by the same member");
    case TransitionKind::Unknown: return Words::tr("not recorded");
    }
    return unknownText();
}

QString words(EventCode c)
{
    switch (c) {
    case EventCode::LeaderChanged: return Words::tr("leader changed");
    case EventCode::LockReleased: return Words::tr("lock released");
    case EventCode::LockExpired: return Words::tr("lock expired");
    case EventCode::LockAcquired: return Words::tr("lock acquired");
    case EventCode::LockLate: return Words::tr("lock renewal late");
    case EventCode::TimelineAdvanced: return Words::tr("timeline advanced");
    case EventCode::RequestWritten: return Words::tr("request written");
    case EventCode::RequestCleared: return Words::tr("request cleared");
    case EventCode::SyncChanged: return Words::tr("sync standbys changed");
    case EventCode::PauseOn: return Words::tr("paused");
    case EventCode::PauseOff: return Words::tr("resumed");
    case EventCode::ConfigChanged: return Words::tr("configuration changed");
    case EventCode::MemberAppeared: return Words::tr("member appeared");
    case EventCode::MemberLeft: return Words::tr("member left");
    case EventCode::MemberState: return Words::tr("member state changed");
    case EventCode::Undecodable: return Words::tr("undecodable");
    case EventCode::ConnectionLost: return Words::tr("connection lost");
    case EventCode::ConnectionRestored: return Words::tr("connection restored");
    case EventCode::ScheduleImpossible: return Words::tr("schedule has become impossible");
    case EventCode::SchedulePossible: return Words::tr("schedule possible again");
    case EventCode::NearMiss: return Words::tr("renewal just in time");
    case EventCode::FailsafeOn: return Words::tr("failsafe mode on");
    case EventCode::FailsafeOff: return Words::tr("failsafe mode off");
    case EventCode::ScheduleAbsurd: return Words::tr("absurd scheduled time");
    case EventCode::ScheduleSane: return Words::tr("absurd scheduled time over");
    case EventCode::SyncEmpty: return Words::tr("no synchronous standby");
    case EventCode::SyncFilled: return Words::tr("synchronous standby again");
    case EventCode::StatusSilent: return Words::tr("member status stopped");
    case EventCode::StatusResumed: return Words::tr("member status goes on");
    case EventCode::LeaderDisagreement: return Words::tr("leader disagreement");
    case EventCode::LeaderAgreement: return Words::tr("leader agreement again");
    case EventCode::HistoryRewritten: return Words::tr("history rewritten");
    case EventCode::ManyLate: return Words::tr("many locks late");
    case EventCode::BlindSpot: return Words::tr("not watched");
    case EventCode::PodEvidence: return Words::tr("Pod tells");
    case EventCode::ElectionLeader: return Words::tr("election leader");
    case EventCode::ElectionStopped: return Words::tr("election leader stopped");
    case EventCode::ElectionPod: return Words::tr("Pod of a leader for life");
    case EventCode::ElectionLate: return Words::tr("election late");
    case EventCode::ElectionStuck: return Words::tr("election stuck");
    case EventCode::ElectionDisagreement: return Words::tr("election records disagree");
    case EventCode::ElectionAgreement: return Words::tr("election records agree again");
    case EventCode::ElectionInvalid: return Words::tr("election lock invalid");
    case EventCode::ElectionEvidence: return Words::tr("elector tells");
    }
    return unknownText();
}

QString words(Mode m)
{
    switch (m) {
    case Mode::Endpoints: return Words::tr("Endpoints");
    case Mode::ConfigMaps: return Words::tr("ConfigMaps");
    }
    return unknownText();
}

QString words(SyncMode m)
{
    switch (m) {
    case SyncMode::Off: return Words::tr("off");
    case SyncMode::On: return Words::tr("on");
    case SyncMode::Quorum: return Words::tr("quorum");
    }
    return unknownText();
}

} // namespace switchyard::views
