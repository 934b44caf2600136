// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What Patroni's own log says: the truth that derived facts must agree with.
#include "models/patroni/cluster.h"

namespace switchyard::test {

struct LogLine
{
    enum class What {
        SteppingDown,      // "switchover: demoting myself", "manual failover: demoting myself"
        Released,          // "Leader key released"
        Promoted,          // "promoted self to leader by acquiring session lock"
        PromotedAgain,     // "promoted self to leader because I had the session lock": the lock was never lost
        RewrittenByWinner, // "Updating failover key after acquiring leader lock...": paused, only the candidate is left in it
        ClearedByWinner,   // "Cleaning up failover key after acquiring leader lock..."
        ClearedByHolder,   // the same by the leader that took its own expired lock again: "acquired session lock as a leader"
        Leads,             // "no action. I am (...), the leader with the lock": it has just renewed it
        Refused,           // a warning of the rules by which a leader clears a request
    };
    What what{};
    Instant at{};
    std::string member;
    std::optional<patroni::Refusal> reason;
    bool asStandby = false; // Promoted: to lead a standby cluster, which begins no timeline
};

std::vector<LogLine> readPatroniLog(const std::string &text);

} // namespace switchyard::test
