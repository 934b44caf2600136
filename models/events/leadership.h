// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who was what when: what the leadership timeline shows, as plain values. Pure.
//
// Time at which nobody looked (before the first look, and blind spots) is never known: members have no state there, and of leaders
// only those that the timeline history or the lock's own record vouch for.
#include "models/events/event.h"

namespace switchyard {

enum class LaneState { Leader, Sync, Replica, Stopped, Unknown };
std::string_view code(LaneState s); // leader sync replica stopped unknown

struct LaneSpan
{
    LaneState state{};
    Instant from{}, to{};
    std::optional<std::int64_t> timeline{}; // of a leader
    bool recorded = false;                  // not seen: by the timeline history, or by the lock's record
    bool openStart = false;                 // since when is not known
    bool current = false;                   // goes on
    bool operator==(const LaneSpan &) const = default;
};

struct Lane
{
    std::string member;
    std::vector<LaneSpan> spans{}; // by time, no two overlap; nothing is known where there is none
    bool operator==(const Lane &) const = default;
};

struct TimeSpan
{
    Instant from{}, to{};
    bool current = false;
    bool operator==(const TimeSpan &) const = default;
};

struct LeadershipMark
{
    EventCode type{};
    Instant at{};
    std::optional<Instant> notBefore{};
    std::string text{}; // detailText of the event
    bool operator==(const LeadershipMark &) const = default;
};

struct Leadership
{
    std::vector<Lane> lanes;           // present members by name, then former ones
    std::vector<TimeSpan> gaps;        // nobody led; by time, disjoint
    std::vector<TimeSpan> blind;       // nobody looked; by time, disjoint
    std::vector<LeadershipMark> marks; // requests, pauses, failsafe mode, configurations; by time
    std::optional<Instant> from, to;   // what there is to show; nullopt: nothing
    std::optional<Instant> lookedSince;
    bool operator==(const Leadership &) const = default;
};

// events: in order; those of other clusters and contexts are left out. lookedSince: the first look at this cluster.
Leadership leadership(const patroni::Cluster &cluster, const std::vector<Event> &events, std::optional<Instant> lookedSince, Now now);
// Time has passed and nothing happened: what goes on goes on.
void prolong(Leadership &leadership, Instant now);
// It tells of this cluster, or of the connection through which it is seen.
bool concerns(const Event &event, const patroni::ClusterKey &key);
// All of both, overlapping ones made one.
std::vector<TimeSpan> united(std::vector<TimeSpan> spans);

} // namespace switchyard
