// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/live_answer.h"

#include "models/core/json_access.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using json::Json;

LiveAnswer unusable(Boot at, const char *message)
{
    LiveAnswer answer;
    answer.at = at;
    answer.error = Error{ErrorKind::Server};
    answer.error->message = message;
    return answer;
}

bool isPrimary(const std::optional<std::string> &role)
{
    return role == "primary" || role == "master";
}

// As _MemberStatus.from_api_response (patroni/ha.py): `location` is a primary's, the other two a standby's.
std::optional<Lsn> positionOf(const Json &status, const std::optional<std::string> &role)
{
    const Json *wal = json::findObject(&status, "wal");
    if (!wal)
        wal = json::findObject(&status, "xlog");
    const auto location = json::unsignedInteger(json::find(wal, "location"));
    if (location && (*location > 0 || isPrimary(role)))
        return location;
    const auto received = json::unsignedInteger(json::find(wal, "received_location"));
    const auto replayed = json::unsignedInteger(json::find(wal, "replayed_location"));
    return received && replayed ? std::max(received, replayed) : received ? received : replayed;
}

std::optional<bool> noFailover(const Json &status)
{
    const Json *tags = json::findObject(&status, "tags");
    if (const Json *tag = json::find(tags, "nofailover"))
        return json::truthy(tag);
    if (const auto priority = json::integer(json::find(tags, "failover_priority")))
        return *priority <= 0; // only versions that know it say so
    return false;
}

std::optional<Instant> instantOf(const Json *epoch)
{
    const auto seconds = json::integer(epoch);
    constexpr std::int64_t limit = 253'402'300'800; // year 10000
    if (!seconds || *seconds <= 0 || *seconds >= limit)
        return std::nullopt;
    return Instant(std::chrono::seconds(*seconds));
}

} // namespace

LiveAnswer decodeLiveAnswer(std::string_view text, Boot at)
{
    const auto status = json::parse(text);
    if (!status || !status->is_object())
        return unusable(at, "not a JSON object");
    LiveAnswer answer;
    answer.at = at;
    answer.state = json::text(json::find(&*status, "state"));
    answer.role = json::text(json::find(&*status, "role"));
    const Json *patroni = json::findObject(&*status, "patroni");
    answer.version = json::text(json::find(patroni, "version"));
    if (!answer.state || !patroni) // something else answers on that port
        return unusable(at, "not the status of a Patroni member");
    answer.timeline = json::integer(json::find(&*status, "timeline"));
    answer.position = positionOf(*status, answer.role);
    answer.noFailover = noFailover(*status);
    answer.watchdogFailed = json::truthy(json::find(&*status, "watchdog_failed"));
    answer.paused = json::truthy(json::find(&*status, "pause"));
    answer.pendingRestart = json::truthy(json::find(&*status, "pending_restart"));
    answer.dcsLastSeen = instantOf(json::find(&*status, "dcs_last_seen"));
    return answer;
}

} // namespace switchyard::rules
