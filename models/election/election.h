// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One leader election that is not read as a Patroni cluster, as a value: client-go locks (Lease, annotation, both at once), operator-sdk's
// leader for life; and Patroni's own lock in the same shape. Rules: client-go tools/leaderelection (1.12 - 1.31),
// k8s.io/client-go/tools/leaderelection/resourcelock (multilock.go to 0.27), operator-lib leader/leader.go.
// Never written, only read.
#include "models/core/object.h"
#include "models/patroni/cluster.h"

#include <tuple>

namespace switchyard::election {

// The names of client-go's lock types where there are any.
enum class Kind { Leases, Endpoints, ConfigMaps, EndpointsLeases, ConfigMapsLeases, LeaderForLife, Patroni };
std::string_view code(Kind k); // leases endpoints configmaps endpointsleases configmapsleases leader-for-life patroni
std::optional<Kind> kindFromCode(std::string_view text);

enum class State {
    Held,         // the record changed, for certain, within the lease; a leader for life: its Pod is there and runs
    Late,         // still held, but no change for more than a third of the lease beyond its usual rhythm (two thirds, without one)
    Expired,      // no change for longer than the lease, and the record was confirmed to be still the same after that
    Stuck,        // expired by more than the tolerance (20 s): the holder's own health check would fail now. A leader for life: its Pod
                  // has ended (Failed, Succeeded), and as long as the Pod is there nobody else can lead
    Released,     // holderIdentity is empty (or, as for client-go, missing): anybody may take it
    Unverified,   // just listed, or past the lease and not confirmed yet; no duration told: it cannot be judged
    Stale,        // our own connection is the silent one
    Orphaned,     // leader for life, from here: no such Pod; waits for the garbage collector
    Evicted,      // Pod failed, reason Evicted, not being deleted
    Preempted,    // Pod failed, reason Preempting
    Terminating,  // Pod is being deleted
    NodeNotReady, // the Pod's node is not ready
    Recreated,    // a Pod of that name, but of another uid: not the owner
    Invalid,      // a lock that nobody can take or read: 0 or 2 owners, an owner that is no Pod; broken JSON. Never of an object
                  // that was not seen whole
};
std::string_view code(State s); // held late expired stuck released unverified stale orphaned evicted preempted terminating node-not-ready
// recreated invalid
constexpr int stateCount = 14;
bool leads(State s);    // somebody certainly leads by this lock: held, late; terminating and node-not-ready hold it too
bool troubled(State s); // wants the eye: all but held released unverified stale

constexpr Duration defaultTolerance = std::chrono::seconds(20); // client-go leaderelection/healthzadaptor.go, as the core components set it

enum class Family { ClientGo, LeaderForLife, Patroni };

// A Lease and an annotation of the same name and namespace are one election.
struct Key
{
    std::string context, ns, name;
    Family family = Family::ClientGo;
    auto operator<=>(const Key &) const = default;
    bool operator==(const Key &) const = default;
};

// One client-go record as it stands. A missing or null field is nullopt; a field of a wrong type too, with a defect.
struct Record
{
    Resource resource{};               // Leases, Endpoints or ConfigMaps
    std::optional<std::string> holder; // "": released
    std::optional<std::int64_t> durationSeconds, transitions;
    std::optional<Instant> acquireTime, renewTime; // the holder's clock; microseconds in a Lease, whole seconds in an annotation
    std::optional<std::string> strategy, preferredHolder;
    std::string raw; // the annotation's text, or the Lease's spec as JSON: what is compared to see a renewal
    std::vector<patroni::Defect> defects{};
    bool operator==(const Record &) const = default;
};

// The Pod that the holder's identity resolves to.
struct HolderPod
{
    std::string name, uid;
    std::optional<std::string> phase, reason, nodeName;
    std::optional<bool> ready; // nullopt: not told
    bool deleting = false;
    bool byUid = false; // leader for life; else by the identity's name part before "_"
    bool operator==(const HolderPod &) const = default;
};

// A change of the holder, or its end. wall: when seen; notBefore: seen only after a gap in our view.
enum class ChangeKind { FirstSeen, TakenOver, Released, Expired, Retaken, Gone }; // first-seen taken-over released expired retaken gone
std::string_view code(ChangeKind k);
struct HolderChange
{
    ChangeKind kind{};
    std::optional<std::string> from, to;
    Boot at{};
    Instant wall{};
    std::optional<Instant> notBefore;
    std::optional<std::int64_t> transitions; // after it
    std::optional<Duration> gap;             // without a leader, as far as seen
    std::vector<std::string> evidence{}; // "Pod NAME: OOMKilled", "Event LeaderElection: ... became leader": texts of others, never ours
    bool operator==(const HolderChange &) const = default;
};

// One seen change of the record by the same holder.
struct Renewal
{
    Boot at{};
    Instant wall{};
    std::optional<Duration> interval; // since the one before; nullopt: not known (first, or after a gap)
    bool operator==(const Renewal &) const = default;
};

struct Election
{
    Key key;
    Kind kind{};
    State state = State::Unverified;
    std::optional<std::string> holder;    // nullopt: released, nobody, or unknown (records that disagree)
    std::vector<Record> records;          // the authoritative one first: the Lease, where there is one. Leader for life, Patroni: none
    bool disagrees = false;               // two records name different holders, for 5 s: client-go sees leaderelection.k8s.io/unknown
    bool noise = false;                   // a node's heartbeat or an API server's identity: hidden unless asked for
    std::optional<Instant> createdAt;     // of the object; a leader for life has held it since then
    std::optional<std::int64_t> duration; // seconds in force; nullopt: unknown
    std::optional<Instant> acquiredAt, renewedAt; // as recorded, the holder's clock
    std::optional<std::int64_t> transitions;
    std::vector<OwnerReference> owners; // leader for life
    std::optional<HolderPod> pod;
    bool podsReadable = false; // false: that there is no Pod says nothing
    bool dataUnseen = false;   // a ConfigMap read by its metadata alone, which do not tell whether it has data: then it is no lock

    std::optional<Boot> watchedSince; // since when it is looked at, whatever record stood there: over objects that were made anew, too
    std::optional<Boot> firstSeen, changedNotBefore, changedNotAfter, confirmedAt; // as in patroni::LockView, of the record
    std::optional<Boot> expiresAt;     // the latest moment at which it runs out, if nothing changes
    std::optional<Duration> rhythm;    // usual time between renewals: the median of the last ones seen; nullopt: fewer than three
    std::vector<Renewal> renewals;     // bounded (512), oldest first
    std::vector<HolderChange> changes; // seen in this run, bounded (256), oldest first
    std::string raw;                   // the object's records, or owners, as text for people: JSON, indented
    std::vector<patroni::Defect> defects;
    patroni::Freshness freshness = patroni::Freshness::Connecting; // of what it is read from
    std::optional<Boot> lastContact;
    bool operator==(const Election &) const = default;
};

} // namespace switchyard::election
