// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a member says of itself: GET /patroni (patroni/api.py get_postgresql_status, 2.0 - 4.1), asked through the API server.
#include "models/core/error.h"
#include "models/core/lsn.h"
#include "models/core/time.h"

#include <map>

namespace switchyard::rules {

struct LiveAnswer
{
    Boot at{};                                       // when it came, or when it was given up
    std::optional<Error> error;                      // no usable answer: the rest is unknown
    std::optional<std::string> state, role, version; // version: Patroni's
    std::optional<std::int64_t> timeline;
    std::optional<Lsn> position; // of a primary: location; else the greater of received and replayed
    std::optional<bool> noFailover, watchdogFailed, paused, pendingRestart;
    std::optional<Instant> dcsLastSeen; // by the member's own clock
    bool operator==(const LiveAnswer &) const = default;
};
using LiveAnswers = std::map<std::string, LiveAnswer>; // by member

LiveAnswer decodeLiveAnswer(std::string_view json, Boot at);

} // namespace switchyard::rules
