// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/object_read.h"

#include "models/core/json_reader.h"
#include "models/core/utf8.h"

#include <climits>
#include <set>

namespace switchyard {

namespace {

using json::Once;
using json::Reader;

std::optional<std::string> nonEmpty(std::optional<std::string> text)
{
    return text && !text->empty() ? std::move(text) : std::nullopt;
}

std::optional<Instant> instant(const std::optional<std::string> &text)
{
    return text ? parseInstant(*text) : std::nullopt;
}

std::map<std::string, std::string> textMap(Reader &reader)
{
    std::map<std::string, std::string> result;
    std::set<std::string, std::less<>> others; // keys whose value is no text
    reader.object([&](std::string_view key) {
        auto value = reader.string();
        const bool first = value ? !others.contains(key) && result.emplace(key, std::move(*value)).second
                                 : !result.contains(std::string(key)) && others.emplace(key).second;
        if (!first)
            reader.fail();
    });
    return result;
}

std::vector<OwnerReference> owners(Reader &reader)
{
    std::vector<OwnerReference> result;
    reader.array([&] {
        OwnerReference owner;
        Once once;
        const bool isObject = reader.object([&](std::string_view key) {
            switch (once.place(reader, key, {"kind", "name", "uid"})) {
            case 0: owner.kind = reader.string().value_or(""); break;
            case 1: owner.name = reader.string().value_or(""); break;
            case 2: owner.uid = reader.string().value_or(""); break;
            default: reader.skip();
            }
        });
        if (isObject)
            result.push_back(std::move(owner));
    });
    return result;
}

// Who manages which fields: read by its metadata alone, a ConfigMap tells here that it has data. An entry f:KEY under f:data is one.
struct Managed
{
    bool told = false, data = false; // who manages which fields is told; somebody manages data
};

Managed managed(Reader &reader)
{
    bool manages = false, told = false;
    const auto entry = [&](std::string_view key) {
        manages = manages || key.starts_with("f:");
        reader.skip();
    };
    const auto fields = [&] {
        Once once;
        const bool isObject = reader.object([&](std::string_view key) {
            if (once.place(reader, key, {"f:data", "f:binaryData"}) >= 0)
                reader.object(entry);
            else
                reader.skip();
        });
        told = told || isObject;
    };
    reader.array([&] {
        Once once;
        reader.object([&](std::string_view key) {
            if (once.place(reader, key, {"fieldsV1"}) == 0)
                fields();
            else
                reader.skip();
        });
    });
    return {told, manages};
}

void readManagers(Reader &reader, KubeObject &into)
{
    if (into.resource != Resource::ConfigMaps) {
        reader.skip();
        return;
    }
    const Managed fields = managed(reader);
    into.hasData = into.hasData || fields.data;
    into.dataUnknown = into.dataUnknown && !fields.told;
}

void readMetadata(Reader &reader, KubeObject &into)
{
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key,
                           {"name", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "labels",
                            "annotations", "ownerReferences", "managedFields"})) {
        case 0: into.name = reader.string().value_or(""); break;
        case 1: into.ns = reader.string().value_or(""); break;
        case 2: into.uid = reader.string().value_or(""); break;
        case 3: into.resourceVersion = reader.string().value_or(""); break;
        case 4: into.createdAt = instant(reader.string()); break;
        case 5: into.deletedAt = instant(reader.string()); break;
        case 6: into.labels = textMap(reader); break;
        case 7: into.annotations = textMap(reader); break;
        case 8: into.owners = owners(reader); break;
        case 9: readManagers(reader, into); break;
        default: reader.skip();
        }
    });
}

// The name in a targetRef that names a Pod.
std::optional<std::string> podName(Reader &reader)
{
    std::optional<std::string> kind, name;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"kind", "name"})) {
        case 0: kind = reader.string(); break;
        case 1: name = nonEmpty(reader.string()); break;
        default: reader.skip();
        }
    });
    return kind == "Pod" ? name : std::nullopt;
}

