// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened, one line each. Codes and values; words are made in views/ and app/headless.
#include "models/patroni/cluster.h"

namespace switchyard {

enum class EventCode {
    LeaderChanged,
    LockReleased,
    LockExpired,
    LockAcquired,
    LockLate,
    TimelineAdvanced,
    RequestWritten,
    RequestCleared,
    SyncChanged,
    PauseOn,
    PauseOff,
    ConfigChanged,
    MemberAppeared,
    MemberLeft,
    MemberState,
    Undecodable,
    ConnectionLost,
    ConnectionRestored,
    ScheduleImpossible, // Patroni would throw away the scheduled request that waits, as things are now
    SchedulePossible,   // it would not any more
};
std::string_view code(EventCode c); // leader-changed lock-released ... connection-restored schedule-impossible schedule-possible
constexpr int eventCodeCount = 20;

struct Event
{
    std::string id; // hash of object uid, resourceVersion and type; of context, type and time where there is no object
    EventCode type{};
    patroni::ClusterKey cluster; // connection events: only context (and ns) are set
    Boot at{};
    Instant wall{};
    std::string object; // object name; empty for connection events
    std::string resourceVersion;
    std::map<std::string, std::string> detail; // typed parameters as text: from, to, member, old, new, seconds, error ...
    std::optional<Instant> notBefore;          // seen only after a gap in our view: happened between notBefore and wall
    bool operator==(const Event &) const = default;
};

// "leader-changed: from=alpha-0 to=alpha-1": detail as stable key=value text for exports
std::string detailText(const Event &event);

} // namespace switchyard
