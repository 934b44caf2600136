// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lines of members' logs that explain what became of a request: Patroni says why only there. Words of 2.0 - 4.1, each with the
// place in Patroni's source that writes it. Pure: whoever may read pods/log brings the text.
#include "models/patroni/cluster.h"

namespace switchyard {

enum class LogFact {
    Waiting,          // the leader has seen the schedule
    Due,              // and starts to act on it
    Refused,          // with a reason
    MemberUnfit,      // a member that was asked and cannot take over: part of the reason
    SteppingDown,     // the leader gives way
    Released,         // the lock is free
    Racing,           // who stands back, who lost, whose candidate is unfit
    Promoted,         // who won
    RequestCleared,   // by whom and when
    RequestRewritten, // paused: the candidate alone is left in it
    Unreachable,      // no API server to be reached: the member cannot judge anything
};
std::string_view code(LogFact fact);

// When a container says nothing of the time, a line is as late as the one before it.
struct DecisionLine
{
    std::optional<Instant> at;
    LogFact fact{};
    std::optional<patroni::Refusal> reason; // Refused: the rule
    std::string text;                       // as logged, secrets masked, without the time that the API server puts before it
    std::string_view source;                // where Patroni writes it
    bool operator==(const DecisionLine &) const = default;
};

// We may have heard of the request late: lines that tell of a request count from `early` on, and with them all that follow.
struct LogWindow
{
    Instant from{}, to{};
    std::optional<Instant> early = {};
    Instant begin() const { return early.value_or(from); }
    bool operator==(const LogWindow &) const = default;
};

// What to fetch for a request, and from whom: the leader that judged it, then who took over. now: of one that is still pending.
// before: when the request before it was decided; its lines are not taken for this one's.
LogWindow decisionWindow(const patroni::RequestReport &report, Instant now, std::optional<Instant> before = {});
std::vector<std::string> decisionMembers(const patroni::RequestReport &report);

// log: what pods/log gave for one member, with or without timestamps=true. Lines without any time count as within the window.
std::vector<DecisionLine> decisionLines(std::string_view log, const LogWindow &window);
// The reason that the log gives for a refusal; nullopt: it gives none.
std::optional<patroni::Refusal> loggedReason(const std::vector<DecisionLine> &lines);

} // namespace switchyard
