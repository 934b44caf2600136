// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Everything known of one cluster at one moment: what views, command line and rules read. Plain values.
#include "models/patroni/discovery.h"

namespace switchyard::patroni {

enum class LockState { Absent, Released, Unverified, Held, Expired, Stale };
std::string_view code(LockState s); // absent released unverified held expired stale

// When the record was last seen to change, as an interval: a change found by a relist happened somewhere in it.
struct LockView
{
    LockState state = LockState::Absent;
    std::optional<std::string> holder; // of a held, late, unverified, expired or stale lock; nullopt when released or absent
    std::int64_t ttl = 30;             // seconds in force for the record
    bool late = false;                 // more than loop_wait + retry_timeout since the last change
    std::optional<Boot> changedNotBefore, changedNotAfter; // nullopt: no change seen yet / just listed
    std::optional<Boot> firstSeen;                         // when this record was first seen
    std::optional<Boot> watchedSince;                      // when the first of its records was, as far as is remembered
    std::optional<Boot> confirmedAt;                       // last proof that the record is still this one
    std::optional<Boot> expiresAt;                         // changedNotAfter (or firstSeen) + ttl: the moment it can no longer be held
    std::optional<Instant> acquireTime, renewTime;         // the leader's own clock
    std::optional<std::int64_t> transitions;
    bool operator==(const LockView &) const = default;
};

enum class Freshness { Live, Stale, Forbidden, Connecting };
std::string_view code(Freshness f); // live stale forbidden connecting

// A read that the API server refused (403): the verb that is missing, for which resource, where (empty: in all namespaces).
struct MissingRight
{
    Resource resource{};
    std::string ns, verb; // list or watch; get where an object is read by name
    bool operator==(const MissingRight &) const = default;
};

// How much the view of a cluster can be trusted: worst of its streams.
struct ViewState
{
    Freshness freshness = Freshness::Connecting;
    std::optional<Boot> lastContact;       // last byte or good probe of the context
    std::optional<Boot> staleSince;        // set when freshness is Stale: the last contact before the silence
    std::string reason;                    // describe(error) of what is wrong; empty when live
    std::vector<MissingRight> missing{};   // what the account may not read of it; also of a live view whose objects are read by name
    bool seesAll(Resource resource) const; // all objects of a kind that there are, not only those with known names
    bool operator==(const ViewState &) const = default;
};

enum class Role { Leader, StandbyLeader, SyncStandby, QuorumStandby, Replica, Unknown };
std::string_view code(Role r); // leader standby_leader sync_standby quorum_standby replica unknown

// A quantity that may be unknown for a named reason; 0 is a value.
struct Member
{
    MemberRecord record;
    Role role = Role::Unknown;
    std::optional<std::string> shownState; // replication_state instead of state for non-leaders, as patronictl does since 3.0.4
    std::optional<Lsn> lsn;
    std::optional<std::uint64_t> lag, receiveLag, replayLag; // bytes behind optime; nullopt: unknown (also when optime is)
    bool oldTimeline = false;                                // timeline known and behind the leader's
    bool up = false;                                         // Pod runs, not deleting, Patroni reports running or streaming
    std::optional<Boot> statusChangedAt;                     // last change of the status annotation that WE saw; nullopt: not since start
    std::optional<Boot> statusSeenAt;                        // when we first saw the present text
    bool operator==(const Member &) const = default;
};

enum class Health { Healthy, Degraded, Unhealthy, Unknown };
std::string_view code(Health h);

enum class HealthReason { // codes in the exports: the text in brackets
    ViewStale,            // view-stale
    ViewForbidden,        // view-forbidden
    Connecting,           // connecting
    Initializing,         // initializing
    NothingDecodable,     // nothing-decodable
    LockReleased,         // lock-released
    LockAbsent,           // lock-absent
    LockExpired,          // lock-expired
    HolderNotRunning,     // holder-not-running
    UnparsableSchedule,   // unparsable-schedule
    StrictSyncEmpty,      // strict-sync-empty
    AbsurdSchedule,       // absurd-schedule      (subject: far-ahead, long-past)
    LateRenewal,          // late-renewal
    MemberDown,           // member-down          (subject: member)
    MemberNotStreaming,   // member-not-streaming (subject: member)
    MemberOldTimeline,    // member-old-timeline  (subject: member)
    LagOverLimit,         // lag-over-limit       (subject: member, amount: bytes)
    NoCandidate,          // no-candidate
    SyncEmpty,            // sync-empty
    TwoLeaderLabels,      // two-leader-labels
    LeaderDisagreement,   // leader-disagreement  (subject: what disagrees)
    FailsafeActive,       // failsafe-active: never derived; the objects show that failsafe mode is set up, not that a primary lives by it
    Paused,               // paused
    RequestPending,       // request-pending
    StandbySourceUnknown, // standby-source-unknown
    LockUnverified,       // lock-unverified: a note, not a degradation
};
std::string_view code(HealthReason r);

struct Reason
{
    HealthReason code{};
    std::string subject{};
    std::optional<std::uint64_t> amount{};
    bool operator==(const Reason &) const = default;
};

struct Verdict
{
    Health health = Health::Unknown;
    std::vector<Reason> reasons; // worst first; notes last
    bool operator==(const Verdict &) const = default;
};

// ---- requests (the failover object) ------------------------------------------------------------------------------------------
enum class RequestKind { Switchover, Failover };
std::string_view code(RequestKind k);
enum class Outcome { Pending, KeptWhilePaused, NotPickedUp, Outage, Done, DoneOther, TakenBack, Erased, Superseded, Cancelled, Refused };
// pending kept-while-paused not-picked-up outage done done-other taken-back erased superseded cancelled refused
std::string_view code(Outcome o);
bool isFinal(Outcome o);
enum class Refusal { Stale, NoOffset, LeaderMismatch, AlreadyLeader, PausedNeedsCandidate, NotSyncStandby, NoHealthyCandidate, Unknown };
// stale no-offset leader-mismatch already-leader paused-needs-candidate not-sync-standby no-healthy-candidate unknown
std::string_view code(Refusal r);
enum class RequestStep { Scheduled, Due, SteppingDown, Leaderless, Promoted, Decided };
std::string_view code(RequestStep s); // scheduled due stepping-down leaderless promoted decided

// One request and its fate, from object changes alone. All Boot times are when we saw it.
struct RequestReport
{
    std::string id; // object uid + resourceVersion of the write
    FailoverRequest request;
    RequestKind kind{};
    Outcome outcome = Outcome::Pending;
    std::optional<Refusal> reason; // refused only; held back: what it would be
    bool certain = true;           // false: a relist or a silence hides when or in which order it happened
    bool heldBack = false;         // cleared for no reason that a rule explains, and may still be carried out: pending for two renewals
    bool invisible = false;        // Patroni cannot see it: an object of the other kind, or without the label that it looks for
    RequestStep step = RequestStep::Due;
    std::optional<std::string> leaderBefore, newLeader;
    std::optional<std::int64_t> timelineBefore, newTimeline;
    std::optional<Boot> seenAt, dueAt, releasedAt, takenAt, promotedAt, decidedAt;
    bool writtenBefore = false;                                 // it was there when we first looked: seenAt is not when it was written
    std::optional<Instant> seenWall, releasedWall, decidedWall; // our wall clock at that moment
    int streaming = 0, replicas = 0;                            // replicas that stream on the new timeline, of how many
    bool operator==(const RequestReport &) const = default;
};

// ---- transitions of leadership -----------------------------------------------------------------------------------------------
enum class TransitionKind { Bootstrap, Switchover, ScheduledSwitchover, Failover, LockExpired, LockReleased, ReTaken, Unknown };
std::string_view code(TransitionKind k); // bootstrap switchover scheduled-switchover failover lock-expired lock-released re-taken unknown

// Where what one cell of a transition says comes from. Inferred: computed from other cells (a name from the entry before, ...).
enum class Source { None, History, Live, Archive, Inferred };
std::string_view code(Source s); // "" history live archive inferred

enum class EvidenceCode {
    Requested,           // requested: a matching request was pending (subject: its id)
    Released,            // released: the record was cleared by its holder
    Expired,             // expired: no renewal for the ttl (detail: seconds)
    LateBefore,          // late-before: renewals were late before it (detail: longest interval in seconds)
    MemberState,         // member-state: what the old leader's status said last (subject: member, detail: state)
    PodGone,             // pod-gone: the old leader's Pod was deleted (subject: member)
    PodNotReady,         // pod-not-ready
    PodFailed,           // pod-failed: phase or reason of the Pod: Evicted, NodeLost ... (detail)
    ContainerTerminated, // container-terminated: lastState.terminated of a container (detail: reason and exit code: OOMKilled 137)
    ContainerRestarted,  // container-restarted: restartCount grew (detail: from and to)
    ClusterEvent,        // cluster-event: a core/v1 Event of the Pod or the elector (detail: reason, message)
    ManyLate,            // many-late: other clusters of the same API server were late at the same time (detail: how many)
    BlindSpot,           // blind-spot: we did not look (detail: from and to)
    Paused,              // paused
    FailsafeMode,        // failsafe-mode: the mode was on
    NotPermitted,        // not-permitted: Events of Pods may not be read: their absence says nothing
};
std::string_view code(EvidenceCode c);

struct Evidence
{
    EvidenceCode code{};
    std::string subject{}, detail{};
    std::optional<Instant> at{}; // whose clock: the API server's for Events and for what a Pod's status dates, else ours
    bool operator==(const Evidence &) const = default;
};

struct Transition
{
    TransitionKind kind = TransitionKind::Unknown;
    std::optional<std::string> from, to;  // nullopt: not recorded
    std::optional<std::int64_t> timeline; // the timeline that began; nullopt: none seen
    std::optional<Lsn> lsn;               // where the previous timeline ended
    // Wall clock of our observation, or the history's own time. lostAt of an expired lock: the last renewal that was seen.
    std::optional<Instant> lostAt, gainedAt;
    std::optional<Duration> gap;                // leaderless time, when both ends were seen
    std::optional<Instant> notBefore, notAfter; // when it happened while we did not look
    bool fromHistory = false, fromLive = false;

