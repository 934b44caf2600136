// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the members of one cluster were, by what their Pods and the sync object said, lane by lane.
#include "models/events/leadership_spans.h"

namespace switchyard {

class MemberLanes
{
public:
    MemberLanes(const patroni::Cluster &cluster, const std::vector<Event> &events);
    // Their own states and the synchronous ones, where somebody looked.
    void laySeen(const TimeSpan &known, const std::vector<TimeSpan> &blind);
    void lay(const std::string &member, const Spans &top);
    std::vector<Lane> take();

private:
    struct Story
    {
        std::vector<Step> states, sync;
        std::vector<std::size_t> appeared; // of its states: what it was then, the next change tells
        std::optional<LaneState> now, syncNow;
        bool podRuns = true;
        Spans spans;
        bool present = false;
    };
    void read(const Event &event);
    void readSync(const Event &event);
    void readState(const Event &event);
    Story &story(const std::string &member);

    std::map<std::string, Story> m_stories;
    std::vector<std::string> m_former; // in the order in which they were first seen
};

// "running replica", as the events of members tell it: what it is in its lane, lock and sync object aside.
LaneState laneState(std::string_view status, bool podRuns);

} // namespace switchyard