void readAddress(Reader &reader, std::vector<EndpointAddress> &into)
{
    std::optional<std::string> ip, pod;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"ip", "targetRef"})) {
        case 0: ip = nonEmpty(reader.string()); break;
        case 1: pod = podName(reader); break;
        default: reader.skip();
        }
    });
    if (ip)
        into.push_back({std::move(*ip), std::move(pod)});
}

std::optional<std::vector<EndpointAddress>> addresses(Reader &reader)
{
    std::vector<EndpointAddress> result;
    const bool isArray = reader.array([&] {
        Once once;
        reader.object([&](std::string_view key) {
            if (once.place(reader, key, {"addresses"}) == 0)
                reader.array([&] { readAddress(reader, result); });
            else
                reader.skip();
        });
    });
    return isArray ? std::optional(std::move(result)) : std::nullopt;
}

void readCondition(Reader &reader, PodFacts &facts)
{
    PodCondition condition;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"type", "status", "reason", "lastTransitionTime"})) {
        case 0: condition.type = reader.string().value_or(""); break;
        case 1: condition.status = reader.string().value_or(""); break;
        case 2: condition.reason = nonEmpty(reader.string()); break;
        case 3: condition.since = instant(reader.string()); break;
        default: reader.skip();
        }
    });
    if (!facts.ready && condition.type == "Ready" && (condition.status == "True" || condition.status == "False"))
        facts.ready = condition.status == "True";
    if (!condition.type.empty())
        facts.conditions.push_back(std::move(condition));
}

std::optional<int> smallNumber(const std::optional<std::int64_t> &number)
{
    return number && *number >= INT_MIN && *number <= INT_MAX ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// The reason in the detail of a state; the state's own name where it gives none; nullopt: not in this state.
std::optional<std::string> reasonOf(Reader &reader, const char *state)
{
    std::optional<std::string> reason;
    Once once;
    const bool isObject = reader.object([&](std::string_view key) {
        if (once.place(reader, key, {"reason"}) == 0)
            reason = nonEmpty(reader.string());
        else
            reader.skip();
    });
    return isObject ? std::optional(std::move(reason).value_or(state)) : std::nullopt;
}

struct Terminated
{
    std::string reason;
    std::optional<int> exitCode;
    std::optional<Instant> at;
};

std::optional<Terminated> terminated(Reader &reader)
{
    std::optional<std::string> reason;
    Terminated end;
    Once once;
    const bool isObject = reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"reason", "exitCode", "finishedAt"})) {
        case 0: reason = nonEmpty(reader.string()); break;
        case 1: end.exitCode = smallNumber(reader.integer()); break;
        case 2: end.at = instant(reader.string()); break;
        default: reader.skip();
        }
    });
    if (!isObject)
        return {};
    end.reason = std::move(reason).value_or("terminated");
    return end;
}

struct ContainerState
{
    bool running = false;
    std::optional<std::string> waiting;
    std::optional<Terminated> terminated;
};

ContainerState containerState(Reader &reader)
{
    ContainerState state;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"waiting", "terminated", "running"})) {
        case 0: state.waiting = reasonOf(reader, "waiting"); break;
        case 1: state.terminated = terminated(reader); break;
        case 2: state.running = reader.object([&](std::string_view) { reader.skip(); }); break;
        default: reader.skip();
        }
    });
    return state;
}

// A container that was started again tells in lastState how it ended.
void fill(ContainerFacts &container, ContainerState now, ContainerState last)
{
    if (now.running || now.waiting || now.terminated)
        container.running = now.running;
    container.waiting = std::move(now.waiting);
    if (auto end = now.terminated ? std::move(now.terminated) : std::move(last.terminated)) {
        container.terminatedReason = std::move(end->reason);
        container.exitCode = end->exitCode;
        container.terminatedAt = end->at;
    }
}

