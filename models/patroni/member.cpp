// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_access.h"
#include "models/patroni/decode_support.h"
#include "models/patroni/mask.h"
#include "models/patroni/role_words.h"

namespace switchyard::patroni {

namespace {

using json::Json;

std::optional<std::string> word(const Json &status, const char *key, Defects &defects)
{
    const Json *value = json::find(&status, key);
    if (!value)
        return {};
    auto text = json::text(value);
    if (!text)
        defects.add(std::string("status.") + key, "not a text");
    return text && !text->empty() ? text : std::nullopt;
}

std::optional<std::string> url(const Json &status, const char *key, Defects &defects)
{
    const auto text = word(status, key, defects);
    return text ? std::optional(maskCredentials(*text)) : std::nullopt;
}

// No WAL position and no timeline is 0: Patroni writes 0 for "do not know".
std::optional<std::uint64_t> position(const Json &status, const char *key, Defects &defects)
{
    const Json *value = json::find(&status, key);
    if (!value)
        return {};
    const auto number = json::unsignedInteger(value);
    if (!number)
        defects.add(std::string("status.") + key, "not a position");
    return number && *number != 0 ? number : std::nullopt;
}

std::optional<std::int64_t> timeline(const Json &status, Defects &defects)
{
    const Json *value = json::find(&status, "timeline");
    if (!value)
        return {};
    const auto number = json::integer(value);
    if (!number || *number < 0)
        defects.add("status.timeline", "not a timeline");
    return number && *number > 0 ? number : std::nullopt;
}

bool flag(const Json &status, const char *key)
{
    const Json *value = json::find(&status, key);
    const auto text = json::text(value);
    return text ? parseBoolean(*text).value_or(!text->empty()) : json::truthy(value);
}

void readRestart(const Json &status, MemberRecord &record, Defects &defects)
{
    record.pendingRestart = flag(status, "pending_restart");
    if (const Json *reasons = json::findObject(&status, "pending_restart_reason")) {
        for (const auto &[setting, change] : reasons->items()) {
            record.pendingRestartReason[setting] = {json::scalar(json::find(&change, "old_value")).value_or(""),
                                                    json::scalar(json::find(&change, "new_value")).value_or("")};
        }
    }
    const Json *restart = json::find(&status, "scheduled_restart");
    if (restart && !restart->is_object())
        defects.add("status.scheduled_restart", "not an object");
    if (!restart || !restart->is_object() || restart->empty())
        return;
    record.scheduledRestart = ScheduledRestart{json::scalar(json::find(restart, "schedule")), json::scalar(json::find(restart, "role")),
                                               json::scalar(json::find(restart, "postgres_version"))};
}

void readTags(const Json &status, MemberRecord &record, Defects &defects)
{
    const Json *tags = json::find(&status, "tags");
    if (!tags)
        return;
    if (!tags->is_object()) {
        defects.add("status.tags", "not an object");
        return;
    }
    for (const auto &[key, value] : tags->items()) {
        if (value.is_null())
            continue;
        if (auto text = json::scalar(&value))
            record.tags.emplace(key, std::move(*text));
        else
            defects.add("status.tags." + key, "not a scalar");
    }
    if (const Json *tag = json::find(tags, "nofailover"))
        record.noFailoverTag = json::truthy(tag);
}

void readStatus(const Json &status, MemberRecord &record, Defects &defects)
{
    record.reported = !status.empty();
    record.state = word(status, "state", defects);
    record.role = word(status, "role", defects);
    record.version = word(status, "version", defects);
    record.connUrl = url(status, "conn_url", defects);
    record.apiUrl = url(status, "api_url", defects);
    record.replicationState = word(status, "replication_state", defects);
    record.xlogLocation = position(status, "xlog_location", defects);
    record.receiveLsn = position(status, "receive_lsn", defects);
    record.replayLsn = position(status, "replay_lsn", defects);
    record.timeline = timeline(status, defects);
    record.pauseSeen = flag(status, "pause");
    readRestart(status, record, defects);
    readTags(status, record, defects);
}

std::string percentDecoded(std::string_view text)
{
    const auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
        result += escape ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
        i += escape ? 2 : 0;
    }
    return result;
}

// Very old members report one connection string with the API's address as its application_name.
void readConnectionString(const std::string &text, MemberRecord &record)
{
    record.reported = true;
    const auto query = text.find('?');
    record.connUrl = maskCredentials(text.substr(0, query));
    static constexpr std::string_view key = "application_name=";
    std::string_view rest = query == std::string::npos ? std::string_view() : std::string_view(text).substr(query + 1);
    while (!rest.empty()) {
        const auto end = rest.find('&');
        const auto part = rest.substr(0, end);
        if (part.starts_with(key) && part.size() > key.size())
            record.apiUrl = maskCredentials(percentDecoded(part.substr(key.size())));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
}

// The label that looks most like a role label; findRoleLabel() knows better once all members are seen.
std::optional<std::string> likelyRoleLabel(const std::map<std::string, std::string> &labels)
{
    std::optional<std::string> best;
    int bestRank = 0;
    for (const auto &[key, value] : labels) {
        const int rank = isRoleWord(value) ? roleKeyRank(key) : 0;
        if (rank > bestRank) {
            best = value;
            bestRank = rank;
        }
    }
    return best;
}

} // namespace

MemberRecord decodeMember(const KubeObject &pod, std::vector<Defect> &list)
{
    Defects defects(list, pod.name);
    MemberRecord record;
    record.name = pod.name;
    record.uid = pod.uid;
    record.pod = pod.pod.value_or(PodFacts{});
    record.deleting = pod.deletedAt.has_value();
    record.roleLabel = likelyRoleLabel(pod.labels);
    const auto text = filledAnnotation(pod, "status");
    if (!text)
        return record;
    record.statusRaw = maskCredentials(*text);
    if (text->starts_with("postgres")) {
        readConnectionString(*text, record);
        return record;
    }
    const auto status = json::parse(*text);
    if (status && status->is_object())
        readStatus(*status, record, defects);
    else
        defects.add("status", status ? "not a JSON object" : "not JSON");
    return record;
}

bool MemberRecord::noFailover() const
{
    if (noFailoverTag)
        return *noFailoverTag;
    const auto tag = tags.find("nofailover");
    if (tag != tags.end())
        return !tag->second.empty() && parseBoolean(tag->second).value_or(true);
    const auto priority = tags.find("failover_priority");
    if (priority == tags.end() || !version)
        return false;
    const auto since = compareReleases(*version, "3.2.0");
    const auto value = parseInteger(priority->second);
    return since && *since >= 0 && value && *value <= 0;
}

} // namespace switchyard::patroni
