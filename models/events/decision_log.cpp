// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/decision_log.h"

#include "models/patroni/mask.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;
using std::chrono::seconds;

namespace {

struct Pattern
{
    std::string_view words; // all that stand in the line, separated by '|'
    LogFact fact;
    std::optional<Refusal> reason;
    std::string_view source;
};

constexpr std::string_view judge = "patroni/ha.py process_manual_failover_from_leader, 2.0 - 4.1";
constexpr std::string_view schedule = "patroni/ha.py should_run_scheduled_action, 2.0 - 4.1";
constexpr std::string_view possible = "patroni/ha.py is_failover_possible, 2.0 - 4.1";
constexpr std::string_view race = "patroni/ha.py manual_failover_process_no_leader, 2.0 - 4.1";
constexpr std::string_view winner = "patroni/ha.py process_unhealthy_cluster, 2.0 - 4.1";

// The first that fits counts. "switchover:" since 3.2, "manual failover:" before and for failovers.
const Pattern patterns[] = {
    {"Awaiting | at | seconds)", LogFact::Waiting, {}, schedule},
    {"Manual scheduled ", LogFact::Due, {}, schedule},
    {"Found a stale | value, cleaning up", LogFact::Refused, Refusal::Stale, schedule},
    {"Incorrect value of scheduled_at", LogFact::Refused, Refusal::NoOffset, schedule},
    {"leader name does not match", LogFact::Refused, Refusal::LeaderMismatch, judge},
    {"I am already the leader, no need to", LogFact::Refused, Refusal::AlreadyLeader, judge},
    {"possible only to a specific candidate in a paused state", LogFact::Refused, Refusal::PausedNeedsCandidate, judge},
    {" candidate=| does not match with sync_standbys", LogFact::Refused, Refusal::NotSyncStandby, possible},
    {"no healthy members found", LogFact::Refused, Refusal::NoHealthyCandidate, judge},
    {": candidates list is empty", LogFact::MemberUnfit, {}, "patroni/ha.py is_failover_possible, 3.2 - 4.1"},
    {": members list is empty", LogFact::MemberUnfit, {}, "patroni/ha.py is_failover_possible, 2.0 - 3.1"},
    {"Member | exceeds maximum replication lag", LogFact::MemberUnfit, {}, possible},
    {"Timeline | of member | is behind the cluster timeline", LogFact::MemberUnfit, {}, possible},
    {"Quorum requirement | can not be reached", LogFact::MemberUnfit, {}, "patroni/ha.py is_failover_possible, 4.0 - 4.1"},
    {"removing failover key because failover candidate is not running", LogFact::RequestCleared, {}, race},
    {": demoting myself", LogFact::SteppingDown, {}, judge},
    {"Demoting self (graceful)", LogFact::SteppingDown, {}, "patroni/ha.py demote, 2.0 - 4.1"},
    {"Leader key released", LogFact::Released, {}, "patroni/ha.py release_leader_key_voluntarily, 2.0 - 4.1"},
    {": member | is ", LogFact::Racing, {}, race},
    {": to |, i am ", LogFact::Racing, {}, race},
    {"Member | is ", LogFact::MemberUnfit, {}, possible},
    {"Could not take out TTL lock", LogFact::Racing, {}, "patroni/dcs/kubernetes.py attempt_to_acquire_leader, 2.0 - 4.1"},
    {"following new leader after trying and failing to obtain lock", LogFact::Racing, {}, winner},
    {"because i am not the healthiest node", LogFact::Racing, {}, winner},
    {"because I am not allowed to promote", LogFact::Racing, {}, winner},
    {"promoted self to | by acquiring session lock", LogFact::Promoted, {}, winner},
    {"acquired session lock as a leader", LogFact::Promoted, {}, winner},
    {"Updating failover key after acquiring leader lock", LogFact::RequestRewritten, {}, winner},
    {"Cleaning up failover key", LogFact::RequestCleared, {}, judge},
    {"DCS is not accessible", LogFact::Unreachable, {}, "patroni/ha.py _run_cycle, 2.0 - 4.1"},
    {"continue to run as a leader because failsafe mode is enabled", LogFact::Unreachable, {}, "patroni/ha.py _run_cycle, 3.0 - 4.1"},
};

bool fits(const std::string_view line, std::string_view words)
{
    std::size_t from = 0;
    while (!words.empty()) {
        const std::size_t bar = words.find('|');
        const std::string_view part = words.substr(0, bar);
        const std::size_t at = line.find(part, from);
        if (at == std::string_view::npos)
            return false;
        from = at + part.size();
        words = bar == std::string_view::npos ? std::string_view() : words.substr(bar + 1);
    }
    return true;
}

// PostgreSQL logs into the same stream; what it says is not Patroni's word.
bool isPatronis(std::string_view line)
{
    for (const std::string_view level : {"INFO", "WARNING", "ERROR"}) {
        if (line.find(level) != std::string_view::npos)
            return line.find("] LOG:") == std::string_view::npos && line.find("] FATAL:") == std::string_view::npos
                && line.find("] STATEMENT:") == std::string_view::npos;
    }
    return false;
}

// "2031-02-03T01:30:00.123456789Z rest", as timestamps=true has it
std::optional<Instant> takeStamp(std::string_view &line)
{
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || space < 20 || line[10] != 'T' || line[space - 1] != 'Z')
        return std::nullopt;
    const auto at = parseInstant(std::string(line.substr(0, space)));
    if (at)
        line.remove_prefix(space + 1);
    return at;
}

