// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/json_access.h"
#include "models/patroni/decode_support.h"

namespace switchyard::patroni {

namespace {

using json::Json;

constexpr std::int64_t lastTimeline = 0xFFFFFFFF; // PostgreSQL's timelines have 32 bits

const Json *element(const Json &row, std::size_t index)
{
    return index < row.size() && !row[index].is_null() ? &row[index] : nullptr;
}

// [timeline that ended, position, reason, time, new leader]; the last two came with later versions.
std::optional<HistoryEntry> entry(const Json &row, const std::string &field, Defects &defects)
{
    if (!row.is_array()) {
        defects.add(field, "not an array");
        return {};
    }
    const auto timeline = json::integer(element(row, 0));
    const auto lsn = json::unsignedInteger(element(row, 1));
    if (!timeline || *timeline < 0 || *timeline >= lastTimeline || !lsn) {
        defects.add(field, "no timeline and position");
        return {};
    }
    HistoryEntry result;
    result.timeline = *timeline;
    result.lsn = *lsn;
    result.reason = json::scalar(element(row, 2)).value_or("");
    if (auto time = json::text(element(row, 3)); time && !time->empty()) {
        result.endedAt = parseInstant(*time);
        if (!result.endedAt)
            defects.add(field + "[3]", "not a time");
        result.endedAtRaw = std::move(time);
    }
    if (auto leader = json::text(element(row, 4)); leader && !leader->empty())
        result.newLeader = std::move(leader);
    return result;
}

} // namespace

TimelineHistory decodeHistory(const std::optional<std::string> &text, std::vector<Defect> &list, const std::string &object)
{
    Defects defects(list, object);
    TimelineHistory result;
    result.currentTimeline = 1;
    if (!text)
        return result;
    const auto value = json::parse(*text);
    if (!value || !value->is_array()) {
        defects.add("history", value ? "not a JSON array" : "not JSON");
        return {false, {}, {}};
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        auto read = entry((*value)[i], "history[" + std::to_string(i) + "]", defects);
        // The present timeline follows from the last row alone.
        result.currentTimeline = read ? std::optional(read->timeline + 1) : std::nullopt;
        if (read)
            result.entries.push_back(std::move(*read));
    }
    result.readable = result.currentTimeline.has_value();
    return result;
}

} // namespace switchyard::patroni