    std::string id{};                             // the same for all observers: cluster, and the lock's record or the timeline that began
    std::optional<std::int64_t> timelineBefore{}; // the one that ended
    std::optional<Duration> gapUncertainty{};     // the gap may be shorter or longer by this: loop_wait of who looks, delay of the watch
    std::optional<Instant> writableAt{};          // the new leader was first seen as a running primary
    std::optional<Instant> streamingAt{};         // every replica that stayed was seen to stream on the new timeline
    std::vector<std::string> leftBehind{};        // replicas seen on an older timeline since; empty once they follow
    std::string request{};                        // RequestReport::id of what asked for it; empty: nothing seen
    std::optional<FailoverRequest> erased{};      // a pending schedule that it took away
    Source fromSource = Source::None, toSource = Source::None, timelineSource = Source::None, lsnSource = Source::None,
           lostSource = Source::None, gainedSource = Source::None, kindSource = Source::None;
    std::vector<Evidence> evidence{}; // what the kind rests on, and what else was seen about then
    bool fromArchive = false;         // kept from earlier; the history no longer tells of it
    bool operator==(const Transition &) const = default;
};

// One of the last changes of the four objects that were not mere renewals, for diffs and for the raw view.
struct Snapshot
{
    std::string object, resourceVersion;
    Boot seen{};
    std::map<std::string, std::string> annotations;
    bool operator==(const Snapshot &) const = default;
};

struct RenewSample
{
    Boot at{};
    Duration interval{}; // since the previous renewal we saw; samples across a gap in our view are left out
    bool operator==(const RenewSample &) const = default;
};

struct Cluster
{
    ClusterNames names;
    ViewState view;
    std::optional<LeaderRecord> leader; // nullopt: no such object
    std::optional<ConfigRecord> config;
    std::optional<FailoverRequest> failover;
    std::optional<SyncState> sync;
    LockView lock;
    std::optional<std::string> leaderName; // who leads: holder of a held or unverified lock; else nullopt
    std::optional<Boot> leaderSince;       // when we saw this holder take the lock; nullopt: before we looked (use acquireTime)
    std::optional<std::int64_t> timeline;
    std::optional<std::string> systemId;
    std::vector<Member> members; // leader first, then by name
    Verdict health;
    std::vector<RequestReport> requests;                   // oldest first; the pending one, if any, is last
    std::vector<Transition> transitions;                   // ordered log
    std::vector<Snapshot> snapshots;                       // newest last, at most 20
    std::vector<RenewSample> renewals;                     // newest last, bounded
    std::map<std::string, KubeObject> objects;             // the present ones: "leader" "config" "failover" "sync"
    std::map<std::string, std::string> foreignLocks;       // as above, where another cluster's lock has that name: who holds it, or ""
    bool failoverUnseen = false;                           // the failover object lacks the label by which Patroni looks for it
    std::map<std::string, std::string> commonMemberLabels; // labels that all member Pods carry with equal values; empty without Pods
    std::optional<Boot> lastChange;                        // last non-renewal change or event
    std::optional<std::uint64_t> worstLag() const;
    int membersUp() const;
    const RequestReport *pendingRequest() const;
    // The failover object as Patroni knows it; nullptr: it knows of none.
    const FailoverRequest *seenFailover() const { return failover && !failoverUnseen ? &*failover : nullptr; }
    bool standby() const { return config && config->config.standbyCluster; }
    bool operator==(const Cluster &) const = default;
};

// Why nothing may be written on what is seen of a cluster, the first that applies.
enum class WriteBar { Stale, Forbidden, Connecting, LockStale };
// The one place that says whether a view is good enough to write upon. nullopt: it is.
std::optional<WriteBar> writeBar(const Cluster &cluster);

} // namespace switchyard::patroni
