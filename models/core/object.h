// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One Kubernetes object, reduced to what Switchyard reads. Built whole by decodeObject; the JSON is dropped.
#include "models/core/boxed.h"
#include "models/core/error.h"
#include "models/core/time.h"

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard {

enum class Resource { Endpoints, ConfigMaps, Pods, Leases, Events, Nodes };
std::string_view code(Resource r); // "endpoints" "configmaps" "pods" "leases" "events" "nodes"
std::optional<Resource> resourceFromCode(std::string_view text);

struct OwnerReference
{
    std::string kind, name, uid;
    bool operator==(const OwnerReference &) const = default;
};

struct EndpointAddress
{
    std::string ip;
    std::optional<std::string> podName; // targetRef, when it names a Pod
    bool operator==(const EndpointAddress &) const = default;
};

struct ContainerFacts
{
    std::string name;
    std::optional<int> restarts;
    std::optional<bool> running;                 // state.running is there
    std::optional<std::string> waiting;          // reason of state.waiting
    std::optional<std::string> terminatedReason; // of state.terminated, else of lastState.terminated: OOMKilled, Error ...
    std::optional<int> exitCode;
    std::optional<Instant> terminatedAt; // finishedAt
    bool operator==(const ContainerFacts &) const = default;
};

struct PodCondition
{
    std::string type, status; // Ready, ContainersReady, DisruptionTarget ...; True False Unknown
    std::optional<std::string> reason;
    std::optional<Instant> since; // lastTransitionTime
    bool operator==(const PodCondition &) const = default;
};

// A core/v1 Event: what a component says happened to an object.
struct EventFacts
{
    std::string involvedKind, involvedName, involvedUid;
    std::string reason, message, type;      // type: Normal, Warning
    std::string source;                     // reportingComponent, else source.component
    std::optional<int> count;               // nullopt: not told
    std::optional<Instant> firstAt, lastAt; // eventTime where there are no others
    bool operator==(const EventFacts &) const = default;
};

struct PodFacts
{
    std::optional<std::string> phase, reason, nodeName, podIp;
    std::optional<bool> ready;             // Ready condition
    std::optional<int> restarts;           // sum over containers
    std::optional<std::string> notRunning; // reason of the first container that waits or has terminated, e.g. CrashLoopBackOff
    std::vector<ContainerFacts> containers{};
    std::vector<PodCondition> conditions{};
    bool operator==(const PodFacts &) const = default;
};

// spec of a Lease. A missing, null or mistyped field is nullopt.
struct LeaseFacts
{
    std::optional<std::string> holder; // "": released
    std::optional<std::int64_t> durationSeconds, transitions;
    std::optional<Instant> acquireTime, renewTime; // microseconds
    std::optional<std::string> strategy, preferredHolder;
    std::string raw; // spec as it came: equal texts are equal records
    bool operator==(const LeaseFacts &) const = default;
};

struct KubeObject
{
    Resource resource{};
    std::string ns, name, uid;
    std::string resourceVersion; // opaque text; compareVersions() below
    std::optional<Instant> createdAt, deletedAt;
    std::map<std::string, std::string> labels, annotations;
    std::vector<OwnerReference> owners;
    std::optional<std::vector<EndpointAddress>> addresses; // Endpoints with a `subsets` field; nullopt: no such field
    Boxed<PodFacts> pod{};                                 // Pods only
    Boxed<EventFacts> event{};                             // Events only
    Boxed<LeaseFacts> lease{};                             // Leases only
    std::optional<bool> nodeReady{};                       // Nodes only: the Ready condition; Unknown (a silent kubelet) is not ready
    bool hasData = false;     // ConfigMaps: `data` or `binaryData` is not empty; read by metadata alone: as far as its managed fields tell
    bool dataUnknown = false; // ConfigMaps read by metadata alone that do not say who manages which fields: nothing tells of data
    bool operator==(const KubeObject &) const = default;
};

// Integer order where both are integers, else nullopt (order by arrival).
std::optional<std::strong_ordering> compareVersions(std::string_view a, std::string_view b);

struct ObjectList
{
    std::string resourceVersion;
    std::string continueToken; // empty: last page
    std::vector<KubeObject> items;
    std::vector<Error> undecodable; // items that were skipped, each named
};

enum class EventType { Added, Modified, Deleted, Bookmark, Failed };
struct WatchEvent
{
    EventType type{};
    KubeObject object{};          // Bookmark: only resourceVersion
    std::optional<Error> error{}; // Failed: the Status, with kind Gone for expired versions
};

// JSON text as sent by the API server. Never throw; a wrong type in one field makes that field absent.
Result<KubeObject> decodeObject(Resource resource, std::string_view json);
Result<ObjectList> decodeList(Resource resource, std::string_view json);
Result<WatchEvent> decodeWatchEvent(Resource resource, std::string_view json);
// A Status body of an error response. nullopt: not a Kubernetes Status ("no Kubernetes API here").
std::optional<Error> decodeStatus(std::string_view json);

} // namespace switchyard
