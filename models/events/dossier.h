// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All that is known of one transition, in one value: what it changed, in which order things happened and by whose clock, who asked for it,
// why it likely happened and how sure that is. Pure; codes here, words where it is rendered. No credential of the configuration is in it.
#include "models/events/event.h"

namespace switchyard {

enum class WhoseClock {
    Ours,      // we saw it then
    Member,    // by the clock of a member
    ApiServer, // Kubernetes' own: of Events and of what a Pod's status says
    Schedule,  // as it was asked for
    Inferred,  // nobody's: computed
};
std::string_view code(WhoseClock c); // ours member api-server schedule inferred

enum class MomentKind {
    LastRenewal,     // of a lock that expired: the last one that was seen, or about when it must have been
    LockLost,        // released
    LockGained,      // we saw the new leader's record
    LockTaken,       // the same by the new leader's own clock
    TimelineBegan,   // by the history, that is the promoted member's clock
    Writable,        // the new leader seen as a running primary
    Streaming,       // every replica that stayed streams again
    RequestSeen,     // the request was seen in its object
    RequestDue,      // its own time
    RequestReleased, // the leader let go for it
    RequestPromoted, // the candidate was promoted
    RequestDecided,  // its fate is known
    WriteIntended,   // from the audit trail: about to be sent
    WriteAnswered,   // the API server's answer
    Happened,        // an event
    Told,            // an evidence with a time
    Noted,           // a person's note
};
std::string_view code(MomentKind k);

struct DossierMoment
{
    Instant at{};
    WhoseClock clock = WhoseClock::Ours;
    MomentKind kind{};
    std::string member{}; // whose clock it is, where it is a member's
    std::string detail{};
    std::optional<Instant> notBefore{};          // seen only after a gap in our view
    std::optional<Event> event{};                // Happened
    std::optional<patroni::Evidence> evidence{}; // Told
    bool operator==(const DossierMoment &) const = default;
};

enum class CauseCode {
    Requested,     // requested: somebody asked for a switchover or failover
    Scheduled,     // scheduled: a switchover that was to happen at this time
    OutOfMemory,   // out-of-memory: the old leader's container was killed for its memory
    ContainerDied, // container-died: it ended or was restarted (detail)
    PodFailed,     // pod-failed: evicted, node lost ... (detail)
    PodDeleted,    // pod-deleted
    ApiServer,     // api-server: many clusters were late at once
    LeaderUnwell,  // leader-unwell: its own status or readiness said so (detail)
    LetGo,         // let-go: it released the lock itself: an orderly stop, a restart or a demotion
    FellSilent,    // fell-silent: it stopped renewing, and nothing seen says why
    FirstLeader,   // first-leader: the cluster was made
    ReTaken,       // re-taken: the same member took its lock again
    NotWatched,    // not-watched: it happened while nobody looked
    NotKnown,      // not-known
};
std::string_view code(CauseCode c);

enum class Certainty { Certain, Likely, Possible, None };
std::string_view code(Certainty c); // certain likely possible none

struct Cause
{
    CauseCode code = CauseCode::NotKnown;
    Certainty certainty = Certainty::None;
    std::string subject{}, detail{};
    std::vector<patroni::Evidence> evidence{}; // what it rests on, strongest first
    bool blindSpot = false;                    // part of the time nobody looked
    bool mayNotSeeEvents = false;              // what Kubernetes says of the Pods may not be read
    bool operator==(const Cause &) const = default;
};

// Seen after somebody else led already: told, but no cause. Clocks of nodes and of the API server may be some seconds off. What a node
// controller says of a lost node comes late by nature.
bool cameAfter(const patroni::Evidence &evidence, const patroni::Transition &transition);
// When that happened which it tells of. An expiry's evidence holds the last renewal: the lock was held for its ttl after that.
std::optional<Instant> happenedAt(const patroni::Evidence &evidence);

// Its lock was not let go: lostAt is the last renewal then, and the gap counts from that, though the lock was held for its ttl.
bool ranOut(const patroni::Transition &transition);
// Nobody saw when it was lost; lostAt is only about when.
bool isLossInferred(const patroni::Transition &transition);

struct FieldChange
{
    std::string field;                        // "leader", "config.postgresql.parameters.max_connections", "history.8"
    std::optional<std::string> before, after; // nullopt: not there
    bool hidden = false;                      // a secret: that it changed is all that is told
    bool operator==(const FieldChange &) const = default;
};

// One of the four objects before and after; what every renewal changes is left out.
struct ObjectDiff
{
    std::string role; // leader config failover sync
    std::string object;
    std::string versionBefore, versionAfter;      // empty: not known
    std::optional<Instant> seenBefore, seenAfter; // nullopt: that state was not seen
    std::vector<FieldChange> changes;             // empty with both seen: nothing changed
    bool bothSeen() const { return seenBefore && seenAfter; }
    bool operator==(const ObjectDiff &) const = default;
};

// Of the audit trail: who asked for it from here.
struct DossierAudit
{
    std::string osUser, kubeUser, asUser, context, server, action, summary, preflight, body, result, outcome;
    std::optional<Instant> at, answeredAt;
    bool operator==(const DossierAudit &) const = default;
};

struct DossierNote
{
    std::optional<Instant> at;
    std::string author, text;
    bool operator==(const DossierNote &) const = default;
};

struct SeenObject
{
    Instant seen{};
    patroni::Snapshot snapshot;
};

struct DossierInput
{
    const patroni::Cluster *cluster = nullptr;
    const patroni::Transition *transition = nullptr;
    std::vector<Event> events{};       // any; those of other clusters and other times are left out
    std::vector<SeenObject> objects{}; // beside the cluster's own snapshots: from an archive
    std::vector<DossierAudit> audit{}; // any; the one that belongs to it is found
    std::vector<DossierNote> notes{};
    Now now{};
};

struct Dossier
{
    patroni::ClusterNames names;
    std::optional<std::string> systemId;
    patroni::Transition transition;
    Cause cause;
    std::vector<ObjectDiff> objects; // leader config failover sync
    std::vector<DossierMoment> sequence;
    std::optional<patroni::RequestReport> request;
    std::optional<DossierAudit> audit;
    std::vector<DossierNote> notes;
    Instant madeAt{};
    bool operator==(const Dossier &) const = default;
};

Dossier makeDossier(const DossierInput &input);

// Its parts.
Cause likelyCause(const patroni::Transition &transition, const patroni::RequestReport *request);
std::vector<ObjectDiff> objectDiffs(const DossierInput &input);
std::vector<DossierMoment> momentsOf(const Dossier &dossier, const std::vector<Event> &events, Now now);
// From when to when things belong to it; nullopt: its time is not known.
struct DossierSpan
{
    Instant from{}, to{};
};
std::optional<DossierSpan> spanOf(const patroni::Transition &transition, const patroni::RequestReport *request, Now now);
// Between when and when the leader must have stopped renewing; nullopt: the loss is not inferred, or not known how well.
std::optional<DossierSpan> inferredLoss(const patroni::Transition &transition);
// When the lock had been held for its ttl after the last renewal, as far as that is known.
std::optional<Instant> expiryOf(const Dossier &dossier);

} // namespace switchyard
