// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording.h"

#include "models/core/json_access.h"
#include "models/store/recording_errors.h"
#include "models/store/recording_line.h"

#include <algorithm>
#include <cmath>

namespace switchyard {

namespace {

using Members = std::map<std::string, std::string_view, std::less<>>;

Error badLine(const std::string &file, int line, std::string field, std::string message)
{
    Error error;
    error.kind = ErrorKind::BadInput;
    error.where = file + ':' + std::to_string(line);
    error.field = std::move(field);
    error.message = std::move(message);
    return error;
}

std::optional<std::string> textOf(const Members &members, std::string_view key)
{
    const auto it = members.find(key);
    if (it == members.end())
        return std::nullopt;
    const auto value = json::parse(it->second);
    return value ? json::text(&*value) : std::nullopt;
}

std::optional<double> numberOf(const Members &members, std::string_view key)
{
    const auto it = members.find(key);
    if (it == members.end())
        return std::nullopt;
    const auto value = json::parse(it->second);
    if (!value || !value->is_number())
        return std::nullopt;
    const double number = value->get<double>();
    return std::isfinite(number) && std::abs(number) < 1e12 ? std::optional(number) : std::nullopt;
}

bool contains(const std::string &text, std::string_view word)
{
    return text.find(word) != std::string::npos;
}

// What a recorder notes of a failure: an exception's text, or "list: HTTP 403".
Error failure(Resource resource, const std::string &text)
{
    Error error;
    error.kind = ErrorKind::Unreachable;
    error.resource = code(resource);
    error.message = text;
    const auto http = text.find("HTTP ");
    if (const auto status = http == std::string::npos ? std::nullopt : parseInteger(text.substr(http + 5, 3))) {
        error.httpStatus = static_cast<int>(*status);
        error.verb = contains(text, "list") ? "list" : contains(text, "watch") ? "watch" : "";
        switch (*status) {
        case 401: error.kind = ErrorKind::Unauthorized; break;
        case 403: error.kind = ErrorKind::Forbidden; break;
        case 404: error.kind = ErrorKind::NotFound; break;
        case 410: error.kind = ErrorKind::Gone; break;
        case 429: error.kind = ErrorKind::Throttled; break;
        default: error.kind = ErrorKind::Server;
        }
    }
    return error;
}

// In this program's own recordings.
Error recordedError(const Observation &o, const std::string &text)
{
    Error error = recording::errorFrom(text).value_or(failure(o.resource, text));
    error.resource = code(o.resource);
    error.ns = o.ns;
    return error;
}

// What a stream says beside its objects; false: nothing of that.
bool decodeState(Observation &o, const Members &members)
{
    if (const auto lost = textOf(members, "lost")) {
        o.what = Lost{recordedError(o, *lost)};
    } else if (const auto bad = textOf(members, "undecodable")) {
        Error error = recordedError(o, *bad);
        error.name = textOf(members, "object").value_or("");
        error.field = textOf(members, "field").value_or("");
        o.what = Undecodable{std::move(error)};
    } else if (members.contains("resumed")) {
        o.what = Resumed{};
    } else if (members.contains("contact")) {
        o.what = Contact{};
    } else {
        return false;
    }
    return true;
}

Result<Observation> decodeGet(Observation o, std::string_view text, const std::string &file, int line)
{
    const auto get = membersOf(text);
    const auto name = get ? textOf(*get, "name") : std::nullopt;
    if (!name)
        return tl::unexpected(badLine(file, line, "get", "no name of an object"));
    const std::string ns = textOf(*get, "ns").value_or("");
    if (const auto version = textOf(*get, "resourceVersion")) {
        o.what = Confirmed{*name, *version, ns};
    } else if (const auto failed = textOf(*get, "failed")) {
        o.what = ProbeFailed{*name, recordedError(o, *failed), ns};
    } else if (const auto status = numberOf(*get, "status")) {
        if (*status == 404)
            o.what = Confirmed{*name, std::nullopt, ns};
        else
            o.what = ProbeFailed{*name, failure(o.resource, "get: HTTP " + std::to_string(static_cast<int>(*status)))};
    } else if (const auto error = textOf(*get, "error")) {
        o.what = ProbeFailed{*name, failure(o.resource, *error)};
    } else {
        return tl::unexpected(badLine(file, line, "get", "neither resourceVersion, status nor error"));
    }
    return o;
}

Result<Observation> decodeEvent(Observation o, std::string_view text, const std::string &file, int line)
{
    auto event = decodeWatchEvent(o.resource, text);
    if (!event)
        return tl::unexpected(badLine(file, line, "event", describe(event.error())));
    switch (event->type) {
    case EventType::Bookmark: o.what = Bookmarked{event->object.resourceVersion}; break;
    case EventType::Failed: o.what = Lost{event->error.value_or(failure(o.resource, "the watch failed"))}; break;
    case EventType::Added:
    case EventType::Modified:
    case EventType::Deleted: o.what = Changed{event->type, std::move(event->object)}; break;
    }
    return o;
}

// "coverage":{"label":"cluster-name","names":["acme"]}. One that cannot be read must not pass for a list of everything.
Result<Coverage> decodeCoverage(std::string_view text, const std::string &file, int line)
{
    const auto value = json::parse(text);
    if (!value || !value->is_object())
        return tl::unexpected(badLine(file, line, "coverage", "not a JSON object"));
    Coverage coverage;
    const json::Json *label = json::find(&*value, "label");
    const json::Json *names = json::find(&*value, "names");
    if (label && !label->is_string())
        return tl::unexpected(badLine(file, line, "coverage", "label is no text"));
    coverage.labelKey = json::text(label).value_or("");
    if (!names)
        return coverage;
    if (!names->is_array() || names->empty())
        return tl::unexpected(badLine(file, line, "coverage", "names is no list of names"));
    for (const json::Json &item : *names) {
        const auto name = json::text(&item);
        if (!name)
            return tl::unexpected(badLine(file, line, "coverage", "names is no list of names"));
        coverage.names.push_back(*name);
    }
    return coverage;
}

// badItems: those of a list, to be told before it.
Result<Observation> decodeRecordedList(Observation o, const Members &members, const std::string &file, int line,
                                       std::vector<Error> &badItems)
{
    auto list = decodeList(o.resource, members.find("list")->second);
    if (!list)
        return tl::unexpected(badLine(file, line, "list", describe(list.error())));
    badItems = std::move(list->undecodable);
    Listed listed{list->resourceVersion, std::move(list->items)};
    if (const auto it = members.find("coverage"); it != members.end()) {
        auto coverage = decodeCoverage(it->second, file, line);
        if (!coverage)
            return tl::unexpected(coverage.error());
        listed.coverage = std::move(*coverage);
    }
    if (const auto every = numberOf(members, "every"); every && *every > 0)
        listed.every = Duration(std::llround(*every * 1e6));
    o.what = std::move(listed);
    return o;
}

Result<Observation> decodeLine(std::string_view text, const std::string &context, const std::string &file, int line,
                               std::vector<Error> &badItems)
{
    const auto members = membersOf(text);
    if (!members)
        return tl::unexpected(badLine(file, line, {}, "not a JSON object"));
    const auto t = numberOf(*members, "t");
    if (!t)
        return tl::unexpected(badLine(file, line, "t", "no time: seconds since the start of the recording"));
    const auto wallText = textOf(*members, "wall");
    const auto wall = wallText ? parseInstant(*wallText) : std::nullopt;
    if (!wall)
        return tl::unexpected(badLine(file, line, "wall", "no ISO 8601 time"));
    const auto resourceText = textOf(*members, "resource");
    const auto resource = resourceText ? resourceFromCode(*resourceText) : std::nullopt;
    if (!resource)
        return tl::unexpected(badLine(file, line, "resource", "none of endpoints, configmaps, pods, leases, events, nodes"));
    Observation o;
    o.context = textOf(*members, "context").value_or(context);
    o.ns = textOf(*members, "ns").value_or("");
    o.selector = textOf(*members, "selector").value_or("");
    o.resource = *resource;
    o.seen = Boot(Duration(std::llround(*t * 1e6)));
    o.wall = *wall;
    if (const auto aside = members->find("aside"); aside != members->end()) {
        if (aside->second != "true" && aside->second != "false")
            return tl::unexpected(badLine(file, line, "aside", "neither true nor false"));
        o.aside = aside->second == "true";
    }
    if (const auto asked = numberOf(*members, "asked"))
        o.asked = Boot(Duration(std::llround(*asked * 1e6)));
    if (decodeState(o, *members))
        return o;
    if (members->contains("list"))
        return decodeRecordedList(std::move(o), *members, file, line, badItems);
    if (const auto it = members->find("event"); it != members->end())
        return decodeEvent(std::move(o), it->second, file, line);
    if (const auto it = members->find("get"); it != members->end())
        return decodeGet(std::move(o), it->second, file, line);
    if (const auto error = textOf(*members, "error")) {
        o.what = Lost{failure(*resource, *error)};
        return o;
    }
    return tl::unexpected(badLine(file, line, {}, "none of list, event, get, error"));
}

} // namespace

Result<Observation> decodeRecordingLine(std::string_view text, const std::string &context, const std::string &file, int line)
{
    std::vector<Error> ignored;
    return decodeLine(text, context, file, line, ignored);
}

Result<std::vector<Observation>> decodeRecording(std::string_view text, const std::string &context, const std::string &file, BadLines *bad)
{
    BadLines badLines;
    std::vector<Observation> observations;
    std::optional<Error> first;
    std::size_t good = 0;
    int line = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line;
        if (one.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        std::vector<Error> badItems;
        auto observation = decodeLine(one, context, file, line, badItems);
        if (observation) {
            ++good;
            for (Error &error : badItems) {
                Observation item = *observation;
                error.where = file + ':' + std::to_string(line);
                item.what = Undecodable{std::move(error)};
                observations.push_back(std::move(item));
            }
            observations.push_back(std::move(*observation));
            continue;
        }
        if (badLines.count++ == 0)
            badLines.first = line;
        if (!first)
            first = observation.error();
        Observation unread;
        unread.context = context;
        if (!observations.empty()) {
            unread.seen = observations.back().seen;
            unread.wall = observations.back().wall;
            unread.resource = observations.back().resource;
        }
        unread.what = Undecodable{observation.error()};
        observations.push_back(std::move(unread));
    }
    if (bad)
        *bad = badLines;
    if (good == 0)
        return tl::unexpected(first.value_or(badLine(file, 1, {}, "the recording is empty")));
    std::stable_sort(observations.begin(), observations.end(), [](const Observation &a, const Observation &b) { return a.seen < b.seen; });
    return observations;
}

void replay(ClusterStore &store, const std::vector<Observation> &observations, std::optional<Boot> until,
            const std::function<void(const StoreChanges &)> &onChanges, const std::function<void(const Observation &)> &onEach)
{
    const auto tell = [&](const StoreChanges &changes) {
        if (onChanges && !changes.empty())
            onChanges(changes);
    };
    std::optional<Now> last;
    for (const Observation &o : observations) {
        if (until && o.seen > *until)
            continue;
        // A cluster's clock goes by its own stream, so applying lets its time pass.
        tell(store.apply(o));
        if (onEach)
            onEach(o);
        if (!last || o.seen > last->boot)
            last = Now{o.seen, o.wall};
    }
    if (last && until && *until > last->boot)
        last = Now{*until, last->wall + (*until - last->boot)};
    if (last)
        tell(store.advance(*last));
}

} // namespace switchyard
