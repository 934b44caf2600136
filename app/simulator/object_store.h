// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The simulator's objects, with one global resource version and a bounded log of changes, as a small API server keeps them.
// No Qt, no clock of its own.
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace switchyard::simulator {

using Json = nlohmann::json;
using SimTime = std::chrono::sys_time<std::chrono::microseconds>;

enum class Kind { Endpoints, ConfigMaps, Pods, Leases, Namespaces, Events, Nodes };

struct KindInfo
{
    const char *plural, *kind, *apiVersion;
};
const KindInfo &kindInfo(Kind kind);

using Object = std::shared_ptr<const Json>; // never changed once stored

struct StoreEvent
{
    const char *type; // ADDED, MODIFIED, DELETED
    Kind kind;
    std::string ns, name;
    std::int64_t version;
    Object object;
};

// What a request is answered with: an object, or a Status.
struct Answer
{
    int code = 200;
    Json body;
    bool ok() const { return code < 300; }
};

Json statusBody(int code, const std::string &reason, const std::string &message, Json details = nullptr);

class ObjectStore
{
public:
    explicit ObjectStore(unsigned seed = 1, std::size_t logSize = 4000);

    Answer create(Kind kind, const std::string &ns, Json object, SimTime now);
    // Merge patch (for metadata and subsets a strategic merge patch does the same). metadata.resourceVersion in it is a precondition.
    Answer patch(Kind kind, const std::string &ns, const std::string &name, Json patch);
    Answer remove(Kind kind, const std::string &ns, const std::string &name);

    Object find(Kind kind, const std::string &ns, const std::string &name) const;
    std::vector<Object> list(Kind kind, const std::string &ns) const;                                                // empty ns: all
    std::string annotation(Kind kind, const std::string &ns, const std::string &name, const std::string &key) const; // "" if there is none

    std::int64_t version() const { return m_version; }
    // Changes after `version`, or nothing when the log does not reach back that far.
    std::optional<std::vector<StoreEvent>> eventsSince(std::int64_t version) const;
    std::int64_t oldestVersion() const { return m_forgotten; }
    void setListener(std::function<void(const StoreEvent &)> listener) { m_listener = std::move(listener); }

private:
    using Key = std::tuple<Kind, std::string, std::string>;
    void record(const char *type, const Key &key, Object object);
    std::string makeUid();

    std::map<Key, Object> m_objects;
    std::deque<StoreEvent> m_log;
    std::function<void(const StoreEvent &)> m_listener;
    std::size_t m_logSize;
    std::uint64_t m_uidState;
    std::int64_t m_version = 1000, m_forgotten = 1000;
};

} // namespace switchyard::simulator