void readContainer(Reader &reader, PodFacts &facts)
{
    ContainerFacts container;
    std::optional<std::int64_t> count;
    ContainerState now, last;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"restartCount", "state", "lastState", "name"})) {
        case 0: count = reader.integer(); break;
        case 1: now = containerState(reader); break;
        case 2: last = containerState(reader); break;
        case 3: container.name = reader.string().value_or(""); break;
        default: reader.skip();
        }
    });
    if (count && *count >= 0 && *count <= INT_MAX - facts.restarts.value_or(0))
        facts.restarts = facts.restarts.value_or(0) + static_cast<int>(*count);
    if (!facts.notRunning && (now.waiting || now.terminated))
        facts.notRunning = now.waiting ? *now.waiting : now.terminated->reason;
    if (container.name.empty())
        return;
    if (count && *count >= 0)
        container.restarts = smallNumber(count);
    fill(container, std::move(now), std::move(last));
    facts.containers.push_back(std::move(container));
}

void readPodStatus(Reader &reader, PodFacts &facts)
{
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"phase", "reason", "podIP", "conditions", "containerStatuses"})) {
        case 0: facts.phase = nonEmpty(reader.string()); break;
        case 1: facts.reason = nonEmpty(reader.string()); break;
        case 2: facts.podIp = nonEmpty(reader.string()); break;
        case 3: reader.array([&] { readCondition(reader, facts); }); break;
        case 4: reader.array([&] { readContainer(reader, facts); }); break;
        default: reader.skip();
        }
    });
}

void readPodSpec(Reader &reader, PodFacts &facts)
{
    Once once;
    reader.object([&](std::string_view key) {
        if (once.place(reader, key, {"nodeName"}) == 0)
            facts.nodeName = nonEmpty(reader.string());
        else
            reader.skip();
    });
}

void readInvolved(Reader &reader, EventFacts &facts)
{
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"kind", "name", "uid"})) {
        case 0: facts.involvedKind = reader.string().value_or(""); break;
        case 1: facts.involvedName = reader.string().value_or(""); break;
        case 2: facts.involvedUid = reader.string().value_or(""); break;
        default: reader.skip();
        }
    });
}

// What is said in one way or another, until the whole of it is known.
struct EventParts
{
    EventFacts facts;
    std::optional<std::string> reporting, component;
    std::optional<std::int64_t> count, seriesCount;
    std::optional<Instant> at, seriesAt;
    Once once, seriesOnce;
};

void readSeries(Reader &reader, EventParts &parts)
{
    reader.object([&](std::string_view key) {
        switch (parts.seriesOnce.place(reader, key, {"count", "lastObservedTime"})) {
        case 0: parts.seriesCount = reader.integer(); break;
        case 1: parts.seriesAt = instant(reader.string()); break;
        default: reader.skip();
        }
    });
}

void readComponent(Reader &reader, EventParts &parts)
{
    Once once;
    reader.object([&](std::string_view key) {
        if (once.place(reader, key, {"component"}) == 0)
            parts.component = nonEmpty(reader.string());
        else
            reader.skip();
    });
}

void readEventMember(Reader &reader, std::string_view key, EventParts &parts)
{
    switch (parts.once.place(reader, key,
                             {"involvedObject", "reason", "message", "type", "source", "reportingComponent", "count", "firstTimestamp",
                              "lastTimestamp", "eventTime", "series"})) {
    case 0: readInvolved(reader, parts.facts); break;
    case 1: parts.facts.reason = reader.string().value_or(""); break;
    case 2: parts.facts.message = reader.string().value_or(""); break;
    case 3: parts.facts.type = reader.string().value_or(""); break;
    case 4: readComponent(reader, parts); break;
    case 5: parts.reporting = nonEmpty(reader.string()); break;
    case 6: parts.count = reader.integer(); break;
    case 7: parts.facts.firstAt = instant(reader.string()); break;
    case 8: parts.facts.lastAt = instant(reader.string()); break;
    case 9: parts.at = instant(reader.string()); break;
    case 10: readSeries(reader, parts); break;
    default: reader.skip();
    }
}

