// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_writer.h"

#include "models/core/json_access.h"
#include "models/core/overloaded.h"
#include "models/store/recording_annotations.h"
#include "models/store/recording_errors.h"
#include "models/store/recording_mask.h"

#include <cmath>

namespace switchyard {

using json::Json;
using recording::Names;

struct RecordingWriter::Impl
{
    explicit Impl(RecordingOptions options)
        : names(options.replaceNames)
    {}
    Names names;
    std::optional<Boot> start;
};

namespace {

void putTime(Json &into, const char *key, const std::optional<Instant> &time)
{
    if (time)
        into[key] = formatUtc(*time);
}

void putText(Json &into, const char *key, const std::optional<std::string> &text)
{
    if (text && !text->empty())
        into[key] = *text;
}

Json textMap(const std::map<std::string, std::string> &map)
{
    Json object = Json::object();
    for (const auto &[key, value] : map)
        object[key] = value;
    return object;
}

// OBJECT.17f3a: an Event's own name begins with that of its object.
std::string objectName(const KubeObject &object, Names &names)
{
    const auto dot = object.resource == Resource::Events ? object.name.find('.') : std::string::npos;
    return dot == std::string::npos ? names.name(object.name) : names.name(object.name.substr(0, dot)) + object.name.substr(dot);
}

Json metadataOf(const KubeObject &object, Names &names)
{
    Json metadata{{"name", objectName(object, names)}};
    putText(metadata, "namespace", names.name(object.ns));
    putText(metadata, "uid", object.uid);
    putText(metadata, "resourceVersion", object.resourceVersion);
    putTime(metadata, "creationTimestamp", object.createdAt);
    putTime(metadata, "deletionTimestamp", object.deletedAt);
    if (const auto labels = allowedLabels(object, names); !labels.empty())
        metadata["labels"] = textMap(labels);
    if (const auto annotations = allowedAnnotations(object, names); !annotations.empty())
        metadata["annotations"] = textMap(annotations);
    for (const OwnerReference &owner : object.owners)
        metadata["ownerReferences"].push_back({{"kind", owner.kind}, {"name", names.name(owner.name)}, {"uid", owner.uid}});
    return metadata;
}

Json subsetsOf(const std::vector<EndpointAddress> &addresses, Names &names)
{
    Json subsets = Json::array();
    Json list = Json::array();
    for (const EndpointAddress &address : addresses) {
        Json one{{"ip", names.address(address.ip)}};
        if (address.podName)
            one["targetRef"] = {{"kind", "Pod"}, {"name", names.name(*address.podName)}};
        list.push_back(std::move(one));
    }
    if (!list.empty())
        subsets.push_back({{"addresses", std::move(list)}});
    return subsets;
}

Json containerOf(const ContainerFacts &container, Names &names)
{
    Json one{{"name", names.name(container.name)}};
    if (container.restarts)
        one["restartCount"] = *container.restarts;
    Json end = Json::object();
    putText(end, "reason", container.terminatedReason);
    if (container.exitCode)
        end["exitCode"] = *container.exitCode;
    putTime(end, "finishedAt", container.terminatedAt);
    const bool over = container.running == false && !container.waiting;
    if (container.running == true)
        one["state"]["running"] = Json::object();
    if (container.waiting)
        one["state"]["waiting"] = {{"reason", *container.waiting}};
    if (!end.empty() || over)
        one[over ? "state" : "lastState"]["terminated"] = std::move(end);
    return one;
}

Json podOf(const PodFacts &pod, Names &names)
{
    Json status = Json::object();
    putText(status, "phase", pod.phase);
    putText(status, "reason", pod.reason);
    if (pod.podIp)
        status["podIP"] = names.address(*pod.podIp);
    for (const PodCondition &condition : pod.conditions) {
        Json one{{"type", condition.type}, {"status", condition.status}};
        putText(one, "reason", condition.reason);
        putTime(one, "lastTransitionTime", condition.since);
        status["conditions"].push_back(std::move(one));
    }
    for (const ContainerFacts &container : pod.containers)
        status["containerStatuses"].push_back(containerOf(container, names));
    return status;
}

void putEvent(Json &into, const EventFacts &event, Names &names)
{
    Json involved = Json::object();
    putText(involved, "kind", event.involvedKind);
    putText(involved, "name", names.name(event.involvedName));
    putText(involved, "uid", event.involvedUid);
    into["involvedObject"] = std::move(involved);
    putText(into, "reason", recording::maskSecrets(event.reason));
    putText(into, "type", event.type);
    const bool elector = event.reason == "LeaderElection"; // client-go: says so under its own name
    putText(into, "reportingComponent", elector ? identityOf(event.source, names) : recording::maskSecrets(event.source));
    if (event.count)
        into["count"] = *event.count;
    putTime(into, "firstTimestamp", event.firstAt);
    putTime(into, "lastTimestamp", event.lastAt);
}

// An empty holder says something: released.
Json leaseOf(const LeaseFacts &lease, Names &names)
{
    Json spec = Json::object();
    if (lease.holder)
        spec["holderIdentity"] = identityOf(*lease.holder, names);
    if (lease.durationSeconds)
        spec["leaseDurationSeconds"] = *lease.durationSeconds;
    if (lease.transitions)
        spec["leaseTransitions"] = *lease.transitions;
    putTime(spec, "acquireTime", lease.acquireTime);
    putTime(spec, "renewTime", lease.renewTime);
    if (lease.strategy)
        spec["strategy"] = recording::maskSecrets(*lease.strategy);
    if (lease.preferredHolder)
        spec["preferredHolder"] = identityOf(*lease.preferredHolder, names);
    return spec;
}

Json objectOf(const KubeObject &object, Names &names)
{
    Json result{{"metadata", metadataOf(object, names)}};
    if (object.addresses)
        result["subsets"] = subsetsOf(*object.addresses, names);
    if (object.pod) {
        result["status"] = podOf(*object.pod, names);
        if (object.pod->nodeName)
            result["spec"] = {{"nodeName", names.name(*object.pod->nodeName)}};
    }
    if (object.event)
        putEvent(result, *object.event, names);
    if (object.lease)
        result["spec"] = leaseOf(*object.lease, names);
    if (object.nodeReady)
        result["status"]["conditions"] = Json::array({{{"type", "Ready"}, {"status", *object.nodeReady ? "True" : "False"}}});
    if (object.hasData)
        result["data"] = {{"left-out", ""}};
    else if (object.resource == Resource::ConfigMaps && !object.dataUnknown)
        result["data"] = Json::object(); // known to have none
    return result;
}

Json listOf(const Listed &list, Names &names)
{
    Json items = Json::array();
    for (const KubeObject &object : list.items)
        items.push_back(objectOf(object, names));
    return {{"metadata", {{"resourceVersion", list.resourceVersion}}}, {"items", std::move(items)}};
}

Json coverageOf(const Coverage &coverage, Names &names)
{
    Json result = Json::object();
    putText(result, "label", coverage.labelKey);
    for (const std::string &name : coverage.names) { // NAME, or NAMESPACE/NAME
        const auto slash = name.find('/');
        result["names"].push_back(
            slash == std::string::npos ? names.name(name) : names.name(name.substr(0, slash)) + '/' + names.name(name.substr(slash + 1)));
    }
    return result;
}

const char *typeText(EventType type)
{
    switch (type) {
    case EventType::Added: return "ADDED";
    case EventType::Deleted: return "DELETED";
    default: return "MODIFIED";
    }
}

double seconds(Duration d)
{
    return static_cast<double>(d.count()) / 1e6;
}

// What was seen, as members of the line.
void putWhat(Json &line, const Observation &o, Names &names)
{
    std::visit(
        Overloaded{[&](const Listed &list) {
                       line["list"] = listOf(list, names);
                       if (!list.coverage.whole())
                           line["coverage"] = coverageOf(list.coverage, names);
                       if (list.every > Duration(0))
                           line["every"] = seconds(list.every);
                   },
                   [&](const Changed &change) {
                       line["event"] = {{"type", typeText(change.type)}, {"object", objectOf(change.object, names)}};
                   },
                   [&](const Bookmarked &mark) {
                       line["event"] = {{"type", "BOOKMARK"}, {"object", {{"metadata", {{"resourceVersion", mark.resourceVersion}}}}}};
                   },
                   [&](const Confirmed &get) {
                       line["get"] = {{"name", names.name(get.name)}};
                       putText(line["get"], "ns", names.name(get.ns));
                       if (get.resourceVersion)
                           line["get"]["resourceVersion"] = *get.resourceVersion;
                       else
                           line["get"]["status"] = 404;
                   },
                   [&](const ProbeFailed &get) {
                       line["get"] = {{"name", names.name(get.name)}, {"failed", recording::errorText(get.error)}};
                       putText(line["get"], "ns", names.name(get.ns));
                   },
                   [&](const Resumed &) { line["resumed"] = true; }, [&](const Contact &) { line["contact"] = true; },
                   [&](const Lost &loss) { line["lost"] = recording::errorText(loss.error); },
                   [&](const Undecodable &bad) {
                       line["undecodable"] = recording::errorText(bad.error);
                       putText(line, "object", names.name(bad.error.name));
                       putText(line, "field", recording::maskSecrets(bad.error.field));
                   }},
        o.what);
}

} // namespace

RecordingWriter::RecordingWriter(RecordingOptions options)
    : d(std::make_unique<Impl>(options))
{}

RecordingWriter::~RecordingWriter() = default;

std::string RecordingWriter::line(const Observation &o)
{
    if (!d->start)
        d->start = o.seen;
    Json line{{"t", seconds(o.seen - *d->start)}, {"wall", formatUtc(o.wall)}, {"resource", code(o.resource)}};
    putText(line, "context", d->names.replacing() ? d->names.name(o.context) : o.context);
    putText(line, "ns", d->names.name(o.ns));
    putText(line, "selector", o.selector);
    if (o.aside)
        line["aside"] = true;
    if (o.asked)
        line["asked"] = seconds(*o.asked - *d->start);
    putWhat(line, o, d->names);
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace switchyard
