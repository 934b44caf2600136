// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened, one line each. Codes and values; words are made in views/ and app/headless.
#include "models/patroni/cluster.h"

namespace switchyard {

enum class EventCode {
    LeaderChanged,
    LockReleased,
    LockExpired,
    LockAcquired,
    LockLate,
    TimelineAdvanced,
    RequestWritten,
    RequestCleared,
    SyncChanged,
    PauseOn,
    PauseOff,
    ConfigChanged,
    MemberAppeared,
    MemberLeft,
    MemberState,
    Undecodable,
    ConnectionLost,
    ConnectionRestored,
    ScheduleImpossible, // Patroni would throw away the scheduled request that waits, as things are now
    SchedulePossible,   // it would not any more
    ScheduleAbsurd,     // a pending request's time can be read and is nobody's intent (scheduled_at, how: far-ahead long-past)
    ScheduleSane,       // that is over: the request is gone, or its time another one (scheduled_at, how, seconds)
    NearMiss,           // a renewal came so late that little of the ttl was left (seconds, ttl, left)
    FailsafeOn,         // failsafe mode set up in the configuration, or taken away
    FailsafeOff,
    SyncEmpty, // synchronous mode is on and nobody is synchronous (seconds when it ends, in SyncFilled)
    SyncFilled,
    StatusSilent,       // a member's status stopped changing although it runs (member, seconds)
    StatusResumed,      // it changes again (member, seconds)
    LeaderDisagreement, // role label, Endpoints address and lock name different members (lock, label, address)
    LeaderAgreement,    // they agree again (seconds)
    HistoryRewritten,   // entries of the timeline history changed, were trimmed or are gone (kind: trimmed rewritten reset, lost)
    ManyLate,           // many locks of one API server are late at once: suspect the API server (count, of, server)
    BlindSpot,          // we did not look from `from` to `to` (seconds)
    PodEvidence,        // a Pod's containers or core/v1 Events say what happened to it (member, reason, message, source)
    // Of elections (object: the election's name, detail election: its kind; cluster: only context and ns)
    ElectionLeader,       // a new leader was seen (from, to, how: taken-over retaken first-seen)
    ElectionStopped,      // its leader stopped leading (holder, how: released expired gone orphaned ...)
    ElectionPod,          // what became of the Pod of a leader for life after that (holder, how: orphaned recreated ...)
    ElectionLate,         // renewals are late (holder, seconds)
    ElectionStuck,        // expired by more than the tolerance (holder, seconds)
    ElectionDisagreement, // two records of one election name different holders (lease, annotation)
    ElectionAgreement,    // they agree again
    ElectionInvalid,      // a lock that nobody can take (reason)
    ElectionEvidence,     // the elector's own core/v1 Event (holder, reason, message)
};
std::string_view code(EventCode c); // leader-changed lock-released ... connection-restored schedule-impossible schedule-possible
// schedule-absurd schedule-sane near-miss failsafe-on failsafe-off sync-empty sync-filled status-silent status-resumed leader-disagreement leader-agreement
// history-rewritten many-late blind-spot pod-evidence election-leader election-stopped election-pod election-late election-stuck
// election-disagreement election-agreement election-invalid election-evidence
constexpr int eventCodeCount = 44;

struct Event
{
    std::string id; // hash of object uid, resourceVersion and type; of context, type and time where there is no object
    EventCode type{};
    patroni::ClusterKey cluster; // connection events: only context (and ns) are set
    Boot at{};
    Instant wall{};
    std::string object; // object name; empty for connection events
    std::string resourceVersion;
    std::map<std::string, std::string> detail; // typed parameters as text: from, to, member, old, new, seconds, error ...
    std::optional<Instant> notBefore;          // seen only after a gap in our view: happened between notBefore and wall
    bool operator==(const Event &) const = default;
};

// "leader-changed: from=alpha-0 to=alpha-1": detail as stable key=value text for exports
std::string detailText(const Event &event);

} // namespace switchyard
