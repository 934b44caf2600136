// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/object.h"

#include "models/core/json_split.h"
#include "models/core/object_read.h"
#include "models/core/status_decode.h"
#include "models/core/utf8.h"

#include <climits>

namespace switchyard {

namespace {

using json::Json;

Error unreadable(Resource resource, std::string field, std::string message)
{
    Error error;
    error.kind = ErrorKind::Server;
    error.resource = code(resource);
    error.field = std::move(field);
    error.message = std::move(message);
    return error;
}

std::map<std::string, std::string> textMap(const Json *object)
{
    std::map<std::string, std::string> result;
    if (!object)
        return result;
    for (const auto &[key, value] : object->items()) {
        if (auto text = json::text(&value))
            result.emplace(key, std::move(*text));
    }
    return result;
}

std::optional<std::string> nonEmpty(const Json *value)
{
    auto text = json::text(value);
    return text && !text->empty() ? text : std::nullopt;
}

std::optional<Instant> instant(const Json *value)
{
    const auto text = json::text(value);
    return text ? parseInstant(*text) : std::nullopt;
}

std::vector<OwnerReference> owners(const Json *metadata)
{
    std::vector<OwnerReference> result;
    const Json *array = json::findArray(metadata, "ownerReferences");
    if (!array)
        return result;
    for (const Json &item : *array) {
        if (!item.is_object())
            continue;
        result.push_back({json::text(json::find(&item, "kind")).value_or(""), json::text(json::find(&item, "name")).value_or(""),
                          json::text(json::find(&item, "uid")).value_or("")});
    }
    return result;
}

std::optional<std::vector<EndpointAddress>> addresses(const Json &object)
{
    const Json *subsets = json::findArray(&object, "subsets");
    if (!subsets)
        return {};
    std::vector<EndpointAddress> result;
    for (const Json &subset : *subsets) {
        const Json *array = json::findArray(&subset, "addresses");
        if (!array)
            continue;
        for (const Json &item : *array) {
            const auto ip = nonEmpty(json::find(&item, "ip"));
            if (!ip)
                continue;
            const Json *target = json::findObject(&item, "targetRef");
            const bool isPod = json::text(json::find(target, "kind")) == "Pod";
            result.push_back({*ip, isPod ? nonEmpty(json::find(target, "name")) : std::nullopt});
        }
    }
    return result;
}

void readConditions(const Json *status, PodFacts &facts)
{
    const Json *conditions = json::findArray(status, "conditions");
    if (!conditions)
        return;
    for (const Json &item : *conditions) {
        PodCondition condition;
        condition.type = json::text(json::find(&item, "type")).value_or("");
        condition.status = json::text(json::find(&item, "status")).value_or("");
        condition.reason = nonEmpty(json::find(&item, "reason"));
        condition.since = instant(json::find(&item, "lastTransitionTime"));
        if (!facts.ready && condition.type == "Ready" && (condition.status == "True" || condition.status == "False"))
            facts.ready = condition.status == "True";
        if (!condition.type.empty())
            facts.conditions.push_back(std::move(condition));
    }
}

// The reason in the detail of a state; the state's own name where it gives none; nullopt: not in this state.
std::optional<std::string> reasonOf(const Json *state, const char *key)
{
    const Json *detail = json::findObject(state, key);
    return detail ? std::optional(nonEmpty(json::find(detail, "reason")).value_or(key)) : std::nullopt;
}

std::optional<int> smallNumber(const std::optional<std::int64_t> &number)
{
    return number && *number >= INT_MIN && *number <= INT_MAX ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// A container that was started again tells in lastState how it ended.
ContainerFacts containerFacts(const Json &container)
{
    ContainerFacts facts;
    facts.name = json::text(json::find(&container, "name")).value_or("");
    const auto count = json::integer(json::find(&container, "restartCount"));
    facts.restarts = count && *count >= 0 ? smallNumber(count) : std::nullopt;
    const Json *state = json::findObject(&container, "state");
    const Json *running = json::findObject(state, "running");
    const Json *end = json::findObject(state, "terminated");
    facts.waiting = reasonOf(state, "waiting");
    if (running || end || facts.waiting)
        facts.running = running != nullptr;
    const Json *ended = end ? state : json::findObject(&container, "lastState");
    if (!end)
        end = json::findObject(ended, "terminated");
    facts.terminatedReason = reasonOf(ended, "terminated");
    facts.exitCode = smallNumber(json::integer(json::find(end, "exitCode")));
    facts.terminatedAt = instant(json::find(end, "finishedAt"));
    return facts;
}

void readContainers(const Json *status, PodFacts &facts)
{
    const Json *containers = json::findArray(status, "containerStatuses");
    if (!containers)
        return;
    for (const Json &container : *containers) {
        const auto count = json::integer(json::find(&container, "restartCount"));
        if (count && *count >= 0 && *count <= INT_MAX - facts.restarts.value_or(0))
            facts.restarts = facts.restarts.value_or(0) + static_cast<int>(*count);
        const Json *state = json::findObject(&container, "state");
        if (!facts.notRunning)
            facts.notRunning = reasonOf(state, "waiting");
        if (!facts.notRunning)
            facts.notRunning = reasonOf(state, "terminated");
        ContainerFacts one = containerFacts(container);
        if (!one.name.empty())
            facts.containers.push_back(std::move(one));
    }
}

PodFacts podFacts(const Json &object)
{
    PodFacts facts;
    const Json *status = json::findObject(&object, "status");
    facts.phase = nonEmpty(json::find(status, "phase"));
    facts.reason = nonEmpty(json::find(status, "reason"));
    facts.podIp = nonEmpty(json::find(status, "podIP"));
    facts.nodeName = nonEmpty(json::find(json::findObject(&object, "spec"), "nodeName"));
    readConditions(status, facts);
    readContainers(status, facts);
    return facts;
}

EventFacts eventFacts(const Json &object)
{
    EventFacts facts;
    const Json *involved = json::findObject(&object, "involvedObject");
    facts.involvedKind = json::text(json::find(involved, "kind")).value_or("");
    facts.involvedName = json::text(json::find(involved, "name")).value_or("");
    facts.involvedUid = json::text(json::find(involved, "uid")).value_or("");
    facts.reason = json::text(json::find(&object, "reason")).value_or("");
    facts.message = json::text(json::find(&object, "message")).value_or("");
    facts.type = json::text(json::find(&object, "type")).value_or("");
    const auto reporting = nonEmpty(json::find(&object, "reportingComponent"));
    const auto component = nonEmpty(json::find(json::findObject(&object, "source"), "component"));
    facts.source = (reporting ? reporting : component).value_or("");
    const Json *series = json::findObject(&object, "series");
    auto count = json::integer(json::find(&object, "count"));
    if (!count)
        count = json::integer(json::find(series, "count"));
    facts.count = count && *count >= 0 ? smallNumber(count) : std::nullopt;
    facts.firstAt = instant(json::find(&object, "firstTimestamp"));
    facts.lastAt = instant(json::find(&object, "lastTimestamp"));
    if (!facts.firstAt)
        facts.firstAt = instant(json::find(&object, "eventTime"));
    if (!facts.lastAt)
        facts.lastAt = instant(json::find(series, "lastObservedTime"));
    if (!facts.lastAt)
        facts.lastAt = facts.firstAt;
    return facts;
}

std::optional<std::int64_t> number(const Json *value)
{
    return value && value->is_number() ? json::integer(value) : std::nullopt;
}

// text: of the object, for the spec as it came.
std::optional<LeaseFacts> leaseFacts(const Json &object, std::string_view text)
{
    const Json *spec = json::findObject(&object, "spec");
    if (!spec)
        return {};
    LeaseFacts facts;
    facts.holder = json::text(json::find(spec, "holderIdentity"));
    facts.durationSeconds = number(json::find(spec, "leaseDurationSeconds"));
    facts.transitions = number(json::find(spec, "leaseTransitions"));
    facts.acquireTime = instant(json::find(spec, "acquireTime"));
    facts.renewTime = instant(json::find(spec, "renewTime"));
    facts.strategy = json::text(json::find(spec, "strategy"));
    facts.preferredHolder = json::text(json::find(spec, "preferredHolder"));
    facts.raw = repairUtf8(memberText(text, "spec"));
    return facts;
}

std::optional<bool> nodeReady(const Json &object)
{
    PodFacts facts; // conditions of a Node look as those of a Pod
    readConditions(json::findObject(&object, "status"), facts);
    for (const PodCondition &condition : facts.conditions) {
        if (condition.type == "Ready" && !condition.status.empty())
            return condition.status == "True"; // Unknown: its kubelet is silent
    }
    return {};
}

bool hasMembers(const Json *value)
{
    return value && value->is_object() && !value->empty();
}

// Who manages which fields: read by its metadata alone, a ConfigMap tells here that it has data. An entry f:KEY under f:data is one.
struct Managed
{
    bool told = false, data = false; // who manages which fields is told; somebody manages data
};

Managed managed(const Json *metadata)
{
    Managed result;
    const Json *managers = json::findArray(metadata, "managedFields");
    if (!managers)
        return result;
    for (const Json &manager : *managers) {
        const Json *fields = json::findObject(&manager, "fieldsV1");
        result.told = result.told || fields;
        for (const char *key : {"f:data", "f:binaryData"}) {
            const Json *data = json::findObject(fields, key);
            if (!data)
                continue;
            for (const auto &[entry, value] : data->items())
                result.data = result.data || entry.starts_with("f:");
        }
    }
    return result;
}

// kind: empty where the object has none, as an item of a list.
void readData(const Json &value, std::string_view kind, KubeObject &into)
{
    const Managed fields = managed(json::findObject(&value, "metadata"));
    const Json *data = json::findObject(&value, "data"), *binary = json::findObject(&value, "binaryData");
    into.hasData = hasMembers(data) || hasMembers(binary) || fields.data;
    into.dataUnknown = !fields.told && !data && !binary && kind != kindOf(Resource::ConfigMaps);
}

// What every object of the API has; the name is not asked for (a bookmark has none).
KubeObject fromMetadata(Resource resource, const Json *metadata)
{
    KubeObject result;
    result.resource = resource;
    result.ns = json::text(json::find(metadata, "namespace")).value_or("");
    result.name = json::text(json::find(metadata, "name")).value_or("");
    result.uid = json::text(json::find(metadata, "uid")).value_or("");
    result.resourceVersion = json::text(json::find(metadata, "resourceVersion")).value_or("");
    result.createdAt = instant(json::find(metadata, "creationTimestamp"));
    result.deletedAt = instant(json::find(metadata, "deletionTimestamp"));
    result.labels = textMap(json::findObject(metadata, "labels"));
    result.annotations = textMap(json::findObject(metadata, "annotations"));
    result.owners = owners(metadata);
    return result;
}

Result<KubeObject> objectFrom(Resource resource, const Json &value, std::string_view text, const std::string &field)
{
    if (!value.is_object())
        return tl::unexpected(unreadable(resource, field, "not a JSON object"));
    if (isStatus(value))
        return tl::unexpected(errorFromStatus(value));
    // Items of a list have no kind.
    if (const auto kind = json::text(json::find(&value, "kind")); kind && !isKind(resource, *kind))
        return tl::unexpected(unreadable(resource, field, "is of kind " + *kind));
    KubeObject result = fromMetadata(resource, json::findObject(&value, "metadata"));
    // Only the name is indispensable.
    if (result.name.empty())
        return tl::unexpected(unreadable(resource, field, "has no metadata.name"));
    if (resource == Resource::Endpoints)
        result.addresses = addresses(value);
    if (resource == Resource::Pods)
        result.pod = podFacts(value);
    if (resource == Resource::Events)
        result.event = eventFacts(value);
    if (resource == Resource::Leases)
        result.lease = leaseFacts(value, text);
    if (resource == Resource::Nodes)
        result.nodeReady = nodeReady(value);
    if (resource == Resource::ConfigMaps)
        readData(value, json::text(json::find(&value, "kind")).value_or(""), result);
    return result;
}

void addItem(ObjectList &list, Result<KubeObject> item)
{
    if (item)
        list.items.push_back(std::move(*item));
    else
        list.undecodable.push_back(std::move(item.error()));
}

std::string itemField(std::size_t index)
{
    return "items[" + std::to_string(index) + "]";
}

// The list without its items; an error when the answer is no list of this resource.
Result<ObjectList> listHead(Resource resource, const Json &value)
{
    if (!value.is_object())
        return tl::unexpected(unreadable(resource, {}, "not a JSON object"));
    if (isStatus(value))
        return tl::unexpected(errorFromStatus(value));
    const auto kind = json::text(json::find(&value, "kind"));
    if (kind && !isListKind(resource, *kind))
        return tl::unexpected(unreadable(resource, "kind", "is " + *kind));
    // "items": null is how an empty list may come; a missing one must never pass for "everything was deleted".
    const auto items = value.find("items");
    if (items == value.end() || !(items->is_array() || (items->is_null() && kind)))
        return tl::unexpected(unreadable(resource, "items", "not a list"));
    const Json *metadata = json::findObject(&value, "metadata");
    ObjectList list;
    list.resourceVersion = json::text(json::find(metadata, "resourceVersion")).value_or("");
    list.continueToken = json::text(json::find(metadata, "continue")).value_or("");
    return list;
}

// Item by item, for a list that does not parse as a whole.
Result<ObjectList> decodeSplit(Resource resource, std::string_view text)
{
    const auto parts = splitList(text);
    const auto rest = parts ? json::parse(parts->rest) : std::nullopt;
    if (!rest)
        return tl::unexpected(unreadable(resource, {}, "not JSON"));
    auto list = listHead(resource, *rest);
    for (std::size_t i = 0; list && i < parts->items.size(); ++i) {
        const auto item = json::parse(parts->items[i]);
        if (item)
            addItem(*list, objectFrom(resource, *item, parts->items[i], itemField(i)));
        else
            list->undecodable.push_back(unreadable(resource, itemField(i), "not JSON"));
    }
    return list;
}

WatchEvent failedEvent(Resource resource, const Json *object)
{
    WatchEvent event{EventType::Failed, {}, {}};
    event.object.resource = resource;
    event.error = object && isStatus(*object) ? errorFromStatus(*object) : unreadable(resource, "object", "ERROR event without a Status");
    return event;
}

Result<WatchEvent> eventFrom(Resource resource, const Json &value, std::string_view text)
{
    const auto typeText = json::text(json::find(&value, "type"));
    const auto type = typeText ? eventTypeOf(*typeText) : std::nullopt;
    const Json *object = json::find(&value, "object");
    if (!type)
        return tl::unexpected(isStatus(value) ? errorFromStatus(value) : unreadable(resource, "type", "not a watch event"));
    if (*type == EventType::Failed)
        return failedEvent(resource, object);
    if (!object)
        return tl::unexpected(unreadable(resource, "object", "missing"));
    if (*type == EventType::Bookmark) {
        WatchEvent event{EventType::Bookmark, {}, {}};
        event.object.resource = resource;
        event.object.resourceVersion = json::text(json::find(json::findObject(object, "metadata"), "resourceVersion")).value_or("");
        if (event.object.resourceVersion.empty())
            return tl::unexpected(unreadable(resource, "object.metadata.resourceVersion", "missing in a bookmark"));
        return event;
    }
    auto decoded = objectFrom(resource, *object, memberText(text, "object"), "object");
    if (!decoded)
        return tl::unexpected(std::move(decoded.error()));
    return WatchEvent{*type, std::move(*decoded), {}};
}

} // namespace

Result<KubeObject> decodeObject(Resource resource, std::string_view text)
{
    if (auto ordinary = readObject(resource, text))
        return std::move(*ordinary);
    const auto value = json::parse(text);
    if (!value)
        return tl::unexpected(unreadable(resource, {}, "not JSON"));
    return objectFrom(resource, *value, text, {});
}

namespace {

// Items that were left for the tree are put in, in their places.
ObjectList completed(Resource resource, ReadList read)
{
    ObjectList list = std::move(read.list);
    if (read.outOfOrdinary.empty())
        return list;
    std::vector<KubeObject> ordinary = std::exchange(list.items, {});
    auto next = ordinary.begin();
    std::size_t index = 0;
    for (const auto &[at, text] : read.outOfOrdinary) {
        for (; index < at; ++index)
            list.items.push_back(std::move(*next++));
        const auto value = json::parse(text);
        addItem(list,
                value ? objectFrom(resource, *value, text, itemField(at))
                      : tl::unexpected(unreadable(resource, itemField(at), "not JSON")));
        ++index;
    }
    list.items.insert(list.items.end(), std::make_move_iterator(next), std::make_move_iterator(ordinary.end()));
    return list;
}

} // namespace

Result<ObjectList> decodeList(Resource resource, std::string_view text)
{
    if (auto read = readList(resource, text))
        return completed(resource, std::move(*read));
    const auto value = json::parse(text);
    if (!value)
        return decodeSplit(resource, text);
    auto list = listHead(resource, *value);
    const Json *items = json::findArray(&*value, "items");
    if (!list || !items)
        return list;
    list->items.reserve(items->size());
    const auto parts = resource == Resource::Leases ? splitList(text) : std::nullopt;
    for (std::size_t i = 0; i < items->size(); ++i) {
        const std::string_view own = parts && parts->items.size() == items->size() ? parts->items[i] : std::string_view();
        addItem(*list, objectFrom(resource, (*items)[i], own, itemField(i)));
    }
    return list;
}

Result<WatchEvent> decodeWatchEvent(Resource resource, std::string_view text)
{
    if (auto ordinary = readWatchEvent(resource, text))
        return std::move(*ordinary);
    const auto value = json::parse(text);
    if (!value)
        return tl::unexpected(unreadable(resource, {}, "not JSON"));
    return eventFrom(resource, *value, text);
}

} // namespace switchyard
