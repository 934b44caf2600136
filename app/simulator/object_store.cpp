// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/object_store.h"

#include "app/simulator/annotations.h"

#include <array>
#include <cstdio>
#include <tuple>

namespace switchyard::simulator {

const KindInfo &kindInfo(Kind kind)
{
    static constexpr std::array<KindInfo, 7> table{{{"endpoints", "Endpoints", "v1"},
                                                    {"configmaps", "ConfigMap", "v1"},
                                                    {"pods", "Pod", "v1"},
                                                    {"leases", "Lease", "coordination.k8s.io/v1"},
                                                    {"namespaces", "Namespace", "v1"},
                                                    {"events", "Event", "v1"},
                                                    {"nodes", "Node", "v1"}}};
    return table.at(static_cast<std::size_t>(kind));
}

Json statusBody(int code, const std::string &reason, const std::string &message, Json details)
{
    Json body{{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", Json::object()}, {"status", "Failure"}, {"message", message},
              {"reason", reason}, {"code", code}};
    if (!details.is_null())
        body["details"] = std::move(details);
    return body;
}

namespace {

Answer failure(int code, const std::string &reason, const std::string &message, Kind kind, const std::string &name)
{
    return {code, statusBody(code, reason, message, {{"name", name}, {"kind", kindInfo(kind).plural}})};
}

std::string quoted(Kind kind, const std::string &name)
{
    return std::string(kindInfo(kind).plural) + " \"" + name + '"';
}

bool isStringMap(const Json &value)
{
    if (value.is_null())
        return true;
    if (!value.is_object())
        return false;
    for (const auto &item : value)
        if (!item.is_string())
            return false;
    return true;
}

// Annotations and labels hold strings; subsets and annotations that became empty are left out, as the real server does.
bool normalise(Json &object)
{
    Json &metadata = object["metadata"];
    for (const char *key : {"annotations", "labels"}) {
        if (!metadata.contains(key))
            continue;
        if (!isStringMap(metadata[key]))
            return false;
        if (metadata[key].empty())
            metadata.erase(key);
    }
    if (object.contains("subsets") && object["subsets"].empty())
        object.erase("subsets");
    return true;
}

} // namespace

ObjectStore::ObjectStore(unsigned seed, std::size_t logSize)
    : m_logSize(logSize)
    , m_uidState(seed * 0x9E3779B97F4A7C15ULL + 1)
{}

std::string ObjectStore::makeUid()
{
    const auto next = [this] {
        m_uidState += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_uidState;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    };
    const std::uint64_t a = next(), b = next();
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%08x-%04x-4%03x-%04x-%012llx", static_cast<unsigned>(a >> 32),
                  static_cast<unsigned>(a >> 16) & 0xFFFF, static_cast<unsigned>(a) & 0xFFF,
                  (static_cast<unsigned>(b >> 48) & 0x3FFF) | 0x8000, static_cast<unsigned long long>(b & 0xFFFFFFFFFFFFULL));
    return text.data();
}

void ObjectStore::record(const char *type, const Key &key, Object object)
{
    const StoreEvent event{type, std::get<0>(key), std::get<1>(key), std::get<2>(key), m_version, std::move(object)};
    m_log.push_back(event);
    while (m_log.size() > m_logSize) {
        m_forgotten = m_log.front().version;
        m_log.pop_front();
    }
    if (m_listener)
        m_listener(event);
}

Answer ObjectStore::create(Kind kind, const std::string &ns, Json object, SimTime now)
{
    if (!object.is_object() || !object.contains("metadata") || !object["metadata"].is_object())
        return {400, statusBody(400, "BadRequest", "the object has no metadata")};
    Json &metadata = object["metadata"];
    const std::string name = metadata.contains("name") && metadata["name"].is_string() ? metadata["name"].get<std::string>()
                                                                                       : std::string();
    if (name.empty())
        return failure(422, "Invalid", quoted(kind, name) + " is invalid: metadata.name: Required value: name is required", kind, name);
    if (metadata.contains("resourceVersion"))
        return {400, statusBody(400, "BadRequest", "resourceVersion should not be set on objects to be created")};
    if (metadata.contains("namespace") && metadata["namespace"] != ns)
        return {400,
                statusBody(400, "BadRequest", "the namespace of the provided object does not match the namespace sent on the request")};
    if (!normalise(object))
        return failure(422, "Invalid", quoted(kind, name) + " is invalid: metadata: values must be strings", kind, name);
    const Key key{kind, ns, name};
    if (m_objects.contains(key))
        return failure(409, "AlreadyExists", quoted(kind, name) + " already exists", kind, name);

    object["kind"] = kindInfo(kind).kind;
    object["apiVersion"] = kindInfo(kind).apiVersion;
    if (!ns.empty())
        metadata["namespace"] = ns;
    metadata["uid"] = makeUid();
    if (!metadata.contains("creationTimestamp"))
        metadata["creationTimestamp"] = secondsText(now);
    metadata["resourceVersion"] = std::to_string(++m_version);
    const auto stored = std::make_shared<const Json>(std::move(object));
    m_objects[key] = stored;
    record("ADDED", key, stored);
    return {201, *stored};
}

Answer ObjectStore::patch(Kind kind, const std::string &ns, const std::string &name, Json patch)
{
    const Key key{kind, ns, name};
    const auto found = m_objects.find(key);
    if (found == m_objects.end())
        return failure(404, "NotFound", quoted(kind, name) + " not found", kind, name);
    if (!patch.is_object())
        return {400, statusBody(400, "BadRequest", "the patch is not a JSON object")};
    const Json &old = *found->second;
    if (patch.contains("metadata") && patch["metadata"].is_object()) {
        Json &metadata = patch["metadata"];
        if (metadata.contains("resourceVersion") && metadata["resourceVersion"] != old["metadata"]["resourceVersion"])
            return failure(409, "Conflict",
                           "Operation cannot be fulfilled on " + quoted(kind, name)
                               + ": the object has been modified; please apply your changes to the latest version and try again",
                           kind, name);
        if (metadata.contains("uid") && metadata["uid"] != old["metadata"]["uid"])
            return failure(409, "Conflict", "Operation cannot be fulfilled on " + quoted(kind, name) + ": Precondition failed: UID", kind,
                           name);
        for (const char *fixed : {"resourceVersion", "uid", "name", "namespace", "creationTimestamp"})
            metadata.erase(fixed);
    }
    patch.erase("kind");
    patch.erase("apiVersion");
    Json object = old;
    object.merge_patch(patch);
    if (!object["metadata"].is_object() || !normalise(object))
        return failure(422, "Invalid", quoted(kind, name) + " is invalid: metadata: values must be strings", kind, name);
    if (object == old) // a patch that changes nothing makes no version and no event
        return {200, old};
    object["metadata"]["resourceVersion"] = std::to_string(++m_version);
    const auto stored = std::make_shared<const Json>(std::move(object));
    found->second = stored;
    record("MODIFIED", key, stored);
    return {200, *stored};
}

Answer ObjectStore::remove(Kind kind, const std::string &ns, const std::string &name)
{
    const Key key{kind, ns, name};
    const auto found = m_objects.find(key);
    if (found == m_objects.end())
        return failure(404, "NotFound", quoted(kind, name) + " not found", kind, name);
    Json last = *found->second;
    m_objects.erase(found);
    last["metadata"]["resourceVersion"] = std::to_string(++m_version);
    const auto stored = std::make_shared<const Json>(std::move(last));
    record("DELETED", key, stored);
    return {200, *stored};
}

Object ObjectStore::find(Kind kind, const std::string &ns, const std::string &name) const
{
    const auto found = m_objects.find({kind, ns, name});
    return found == m_objects.end() ? nullptr : found->second;
}

std::vector<Object> ObjectStore::list(Kind kind, const std::string &ns) const
{
    std::vector<Object> result;
    for (const auto &[key, object] : m_objects)
        if (std::get<0>(key) == kind && (ns.empty() || std::get<1>(key) == ns))
            result.push_back(object);
    return result;
}

std::string ObjectStore::annotation(Kind kind, const std::string &ns, const std::string &name, const std::string &key) const
{
    const Object object = find(kind, ns, name);
    if (!object)
        return {};
    const Json &metadata = object->at("metadata");
    const auto annotations = metadata.find("annotations");
    return annotations == metadata.end() ? std::string() : annotations->value(key, std::string());
}

std::optional<std::vector<StoreEvent>> ObjectStore::eventsSince(std::int64_t version) const
{
    if (version < m_forgotten)
        return std::nullopt;
    std::vector<StoreEvent> result;
    for (const StoreEvent &event : m_log)
        if (event.version > version)
            result.push_back(event);
    return result;
}

} // namespace switchyard::simulator
