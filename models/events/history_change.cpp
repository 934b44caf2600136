// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/history_change.h"

#include <algorithm>

namespace switchyard {

using patroni::HistoryEntry;

namespace {

// Told of as well as before?
bool isToldIn(const HistoryEntry &entry, const std::vector<HistoryEntry> &history)
{
    return std::any_of(history.begin(), history.end(), [&](const HistoryEntry &other) {
        return other.timeline == entry.timeline && other.lsn == entry.lsn && (!entry.newLeader || other.newLeader == entry.newLeader)
            && (!entry.endedAt || other.endedAt);
    });
}

bool areTheOldest(const std::vector<std::size_t> &lost)
{
    for (std::size_t i = 0; i < lost.size(); ++i) {
        if (lost[i] != i)
            return false;
    }
    return true;
}

} // namespace

std::string_view code(HistoryChange::Kind kind)
{
    switch (kind) {
    case HistoryChange::Kind::None: return "";
    case HistoryChange::Kind::Trimmed: return "trimmed";
    case HistoryChange::Kind::Rewritten: return "rewritten";
    case HistoryChange::Kind::Reset: return "reset";
    case HistoryChange::Kind::Incarnation: return "incarnation";
    }
    return "unknown";
}

HistoryChange historyChange(const std::vector<HistoryEntry> &before, const std::vector<HistoryEntry> &now,
                            const std::optional<std::string> &systemBefore, const std::optional<std::string> &systemNow)
{
    HistoryChange change;
    const bool anew = systemBefore && systemNow && *systemBefore != *systemNow;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (anew || !isToldIn(before[i], now))
            change.lost.push_back(i);
    }
    if (anew)
        change.kind = HistoryChange::Kind::Incarnation;
    else if (change.lost.empty())
        change.kind = HistoryChange::Kind::None;
    else if (now.empty())
        change.kind = HistoryChange::Kind::Reset;
    else if (change.lost.size() < before.size() && areTheOldest(change.lost) && now.front().timeline > before[change.lost.back()].timeline)
        change.kind = HistoryChange::Kind::Trimmed;
    else
        change.kind = HistoryChange::Kind::Rewritten;
    return change;
}

} // namespace switchyard
