// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_annotations.h"

#include "models/core/json_access.h"
#include "models/store/recording_mask.h"

#include <algorithm>
#include <functional>
#include <set>

namespace switchyard::recording {

std::string identityOf(const std::string &identity, Names &names)
{
    return names.replacing() ? names.identity(identity) : maskSecrets(identity);
}

namespace {

using json::Json;

const std::string hidden = "***";

// How deep the brackets of a text may be nested to be walked through.
bool isShallow(std::string_view text)
{
    constexpr int deepest = 60;
    int depth = 0;
    for (const char c : text) { // those within strings count too: rather hides too much
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        if (depth > deepest)
            return false;
    }
    return true;
}

std::optional<Json> parsed(const std::string &text)
{
    return isShallow(text) ? json::parse(text) : std::nullopt;
}

std::string written(const Json &value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string maskedText(const std::string &text, Names &names)
{
    const std::string masked = maskSecrets(text);
    if (masked.find("://") != std::string::npos)
        return names.url(masked);
    return names.replacing() ? names.word(masked) : masked;
}

bool endsWith(const std::string &text, std::string_view ending)
{
    return text.ends_with(ending);
}

// A command line or a connection string may hold anything.
bool isHiddenKey(const std::string &key)
{
    return isSecretName(key) || endsWith(key, "command") || key.find("conninfo") != std::string::npos || key == "callbacks" || key == "env"
        || key == "environment";
}

using KeyName = std::function<std::string(const std::string &key, const std::string &parent)>;

void maskTree(Json &value, const std::string &key, Names &names, const KeyName &keyName)
{
    if (value.is_string()) {
        value = maskedText(value.get<std::string>(), names);
    } else if (value.is_array()) {
        for (Json &item : value)
            maskTree(item, key, names, keyName);
    } else if (value.is_object()) {
        Json other = Json::object();
        for (auto &[name, item] : value.items()) {
            if (isHiddenKey(name) && !item.is_number() && !item.is_boolean() && !item.is_null())
                item = hidden;
            else
                maskTree(item, name, names, keyName);
            other[keyName(name, key)] = std::move(item);
        }
        value = std::move(other);
    }
}

std::string maskedConfig(const std::string &text, Names &names)
{
    auto config = parsed(text);
    if (!config || config->is_string())
        return text.empty() ? text : hidden; // Patroni cannot read it either
    maskTree(*config, {}, names,
             [&](const std::string &key, const std::string &parent) { return parent == "slots" ? names.slot(key) : key; });
    return written(*config);
}

std::string maskedStatus(const std::string &text, Names &names)
{
    static const std::set<std::string> allowed{"conn_url",          "api_url",       "state",           "role",
                                               "version",           "xlog_location", "receive_lsn",     "replay_lsn",
                                               "replication_state", "timeline",      "pending_restart", "pending_restart_reason",
                                               "scheduled_restart", "tags",          "pause",           "checkpoint_after_promote",
                                               "proxy_url"};
    static const std::set<std::string> verbatim{"state", "role", "version", "replication_state", "scheduled_restart"};
    auto status = parsed(text);
    if (!status || !status->is_object())
        return text.starts_with("postgres") ? maskedText(text, names) : text.empty() ? text : hidden;
    Json kept = Json::object();
    for (auto &[key, value] : status->items()) {
        if (!allowed.contains(key))
            continue;
        if (!verbatim.contains(key))
            maskTree(value, key, names, [](const std::string &name, const std::string &) { return name; });
        else if (value.is_string())
            value = maskSecrets(value.get<std::string>());
        kept[key] = std::move(value);
    }
    return written(kept);
}

// {"acme-0": URL or number}, ["acme_0"]
std::string maskedMap(const std::string &text, Names &names, bool slots)
{
    auto value = parsed(text);
    if (!value || !value->is_structured())
        return text.empty() ? text : hidden;
    const auto renamed = [&](const std::string &name) { return slots ? names.slot(name) : names.name(name); };
    if (value->is_array()) {
        for (Json &item : *value)
            item = item.is_string() ? Json(renamed(item.get<std::string>())) : Json(nullptr);
        return written(*value);
    }
    Json other = Json::object();
    for (auto &[name, item] : value->items())
        other[renamed(name)] = item.is_string() ? Json(maskedText(item.get<std::string>(), names))
            : item.is_number()                  ? item
                                                : Json(nullptr);
    return written(other);
}

// [[timeline, lsn, reason, time, member], ...]
std::string maskedHistory(const std::string &text, Names &names)
{
    constexpr std::size_t reason = 2, member = 4;
    auto history = parsed(text);
    if (!history || !history->is_array())
        return text.empty() ? text : hidden;
    for (Json &entry : *history) {
        if (!entry.is_array())
            continue;
        for (std::size_t i = 0; i < entry.size(); ++i) {
            if (!entry[i].is_string())
                continue;
            if (i == reason)
                entry[i] = maskSecrets(entry[i].get<std::string>());
            else if (i == member)
                entry[i] = names.name(entry[i].get<std::string>());
        }
    }
    return written(*history);
}

// client-go's record, as far as it is one.
std::string maskedElection(const std::string &text, Names &names)
{
    auto record = parsed(text);
    if (!record || !record->is_object())
        return text.empty() ? text : hidden;
    Json kept = Json::object();
    for (const char *key : {"holderIdentity", "leaseDurationSeconds", "acquireTime", "renewTime", "leaderTransitions"}) {
        if (record->contains(key) && !(*record)[key].is_structured())
            kept[key] = std::move((*record)[key]);
    }
    if (kept.contains("holderIdentity") && kept["holderIdentity"].is_string())
        kept["holderIdentity"] = identityOf(kept["holderIdentity"].get<std::string>(), names);
    return written(kept);
}

// What a key's value is.
enum class Form { Plain, Member, MemberList, Config, Status, Slots, MemberMap, History, Election };

std::optional<Form> formOf(const std::string &key, bool ofPod)
{
    static const std::map<std::string, Form> state{{"leader", Form::Member},
                                                   {"ttl", Form::Plain},
                                                   {"renewTime", Form::Plain},
                                                   {"acquireTime", Form::Plain},
                                                   {"transitions", Form::Plain},
                                                   {"optime", Form::Plain},
                                                   {"slots", Form::Slots},
                                                   {"retain_slots", Form::Slots},
                                                   {"failsafe", Form::MemberMap},
                                                   {"initialize", Form::Plain},
                                                   {"config", Form::Config},
                                                   {"history", Form::History},
                                                   {"member", Form::Member},
                                                   {"scheduled_at", Form::Plain},
                                                   {"sync_standby", Form::MemberList},
                                                   {"quorum", Form::Plain},
                                                   {"control-plane.alpha.kubernetes.io/leader", Form::Election}};
    if (ofPod)
        return key == "status" ? std::optional(Form::Status) : std::nullopt;
    const auto it = state.find(key);
    return it == state.end() ? std::nullopt : std::optional(it->second);
}

std::string masked(Form form, const std::string &value, Names &names)
{
    switch (form) {
    case Form::Plain: return maskSecrets(value);
    case Form::Member: return names.replacing() ? names.name(value) : maskSecrets(value);
    case Form::MemberList: return names.replacing() ? names.memberList(value) : maskSecrets(value);
    case Form::Config: return maskedConfig(value, names);
    case Form::Status: return maskedStatus(value, names);
    case Form::Slots: return maskedMap(value, names, true);
    case Form::MemberMap: return maskedMap(value, names, false);
    case Form::History: return maskedHistory(value, names);
    case Form::Election: return maskedElection(value, names);
    }
    return hidden;
}

} // namespace

std::map<std::string, std::string> allowedAnnotations(const KubeObject &object, Names &names)
{
    std::map<std::string, std::string> allowed;
    if (object.resource == Resource::Events)
        return allowed;
    for (const auto &[key, value] : object.annotations) {
        if (const auto form = formOf(key, object.resource == Resource::Pods))
            allowed.emplace(key, masked(*form, value, names));
    }
    return allowed;
}

std::map<std::string, std::string> allowedLabels(const KubeObject &object, Names &names)
{
    std::map<std::string, std::string> allowed;
    for (const auto &[key, value] : object.labels)
        allowed.emplace(key, isSecretName(key) || looksLikeToken(value) ? "masked" : names.label(value));
    return allowed;
}

} // namespace switchyard::recording
