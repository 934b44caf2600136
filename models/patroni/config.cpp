// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_access.h"
#include "models/patroni/decode_support.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace switchyard::patroni {

namespace {

using json::Json;

// Larger than any sensible setting, small enough for arithmetic in microseconds.
constexpr std::int64_t secondsLimit = 1'000'000'000;

// JSON booleans, numbers and words; anything else is not set, as Patroni reads it.
bool boolean(const Json &config, const char *key, Defects &defects)
{
    const Json *value = json::find(&config, key);
    if (!value)
        return false;
    const auto text = json::scalar(value);
    const auto result = text ? parseBoolean(*text) : std::nullopt;
    if (!result)
        defects.add(std::string("config.") + key, "not a boolean: read as off");
    return result.value_or(false);
}

// Integers may be strings; a fraction is cut off.
std::optional<std::int64_t> number(const Json *value)
{
    if (value && value->is_number_float()) {
        const double exact = value->get<double>();
        return std::abs(exact) < 9e15 ? std::optional(static_cast<std::int64_t>(exact)) : std::nullopt;
    }
    return json::integer(value);
}

void readSeconds(const Json &config, const char *key, std::int64_t &seconds, Defects &defects)
{
    const Json *value = json::find(&config, key);
    if (!value)
        return;
    const auto read = number(value);
    if (read && *read > 0)
        seconds = std::min(*read, secondsLimit);
    if (!read || *read <= 0 || *read > secondsLimit)
        defects.add(std::string("config.") + key, "not a usable number of seconds");
}

void readLagLimit(const Json &config, DynamicConfig &result, Defects &defects)
{
    const Json *value = json::find(&config, "maximum_lag_on_failover");
    if (!value)
        return;
    const auto read = number(value);
    result.maximumLagOnFailover = read && *read >= 0 ? std::optional(static_cast<Lsn>(*read)) : std::nullopt;
    if (!result.maximumLagOnFailover)
        defects.add("config.maximum_lag_on_failover", "not a number of bytes");
}

bool isQuorum(const Json *value)
{
    auto text = json::text(value).value_or("");
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text == "quorum";
}

void readSync(const Json &config, DynamicConfig &result, Defects &defects)
{
    if (isQuorum(json::find(&config, "synchronous_mode")))
        result.syncMode = SyncMode::Quorum;
    else if (boolean(config, "synchronous_mode", defects))
        result.syncMode = SyncMode::On;
    result.syncStrict = boolean(config, "synchronous_mode_strict", defects);
    if (const Json *value = json::find(&config, "synchronous_node_count")) {
        const auto read = number(value);
        if (!read)
            defects.add("config.synchronous_node_count", "not a number");
        result.syncNodeCount = std::max<std::int64_t>(read.value_or(1), 1);
    }
}

void readStandby(const Json &config, DynamicConfig &result)
{
    const Json *standby = json::findObject(&config, "standby_cluster");
    const Json *host = json::find(standby, "host");
    const Json *port = json::find(standby, "port");
    const Json *restore = json::find(standby, "restore_command");
    result.standbyCluster = json::truthy(host) || json::truthy(port) || json::truthy(restore);
    if (!result.standbyCluster)
        return;
    // A standby cluster has no synchronous standbys of its own, whatever the settings say.
    result.syncMode = SyncMode::Off;
    const auto name = json::truthy(host) ? json::scalar(host) : std::nullopt;
    const auto portText = json::truthy(port) ? json::scalar(port) : std::nullopt;
    if (name)
        result.standbySource = portText ? *name + ':' + *portText : *name;
    else if (json::truthy(restore))
        result.standbySource = "restore_command"; // the command itself may hold secrets
}

void readAll(const Json &config, DynamicConfig &result, Defects &defects)
{
    readSeconds(config, "ttl", result.ttl, defects);
    readSeconds(config, "loop_wait", result.loopWait, defects);
    readSeconds(config, "retry_timeout", result.retryTimeout, defects);
    if (json::findObject(&config, "dcs") && !json::find(&config, "ttl"))
        defects.add("config.dcs", "a stray level: its settings are not in force");
    readLagLimit(config, result, defects);
    result.checkTimeline = boolean(config, "check_timeline", defects);
    result.paused = boolean(config, "pause", defects);
    result.failsafeMode = boolean(config, "failsafe_mode", defects);
    readSync(config, result, defects);
    readStandby(config, result);
}

// Deeper than any setting: what lies below counts as the same.
constexpr int deepest = 12;

bool same(const Json &a, const Json &b, int depth)
{
    if (!a.is_structured() || !b.is_structured())
        return a.is_structured() == b.is_structured() && a.type_name() == std::string_view(b.type_name())
            && json::scalar(&a) == json::scalar(&b);
    if (a.is_array() != b.is_array() || a.size() != b.size())
        return false;
    for (auto x = a.begin(), y = b.begin(); depth > 0 && x != a.end(); ++x, ++y) {
        if ((a.is_object() && x.key() != y.key()) || !same(*x, *y, depth - 1))
            return false;
    }
    return true;
}

// In the order of names. nullptr: not set.
void addChanges(const Json *before, const Json *now, const std::string &path, int depth, std::vector<std::string> &changed)
{
    const auto isObject = [](const Json *j) { return j && j->is_object(); };
    const bool objects = (isObject(before) || !before) && (isObject(now) || !now) && (before || now);
    if (!objects || depth == 0) {
        if (!before != !now || (before && !same(*before, *now, depth)))
            changed.push_back(path);
        return;
    }
    std::set<std::string> keys;
    for (const Json *side : {before, now}) {
        if (!side)
            continue;
        for (const auto &item : side->items())
            keys.insert(item.key());
    }
    for (const std::string &key : keys) {
        std::string inner = path;
        inner.append(path.empty() ? "" : ".").append(key);
        addChanges(json::find(before, key.c_str()), json::find(now, key.c_str()), inner, depth - 1, changed);
    }
}

} // namespace

std::vector<std::string> changedSettings(const std::string &before, const std::string &now)
{
    std::vector<std::string> changed;
    const auto a = json::parse(before), b = json::parse(now);
    addChanges(a && a->is_object() ? &*a : nullptr, b && b->is_object() ? &*b : nullptr, {}, deepest, changed);
    return changed;
}

DynamicConfig decodeDynamicConfig(const std::string &text, std::vector<Defect> &list, const std::string &object)
{
    Defects defects(list, object);
    DynamicConfig result;
    result.raw = text;
    const auto config = json::parse(text);
    if (!config || !config->is_object()) {
        defects.add("config", config ? "not a JSON object" : "not JSON");
        return result;
    }
    result.present = !config->empty(); // Patroni takes {} for missing
    readAll(*config, result, defects);
    return result;
}

ConfigRecord decodeConfig(const KubeObject &object, std::vector<Defect> &list)
{
    ConfigRecord record;
    const auto initialize = annotation(object, "initialize");
    const auto config = annotation(object, "config");
    const auto history = annotation(object, "history");
    record.hasAnnotations = initialize || config || history;
    if (initialize) {
        record.initialize = initialize->empty() ? InitializeState::InProgress : InitializeState::Done;
        if (!initialize->empty())
            record.systemId = initialize;
    }
    if (config)
        record.config = decodeDynamicConfig(*config, list, object.name);
    record.history = decodeHistory(history, list, object.name);
    // An object that lost all its annotations says nothing: the timeline is unknown, not 1.
    if (!record.hasAnnotations)
        record.history.currentTimeline.reset();
    return record;
}

} // namespace switchyard::patroni
