// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What became of a write that is no switchover or failover (those have patroni::RequestReport): from the cluster's values as they are seen
// after it, never from its answer. Pure: a trace takes up one view of the cluster after another. As long as nothing was seen there is no
// outcome, and that means unknown.
#include "models/rules/action.h"

namespace switchyard::rules {

enum class WriteOutcome {
    NotYet,        // not-yet: it was seen, and is not complete; the detail says what is missing
    InForce,       // in-force: the objects say what was asked for, and all members that report do
    ChangedAgain,  // changed-again: it was in force, and somebody changed it again
    Undone,        // undone: somebody took it back before it was complete
    CameBack,      // came-back: the member was seen to go, and to run again
    NotSeen,       // not-seen: its time is past, and nothing that was seen tells
    NotObservable, // not-observable: no object ever tells
    TooLate,       // too-late: what was to be cancelled was carried out
};
constexpr int writeOutcomeCount = 8;
std::string_view code(WriteOutcome outcome);

struct WriteTrace
{
    // What was asked, and what was there before
    ActionKind kind{};
    std::optional<std::string> member;     // whose server was called
    std::optional<Instant> at;             // when a scheduled restart is due, also one that is cancelled
    std::string configBefore, configAfter; // EditConfig: the settings that differ are those that count
    std::optional<std::string> request;    // CancelRequest, Repair: id of what was pending
    bool restartPending = false;
    std::optional<std::string> version; // that the object got by it, where an answer told
    bool answered = false;              // it was answered that it is done, and not only inferred
    // What was seen since
    bool begun = false;
    std::optional<WriteOutcome> outcome;
    std::string detail{}; // "waiting=acme-0,acme-2"
    std::optional<Boot> since{};
    bool operator==(const WriteTrace &) const = default;
};

// As of before it is sent. `member`: of a REST call.
WriteTrace traceOf(const patroni::Cluster &cluster, const ActionWish &wish, const std::optional<std::string> &member);
// One more view of the cluster. One that may be old tells nothing.
void observe(WriteTrace &trace, const patroni::Cluster &cluster, Now now);
// Nothing that is seen later belongs to it. What is in force is followed a while: operators take changes back.
bool isSettled(const WriteTrace &trace, Now now);
constexpr Duration followedFor = std::chrono::minutes(5);

} // namespace switchyard::rules
