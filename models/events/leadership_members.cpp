// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/leadership_members.h"

#include "models/events/event_detail.h"

#include <algorithm>
#include <array>
#include <set>

namespace switchyard {

using namespace patroni;

namespace {

template<std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N> &words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::set<std::string> namesIn(const Event &event, const char *key)
{
    std::set<std::string> names;
    const auto it = event.detail.find(key);
    if (it == event.detail.end())
        return names;
    const std::string &text = it->second;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        names.insert(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string statusOf(const Member &member)
{
    return member.record.state.value_or("unknown") + ' ' + member.record.role.value_or("unknown");
}

bool podRuns(const Member &member)
{
    return (!member.record.pod.phase || *member.record.pod.phase == "Running") && !member.record.deleting;
}

} // namespace

LaneState laneState(std::string_view status, bool podRuns)
{
    constexpr std::array<std::string_view, 3> serving{"running", "streaming", "in archive recovery"};
    constexpr std::array<std::string_view, 4> leading{"primary", "master", "standby_leader", "promoted"};
    const auto blank = status.rfind(' ');
    const std::string_view state = status.substr(0, blank), role = blank == std::string_view::npos ? "" : status.substr(blank + 1);
    if (!podRuns)
        return LaneState::Stopped;
    if (state.empty() || state == "unknown")
        return LaneState::Unknown;
    if (!isOneOf(state, serving))
        return LaneState::Stopped;
    return isOneOf(role, leading) ? LaneState::Unknown : LaneState::Replica; // a primary without the lock is one no more, or not yet
}

MemberLanes::MemberLanes(const Cluster &cluster, const std::vector<Event> &events)
{
    for (const Member &member : cluster.members) {
        Story &s = m_stories[member.record.name];
        s.present = true;
        s.now = laneState(statusOf(member), podRuns(member));
    }
    for (const Event &event : events)
        if (event.cluster == cluster.names.key)
            read(event);
    if (cluster.sync && cluster.sync->leader)
        for (const std::string &name : cluster.sync->standbys)
            if (const auto it = m_stories.find(name); it != m_stories.end())
                it->second.syncNow = LaneState::Sync;
}

MemberLanes::Story &MemberLanes::story(const std::string &member)
{
    const auto [it, fresh] = m_stories.try_emplace(member);
    if (fresh)
        m_former.push_back(member);
    return it->second;
}

void MemberLanes::read(const Event &event)
{
    switch (event.type) {
    case EventCode::SyncChanged: return readSync(event);
    case EventCode::MemberState: return readState(event);
    case EventCode::MemberAppeared: {
        Story &s = story(detailOf(event, "member").value_or(""));
        s.appeared.push_back(s.states.size());
        s.states.push_back({event.wall, std::nullopt, std::nullopt});
        s.podRuns = true;
        return;
    }
    case EventCode::MemberLeft: {
        Story &s = story(detailOf(event, "member").value_or(""));
        s.states.push_back({event.wall, s.states.empty() ? LaneState::Unknown : s.states.back().after.value_or(LaneState::Unknown), {}});
        return;
    }
    default: return;
    }
}

// The Pod is only named where it changed.
void MemberLanes::readState(const Event &event)
{
    Story &s = story(detailOf(event, "member").value_or(""));
    const std::string pod = detailOf(event, "pod").value_or("");
    const bool before = pod.empty() ? s.podRuns : pod == "not-running";
    s.podRuns = pod.empty() ? s.podRuns : pod == "running";
    s.states.push_back(
        {event.wall, laneState(detailOf(event, "old").value_or(""), before), laneState(detailOf(event, "new").value_or(""), s.podRuns)});
}

void MemberLanes::readSync(const Event &event)
{
    const auto before = namesIn(event, "from"), after = namesIn(event, "to");
    const auto state = [](bool is) { return is ? std::optional(LaneState::Sync) : std::nullopt; };
    std::set<std::string> all = before;
    all.insert(after.begin(), after.end());
    for (const std::string &name : all)
        if (before.contains(name) != after.contains(name))
            story(name).sync.push_back({event.wall, state(before.contains(name)), state(after.contains(name))});
}

void MemberLanes::laySeen(const TimeSpan &known, const std::vector<TimeSpan> &blind)
{
    for (auto &[name, s] : m_stories) {
        for (const std::size_t i : s.appeared)
            s.states[i].after = i + 1 < s.states.size() ? s.states[i + 1].before : s.now;
        const Spans own = told(s.states, s.now, known, blind);
        Spans replica = own;
        std::erase_if(replica, [](const LaneSpan &span) { return span.state != LaneState::Replica; });
        std::vector<TimeSpan> sync;
        for (const LaneSpan &span : told(s.sync, s.syncNow, known, blind))
            if (span.state == LaneState::Sync)
                sync.push_back({span.from, span.to, false});
        Spans synchronous = within(replica, sync);
        for (LaneSpan &span : synchronous)
            span.state = LaneState::Sync;
        s.spans = overlaid(own, synchronous);
    }
}

void MemberLanes::lay(const std::string &member, const Spans &top)
{
    Story &s = story(member);
    s.spans = overlaid(s.spans, top);
}

std::vector<Lane> MemberLanes::take()
{
    std::vector<Lane> lanes;
    for (auto &[name, s] : m_stories) // by name: the picture must not reorder when the leader changes
        if (s.present)
            lanes.push_back({name, std::move(s.spans)});
    for (const std::string &name : m_former)
        if (!name.empty() && !m_stories[name].present)
            lanes.push_back({name, std::move(m_stories[name].spans)});
    return lanes;
}

} // namespace switchyard