EventFacts whole(EventParts parts)
{
    EventFacts facts = std::move(parts.facts);
    facts.source = (parts.reporting ? std::move(parts.reporting) : std::move(parts.component)).value_or("");
    const auto count = parts.count ? parts.count : parts.seriesCount;
    facts.count = count && *count >= 0 ? smallNumber(count) : std::nullopt;
    if (!facts.firstAt)
        facts.firstAt = parts.at;
    if (!facts.lastAt)
        facts.lastAt = parts.seriesAt ? parts.seriesAt : facts.firstAt;
    return facts;
}

// The hot path: a thousand Leases may be renewed every other second.
std::optional<LeaseFacts> readLease(Reader &reader)
{
    LeaseFacts facts;
    Once once;
    const std::size_t begin = reader.mark();
    const bool isObject = reader.object([&](std::string_view key) {
        switch (once.place(
            reader, key,
            {"renewTime", "holderIdentity", "leaseDurationSeconds", "leaseTransitions", "acquireTime", "strategy", "preferredHolder"})) {
        case 0: facts.renewTime = instant(reader.string()); break;
        case 1: facts.holder = reader.string(); break;
        case 2: facts.durationSeconds = reader.integer(); break;
        case 3: facts.transitions = reader.integer(); break;
        case 4: facts.acquireTime = instant(reader.string()); break;
        case 5: facts.strategy = reader.string(); break;
        case 6: facts.preferredHolder = reader.string(); break;
        default: reader.skip();
        }
    });
    if (!isObject)
        return {};
    facts.raw = reader.since(begin);
    if (!isUtf8(facts.raw))
        reader.fail();
    return facts;
}

// Not empty: an object with any member.
bool hasMembers(Reader &reader)
{
    bool any = false;
    reader.object([&](std::string_view) {
        any = true;
        reader.skip();
    });
    return any;
}

// Of a Node whose kubelet is silent the condition is Unknown: not ready.
std::optional<bool> isReady(const PodFacts &facts)
{
    for (const PodCondition &condition : facts.conditions) {
        if (condition.type == "Ready" && !condition.status.empty())
            return condition.status == "True";
    }
    return {};
}

void readNodeStatus(Reader &reader, std::optional<bool> &ready)
{
    PodFacts facts; // conditions of a Node look as those of a Pod
    Once once;
    reader.object([&](std::string_view key) {
        if (once.place(reader, key, {"conditions"}) == 0)
            reader.array([&] { readCondition(reader, facts); });
        else
            reader.skip();
    });
    ready = isReady(facts);
}

void readSpec(Reader &reader, KubeObject &object)
{
    if (object.pod)
        readPodSpec(reader, *object.pod);
    else if (object.resource == Resource::Leases)
        object.lease = readLease(reader);
    else
        reader.skip();
}

void readStatus(Reader &reader, KubeObject &object)
{
    if (object.pod)
        readPodStatus(reader, *object.pod);
    else if (object.resource == Resource::Nodes)
        readNodeStatus(reader, object.nodeReady);
    else
        reader.skip();
}

void readData(Reader &reader, KubeObject &object)
{
    if (object.resource != Resource::ConfigMaps) {
        reader.skip();
        return;
    }
    const char opens = reader.peek();
    object.dataUnknown = object.dataUnknown && opens != '{';
    if (hasMembers(reader))
        object.hasData = true;
}

// Takes one value. False: it is no ordinary object of this resource.
bool readInto(Reader &reader, Resource resource, KubeObject &object)
{
    object.resource = resource;
    object.dataUnknown = resource == Resource::ConfigMaps; // until something tells
    if (resource == Resource::Pods)
        object.pod.emplace();
    std::optional<EventParts> event;
    if (resource == Resource::Events)
        event.emplace();
    std::optional<std::string> kind;
    Once once;
    const bool isObject = reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"kind", "metadata", "subsets", "spec", "status", "data", "binaryData"})) {
        case 0: kind = reader.string(); break;
        case 1: readMetadata(reader, object); break;
        case 2: resource == Resource::Endpoints ? void(object.addresses = addresses(reader)) : void(reader.skip()); break;
        case 3: readSpec(reader, object); break;
        case 4: readStatus(reader, object); break;
        case 5:
        case 6: readData(reader, object); break;
        default: event ? readEventMember(reader, key, *event) : void(reader.skip());
        }
    });
    if (event)
        object.event = whole(std::move(*event));
    object.dataUnknown = object.dataUnknown && kind != kindOf(resource);
    return isObject && reader.ok() && (!kind || isKind(resource, *kind)) && !object.name.empty();
}

