// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the "who led when" picture shows, as plain values: one lane a member, spans of leadership, gaps without a leader.
#include "models/patroni/cluster.h"

namespace switchyard::views {

struct LedSpan
{
    std::optional<std::string> member; // nullopt: not recorded
    Instant from{}, to{};
    std::optional<std::int64_t> timeline;
    bool openStart = false; // led already before `from`; since when is not known
    bool current = false;   // leads now
    bool operator==(const LedSpan &) const = default;
};

struct LedGap // nobody led
{
    Instant from{}, to{};
    bool current = false;
    bool operator==(const LedGap &) const = default;
};

struct WhoLed
{
    std::vector<std::string> lanes; // present members in their order, then former leaders
    std::vector<LedSpan> spans;     // oldest first
    std::vector<LedGap> gaps;
    std::optional<Instant> from, to; // what there is to show; nullopt: nothing
    bool operator==(const WhoLed &) const = default;
};

// From the timeline history, with the lock moves and gaps that were seen live laid over it.
WhoLed whoLed(const patroni::Cluster &cluster, Now now);

} // namespace switchyard::views
