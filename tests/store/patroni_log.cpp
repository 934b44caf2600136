// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "patroni_log.h"

#include <algorithm>
#include <sstream>

namespace switchyard::test {

using patroni::Refusal;

namespace {

struct Pattern
{
    const char *words;
    LogLine::What what;
    std::optional<Refusal> reason;
};

const Pattern patterns[] = {
    {": demoting myself", LogLine::What::SteppingDown, {}},
    {"Leader key released", LogLine::What::Released, {}},
    {"the leader with the lock", LogLine::What::Leads, {}},
    {"promoted self to leader by acquiring session lock", LogLine::What::Promoted, {}},
    {"promoted self to a standby leader by acquiring session lock", LogLine::What::Promoted, {}},
    {"promoted self to leader because I had the session lock", LogLine::What::PromotedAgain, {}},
    {"Updating failover key after acquiring leader lock", LogLine::What::RewrittenByWinner, {}},
    {"Cleaning up failover key after acquiring leader lock", LogLine::What::ClearedByWinner, {}},
    {"acquired session lock as a leader", LogLine::What::ClearedByHolder, {}},
    {"Found a stale", LogLine::What::Refused, Refusal::Stale},
    {"Incorrect value of scheduled_at", LogLine::What::Refused, Refusal::NoOffset},
    {"leader name does not match", LogLine::What::Refused, Refusal::LeaderMismatch},
    {"I am already the leader", LogLine::What::Refused, Refusal::AlreadyLeader},
    {"possible only to a specific candidate in a paused state", LogLine::What::Refused, Refusal::PausedNeedsCandidate},
    {"no healthy members found", LogLine::What::Refused, Refusal::NoHealthyCandidate},
};

} // namespace

std::vector<LogLine> readPatroniLog(const std::string &text)
{
    std::vector<LogLine> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const auto colon = line.find(": ");
        if (colon == std::string::npos || line.size() < colon + 25)
            continue;
        std::string time = line.substr(colon + 2, 23);
        std::replace(time.begin(), time.end(), ',', '.');
        const auto at = parseInstant(time);
        if (!at || line.find(" UTC [") != std::string::npos) // PostgreSQL's own lines
            continue;
        for (const Pattern &p : patterns) {
            if (line.find(p.words) != std::string::npos)
                lines.push_back({p.what, *at, line.substr(0, colon), p.reason, line.find(" to a standby leader ") != std::string::npos});
        }
    }
    std::stable_sort(lines.begin(), lines.end(), [](const LogLine &a, const LogLine &b) { return a.at < b.at; });
    // A leader that never stepped down says so after it has cleared the request; without a request it cleared nothing.
    std::vector<LogLine> kept;
    for (const LogLine &line : lines) {
        if (line.what != LogLine::What::ClearedByHolder)
            kept.push_back(line);
        else if (!kept.empty() && kept.back().what == LogLine::What::ClearedByWinner && kept.back().member == line.member)
            kept.back().what = LogLine::What::ClearedByHolder;
    }
    lines = std::move(kept);
    // What the winner kept of a request while paused, it refuses to itself once it is promoted: that is how such a request ends.
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].what != LogLine::What::RewrittenByWinner)
            continue;
        const auto end = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(),
                                      [&](const LogLine &l) { return l.member == lines[i].member && l.reason == Refusal::AlreadyLeader; });
        if (end != lines.end())
            *end = {LogLine::What::ClearedByWinner, end->at, end->member, {}, false};
    }
    return lines;
}

} // namespace switchyard::test