void readListMetadata(Reader &reader, ObjectList &list)
{
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"resourceVersion", "continue"})) {
        case 0: list.resourceVersion = reader.string().value_or(""); break;
        case 1: list.continueToken = reader.string().value_or(""); break;
        default: reader.skip();
        }
    });
}

void readItems(Reader &reader, Resource resource, ReadList &into)
{
    std::size_t index = 0;
    reader.array([&] {
        reader.peek();
        Reader before = reader;
        KubeObject object;
        if (readInto(reader, resource, object))
            into.list.items.push_back(std::move(object));
        else if (reader.ok())
            into.outOfOrdinary.emplace_back(index, before.skip());
        ++index;
    });
}

} // namespace

std::string_view kindOf(Resource resource)
{
    switch (resource) {
    case Resource::Endpoints: return "Endpoints";
    case Resource::ConfigMaps: return "ConfigMap";
    case Resource::Pods: return "Pod";
    case Resource::Leases: return "Lease";
    case Resource::Events: return "Event";
    case Resource::Nodes: return "Node";
    }
    return {};
}

bool isKind(Resource resource, std::string_view kind)
{
    return kind == kindOf(resource) || kind == "PartialObjectMetadata";
}

bool isListKind(Resource resource, std::string_view kind)
{
    const std::string_view own = kindOf(resource);
    return kind == "List" || kind == "PartialObjectMetadataList"
        || (kind.size() == own.size() + 4 && kind.starts_with(own) && kind.ends_with("List"));
}

std::optional<EventType> eventTypeOf(std::string_view text)
{
    if (text == "ADDED")
        return EventType::Added;
    if (text == "MODIFIED")
        return EventType::Modified;
    if (text == "DELETED")
        return EventType::Deleted;
    if (text == "BOOKMARK")
        return EventType::Bookmark;
    if (text == "ERROR")
        return EventType::Failed;
    return {};
}

std::optional<KubeObject> readObject(Resource resource, std::string_view text)
{
    Reader reader(text);
    KubeObject object;
    return readInto(reader, resource, object) && reader.atEnd() ? std::optional(std::move(object)) : std::nullopt;
}

std::optional<WatchEvent> readWatchEvent(Resource resource, std::string_view text)
{
    Reader reader(text);
    WatchEvent event;
    std::optional<EventType> type;
    bool ordinary = false;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"type", "object"})) {
        case 0: type = eventTypeOf(reader.string().value_or("")); break;
        case 1: ordinary = readInto(reader, resource, event.object); break;
        default: reader.skip();
        }
    });
    const bool ofObject = type == EventType::Added || type == EventType::Modified || type == EventType::Deleted;
    if (!ofObject || !ordinary || !reader.ok() || !reader.atEnd())
        return {};
    event.type = *type;
    return event;
}

std::optional<ReadList> readList(Resource resource, std::string_view text)
{
    Reader reader(text);
    ReadList result;
    std::optional<std::string> kind;
    bool hasItems = false;
    Once once;
    reader.object([&](std::string_view key) {
        switch (once.place(reader, key, {"kind", "metadata", "items"})) {
        case 0: kind = reader.string(); break;
        case 1: readListMetadata(reader, result.list); break;
        case 2:
            hasItems = reader.peek() == '[';
            readItems(reader, resource, result);
            break;
        default: reader.skip();
        }
    });
    const bool good = reader.ok() && reader.atEnd() && hasItems && (!kind || isListKind(resource, *kind));
    return good ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace switchyard
