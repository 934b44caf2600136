// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/status_decode.h"

#include "models/core/object.h"

#include <climits>

namespace switchyard {

namespace {

std::optional<int> smallInteger(const json::Json *value)
{
    const auto number = json::integer(value);
    return number && *number >= 0 && *number <= INT_MAX ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// An expired resourceVersion comes as code 410, and from some servers as reason Expired or Gone with no code or with 500.
ErrorKind kindOf(int code, const std::string &reason)
{
    const bool saysGone = reason == "Expired" || reason == "Gone";
    if (code == 410 || (saysGone && (code == 0 || code == 500)))
        return ErrorKind::Gone;
    const auto is = [&](int status, const char *word) { return code == status || (code == 0 && reason == word); };
    if (is(401, "Unauthorized"))
        return ErrorKind::Unauthorized;
    if (is(403, "Forbidden"))
        return ErrorKind::Forbidden;
    if (is(404, "NotFound"))
        return ErrorKind::NotFound;
    if (is(409, "Conflict") || (code == 0 && reason == "AlreadyExists"))
        return ErrorKind::Conflict;
    if (is(429, "TooManyRequests"))
        return ErrorKind::Throttled;
    if (is(400, "BadRequest") || is(422, "Invalid"))
        return ErrorKind::BadInput;
    return ErrorKind::Server;
}

// ... cannot patch resource "endpoints" in API group ...: the only place where the server names the missing right.
void readForbidden(Error &error)
{
    static constexpr std::string_view before = " cannot ";
    static constexpr std::string_view between = " resource \"";
    const auto start = error.message.find(before);
    if (start == std::string::npos)
        return;
    const auto verbAt = start + before.size();
    const auto verbEnd = error.message.find(between, verbAt);
    if (verbEnd == std::string::npos)
        return;
    const auto resourceAt = verbEnd + between.size();
    const auto resourceEnd = error.message.find('"', resourceAt);
    const std::string verb = error.message.substr(verbAt, verbEnd - verbAt);
    if (resourceEnd == std::string::npos || verb.empty() || verb.find(' ') != std::string::npos)
        return;
    error.verb = verb;
    error.resource = error.message.substr(resourceAt, resourceEnd - resourceAt);
}

} // namespace

bool isStatus(const json::Json &value)
{
    return json::text(json::find(&value, "kind")) == "Status";
}

Error errorFromStatus(const json::Json &status)
{
    Error error;
    error.httpStatus = smallInteger(json::find(&status, "code")).value_or(0);
    error.reason = json::text(json::find(&status, "reason")).value_or("");
    error.message = json::text(json::find(&status, "message")).value_or("");
    error.kind = kindOf(error.httpStatus, error.reason);
    const json::Json *details = json::findObject(&status, "details");
    error.resource = json::text(json::find(details, "kind")).value_or("");
    error.name = json::text(json::find(details, "name")).value_or("");
    if (const auto wait = smallInteger(json::find(details, "retryAfterSeconds")); wait && *wait > 0)
        error.retryAfterSeconds = wait;
    if (error.kind == ErrorKind::Forbidden)
        readForbidden(error);
    return error;
}

std::optional<Error> decodeStatus(std::string_view text)
{
    const auto value = json::parse(text);
    return value && isStatus(*value) ? std::optional(errorFromStatus(*value)) : std::nullopt;
}

} // namespace switchyard