// Patroni's own time, by the container's clock and zone: UTC unless somebody set another one.
std::optional<Instant> ownTime(std::string_view line)
{
    constexpr std::size_t length = 23;
    if (line.size() < length || line[4] != '-' || line[10] != ' ')
        return std::nullopt;
    std::string text(line.substr(0, length));
    std::replace(text.begin(), text.end(), ',', '.');
    return parseInstant(text);
}

std::optional<DecisionLine> decisionOf(std::string_view line)
{
    if (!isPatronis(line))
        return std::nullopt;
    const auto *const found = std::find_if(std::begin(patterns), std::end(patterns),
                                           [&](const Pattern &pattern) { return fits(line, pattern.words); });
    if (found == std::end(patterns))
        return std::nullopt;
    return DecisionLine{{}, found->fact, found->reason, maskCredentials(line), found->source};
}

bool tellsOfRequest(LogFact fact)
{
    switch (fact) {
    case LogFact::Waiting:
    case LogFact::Due:
    case LogFact::Refused:
    case LogFact::MemberUnfit:
    case LogFact::SteppingDown:
    case LogFact::RequestCleared:
    case LogFact::RequestRewritten: return true;
    case LogFact::Released:
    case LogFact::Racing:
    case LogFact::Promoted:
    case LogFact::Unreachable: break;
    }
    return false;
}

} // namespace

std::string_view code(LogFact fact)
{
    switch (fact) {
    case LogFact::Waiting: return "waiting";
    case LogFact::Due: return "due";
    case LogFact::Refused: return "refused";
    case LogFact::MemberUnfit: return "member-unfit";
    case LogFact::SteppingDown: return "stepping-down";
    case LogFact::Released: return "released";
    case LogFact::Racing: return "racing";
    case LogFact::Promoted: return "promoted";
    case LogFact::RequestCleared: return "request-cleared";
    case LogFact::RequestRewritten: return "request-rewritten";
    case LogFact::Unreachable: return "unreachable";
    }
    return "unknown";
}

LogWindow decisionWindow(const RequestReport &report, Instant now, std::optional<Instant> before)
{
    constexpr seconds margin(2), heardLate(30), after(5);
    Instant from = report.seenWall.value_or(now);
    // Weeks may lie between a schedule and its time.
    if (report.request.scheduledAt && *report.request.scheduledAt > from && !report.releasedWall)
        from = std::max(from, std::min(*report.request.scheduledAt, report.decidedWall.value_or(now)) - seconds(60));
    else if (report.releasedWall)
        from = std::max(from, *report.releasedWall - seconds(60));
    Instant early = from - heardLate;
    if (before)
        early = std::min(std::max(early, *before), from - margin);
    return {from - margin, report.decidedWall.value_or(now) + after, early};
}

std::vector<std::string> decisionMembers(const RequestReport &report)
{
    std::vector<std::string> members;
    for (const auto &name : {report.leaderBefore, report.newLeader}) {
        if (name && std::find(members.begin(), members.end(), *name) == members.end())
            members.push_back(*name);
    }
    return members;
}

std::vector<DecisionLine> decisionLines(std::string_view log, const LogWindow &window)
{
    std::vector<DecisionLine> lines;
    std::optional<Instant> at;
    bool begun = false; // before `from`, a line told of a request
    while (!log.empty()) {
        const std::size_t end = log.find('\n');
        std::string_view line = log.substr(0, end);
        log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
        const auto stamp = takeStamp(line);
        const auto time = stamp ? stamp : ownTime(line);
        at = time ? time : at;
        if (at && (*at < window.begin() || *at > window.to))
            continue;
        if (auto decision = decisionOf(line)) {
            begun = begun || tellsOfRequest(decision->fact);
            if (at && *at < window.from && !begun)
                continue;
            decision->at = at;
            lines.push_back(std::move(*decision));
        }
    }
    return lines;
}

// "Not in the synchronous set" comes before "no healthy members found", which follows from it.
std::optional<Refusal> loggedReason(const std::vector<DecisionLine> &lines)
{
    std::optional<Refusal> reason;
    for (const DecisionLine &line : lines) {
        if (line.fact == LogFact::Refused && !(line.reason == Refusal::NoHealthyCandidate && reason == Refusal::NotSyncStandby))
            reason = line.reason;
    }
    return reason;
}

} // namespace switchyard
