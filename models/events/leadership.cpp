// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/leadership.h"

#include "models/events/leadership_members.h"

#include <algorithm>

namespace switchyard {

using namespace patroni;

namespace {

// One time in office, as far as the log tells it.
struct Office
{
    std::string member;
    LaneSpan span{};
    bool vouched = false; // a record says so also where nobody looked
};

std::optional<Instant> beginOf(const Transition &t)
{
    return t.gainedAt ? t.gainedAt : t.notAfter;
}

std::optional<Instant> lossOf(const Transition &t)
{
    if (t.gainedAt && t.gap)
        return *t.gainedAt - *t.gap;
    if (t.lostAt)
        return t.lostAt;
    return t.gainedAt ? t.gainedAt : t.notBefore;
}

// When the gap that goes on began.
std::optional<Instant> gapSince(const Cluster &cluster, Now now)
{
    const bool gone = cluster.lock.state == LockState::Expired || cluster.lock.state == LockState::Released;
    if (!gone || cluster.view.freshness != Freshness::Live)
        return std::nullopt;
    if (const auto *request = cluster.pendingRequest(); request && request->releasedAt)
        return now.toWall(*request->releasedAt);
    const auto since = cluster.lock.state == LockState::Expired ? cluster.lock.expiresAt : cluster.lock.changedNotAfter;
    return since ? std::optional(now.toWall(*since)) : std::nullopt;
}

// Until when the last leader is known to have led, and whether it goes on.
TimeSpan lastKnown(const Cluster &cluster, Now now)
{
    if (cluster.view.freshness != Freshness::Live)
        return {{}, cluster.view.lastContact ? now.toWall(*cluster.view.lastContact) : Instant{}, false};
    if (const auto since = gapSince(cluster, now))
        return {{}, std::min(*since, now.wall), false};
    return {{}, now.wall, cluster.leaderName.has_value()};
}

// The leader whose lock is, or was last, seen.
std::optional<std::string> lastLeader(const Cluster &cluster)
{
    return cluster.leaderName ? cluster.leaderName : cluster.lock.holder;
}

Office openOffice(const Cluster &cluster, Now now)
{
    Office office;
    office.member = lastLeader(cluster).value_or("");
    const TimeSpan end = lastKnown(cluster, now);
    const auto seen = cluster.leaderSince ? std::optional(now.toWall(*cluster.leaderSince)) : std::nullopt;
    const auto begin = cluster.lock.acquireTime ? cluster.lock.acquireTime : seen;
    office.span = {.state = LaneState::Leader, .from = begin.value_or(end.to), .to = end.to, .timeline = cluster.timeline};
    office.span.openStart = !begin;
    office.span.current = end.current;
    office.vouched = cluster.lock.acquireTime.has_value();
    return office;
}

void addOffice(std::vector<Office> &offices, Office office)
{
    if (!offices.empty() && office.span.from < offices.back().span.to)
        office.span.from = offices.back().span.to;
    if (office.span.from < office.span.to)
        offices.push_back(std::move(office));
}

// Before the first transition that is known.
void addEarliest(std::vector<Office> &offices, const Transition &first, std::optional<Instant> lookedSince)
{
    const auto end = lossOf(first);
    if (!first.from || !end || !lookedSince || *lookedSince >= *end)
        return;
    LaneSpan span{.state = LaneState::Leader, .from = *lookedSince, .to = *end, .timeline = first.timelineBefore, .openStart = true};
    addOffice(offices, {*first.from, span, false});
}

std::vector<Office> officesOf(const Cluster &cluster, std::optional<Instant> lookedSince, Now now)
{
    std::vector<Office> offices;
    const auto &log = cluster.transitions;
    if (!log.empty())
        addEarliest(offices, log.front(), lookedSince);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const auto begin = beginOf(log[i]);
        if (!log[i].to || !begin)
            continue;
        Office office{*log[i].to, {.state = LaneState::Leader, .from = *begin, .to = *begin, .timeline = log[i].timeline}, false};
        office.vouched = log[i].timeline && !cluster.standby(); // on one timeline only one member can have been primary
        if (i + 1 < log.size()) {
            office.span.to = lossOf(log[i + 1]).value_or(*begin); // no time at all: how long is not known
        } else if (office.member == lastLeader(cluster)) {
            const TimeSpan end = lastKnown(cluster, now);
            office.span.to = end.to;
            office.span.current = end.current;
            if (!office.span.timeline)
                office.span.timeline = cluster.timeline;
        }
        addOffice(offices, std::move(office));
    }
    const bool told = !log.empty() && log.back().to == lastLeader(cluster) && beginOf(log.back());
    if (lastLeader(cluster) && !told)
        addOffice(offices, openOffice(cluster, now));
    return offices;
}

std::vector<TimeSpan> gapsOf(const Cluster &cluster, Now now)
{
    std::vector<TimeSpan> gaps;
    for (const Transition &t : cluster.transitions)
        if (const auto lost = lossOf(t); lost && t.gainedAt && *lost < *t.gainedAt)
            gaps.push_back({*lost, *t.gainedAt, false});
    if (const auto since = gapSince(cluster, now); since && *since < now.wall)
        gaps.push_back({*since, now.wall, true});
    return united(std::move(gaps));
}

std::optional<Instant> instantIn(const Event &event, const char *key)
{
    const auto it = event.detail.find(key);
    return it == event.detail.end() ? std::nullopt : parseInstant(it->second);
}

// The connection was lost: it was silent since the last contact, which is before the news of it.
struct Blindness
{
    std::vector<TimeSpan> all;  // nothing was seen
    std::vector<TimeSpan> pods; // nothing of the members, lock or no lock
};

// Which stream was blind: that of the lock, that of the Pods, or one that does not matter here.
void addSpot(Blindness &blind, const Event &event, Mode mode)
{
    const Instant from = instantIn(event, "from").value_or(event.notBefore.value_or(event.wall));
    const TimeSpan spot{from, instantIn(event, "to").value_or(event.wall), false};
    const auto resource = event.detail.find("resource");
    const std::string_view lock = code(mode == Mode::Endpoints ? Resource::Endpoints : Resource::ConfigMaps);
    if (resource == event.detail.end() || resource->second == lock)
        blind.all.push_back(spot);
    else if (resource->second == code(Resource::Pods))
        blind.pods.push_back(spot);
}

Blindness blindOf(const Cluster &cluster, const std::vector<Event> &events, Now now)
{
    Blindness blind;
    std::optional<Instant> lost;
    for (const Event &event : events) {
        if (!concerns(event, cluster.names.key))
            continue;
        if (event.type == EventCode::ConnectionLost && !lost)
            lost = event.wall;
        else if (event.type == EventCode::ConnectionRestored && lost)
            blind.all.push_back({*std::exchange(lost, {}), event.wall, false});
        else if (event.type == EventCode::BlindSpot)
            addSpot(blind, event, cluster.names.mode);
    }
    if (cluster.view.freshness != Freshness::Live) {
        const auto contact = cluster.view.staleSince ? cluster.view.staleSince : cluster.view.lastContact;
        blind.all.push_back({contact ? now.toWall(*contact) : lost.value_or(now.wall), now.wall, true});
    }
    blind.all = united(std::move(blind.all));
    blind.pods.insert(blind.pods.end(), blind.all.begin(), blind.all.end());
    blind.pods = united(std::move(blind.pods));
    return blind;
}

bool isMark(EventCode type)
{
    switch (type) {
    case EventCode::RequestWritten:
    case EventCode::RequestCleared:
    case EventCode::PauseOn:
    case EventCode::PauseOff:
    case EventCode::ConfigChanged:
    case EventCode::FailsafeOn:
    case EventCode::FailsafeOff: return true;
    default: return false;
    }
}

std::vector<LeadershipMark> marksOf(const ClusterKey &key, const std::vector<Event> &events)
{
    std::vector<LeadershipMark> marks;
    for (const Event &event : events)
        if (isMark(event.type) && event.cluster == key)
            marks.push_back({event.type, event.wall, event.notBefore, detailText(event)});
    std::stable_sort(marks.begin(), marks.end(), [](const LeadershipMark &a, const LeadershipMark &b) { return a.at < b.at; });
    return marks;
}

struct Unseen
{
    std::vector<TimeSpan> all, past; // past: that have come to an end
};

Unseen unseenOf(const std::vector<TimeSpan> &blind, Instant lookedSince)
{
    Unseen unseen;
    for (const TimeSpan &span : blind) {
        lookedSince = span.current ? std::min(lookedSince, span.from) : lookedSince;
        (span.current ? unseen.all : unseen.past).push_back(span);
    }
    unseen.past.push_back({Instant::min(), lookedSince, false});
    unseen.past = united(std::move(unseen.past));
    unseen.all.insert(unseen.all.end(), unseen.past.begin(), unseen.past.end());
    unseen.all = united(std::move(unseen.all));
    return unseen;
}

// Leaders: as seen where somebody looked, as vouched for where nobody did. What has not come to an end is vouched for by nobody.
void addLeaders(MemberLanes &lanes, const std::vector<Office> &offices, const Unseen &unseen)
{
    std::map<std::string, Spans> leaders;
    for (const Office &office : offices) {
        Spans &spans = leaders[office.member];
        Spans seen = without({office.span}, unseen.all), told;
        if (office.vouched)
            told = within({office.span}, unseen.past);
        for (LaneSpan &span : told)
            span.recorded = true;
        for (LaneSpan &span : overlaid(seen, told))
            append(spans, std::move(span));
    }
    for (auto &[member, spans] : leaders)
        lanes.lay(member, spans);
}

void measure(Leadership &result, Instant now)
{
    const auto widen = [&](Instant from, Instant to) {
        result.from = result.from ? std::min(*result.from, from) : from;
        result.to = result.to ? std::max(*result.to, to) : to;
    };
    for (const Lane &lane : result.lanes)
        if (!lane.spans.empty())
            widen(lane.spans.front().from, lane.spans.back().to);
    for (const auto *list : {&result.gaps, &result.blind})
        if (!list->empty())
            widen(list->front().from, list->back().to);
    if (!result.marks.empty())
        widen(result.marks.front().at, result.marks.back().at);
    if (result.from)
        widen(now, now);
}

} // namespace

std::string_view code(LaneState s)
{
    switch (s) {
    case LaneState::Leader: return "leader";
    case LaneState::Sync: return "sync";
    case LaneState::Replica: return "replica";
    case LaneState::Stopped: return "stopped";
    case LaneState::Unknown: break;
    }
    return "unknown";
}

bool concerns(const Event &event, const ClusterKey &key)
{
    if (event.detail.contains("election")) // another leader election of the namespace
        return false;
    if (event.cluster == key)
        return true;
    return event.cluster.context == key.context && event.cluster.scope.empty() && (event.cluster.ns.empty() || event.cluster.ns == key.ns);
}

std::vector<TimeSpan> united(std::vector<TimeSpan> spans)
{
    std::sort(spans.begin(), spans.end(), [](const TimeSpan &a, const TimeSpan &b) { return a.from < b.from; });
    std::vector<TimeSpan> result;
    for (const TimeSpan &span : spans) {
        if (span.to <= span.from)
            continue;
        if (result.empty() || result.back().to < span.from) {
            result.push_back(span);
            continue;
        }
        result.back().to = std::max(result.back().to, span.to);
        result.back().current = result.back().current || span.current;
    }
    return result;
}

Leadership leadership(const Cluster &cluster, const std::vector<Event> &events, std::optional<Instant> lookedSince, Now now)
{
    Leadership result;
    result.lookedSince = lookedSince;
    result.gaps = gapsOf(cluster, now);
    Blindness blind = blindOf(cluster, events, now);
    result.blind = std::move(blind.all);
    result.marks = marksOf(cluster.names.key, events);
    MemberLanes lanes(cluster, events);
    if (lookedSince)
        lanes.laySeen({*lookedSince, now.wall, true}, blind.pods);
    addLeaders(lanes, officesOf(cluster, lookedSince, now), unseenOf(result.blind, lookedSince.value_or(now.wall)));
    result.lanes = lanes.take();
    measure(result, now.wall);
    return result;
}

void prolong(Leadership &leadership, Instant now)
{
    const auto goOn = [now](auto &span) {
        if (span.current && span.to < now)
            span.to = now;
    };
    for (Lane &lane : leadership.lanes)
        if (!lane.spans.empty())
            goOn(lane.spans.back());
    if (!leadership.gaps.empty())
        goOn(leadership.gaps.back());
    if (!leadership.blind.empty())
        goOn(leadership.blind.back());
    if (leadership.to && *leadership.to < now)
        leadership.to = now;
}

} // namespace switchyard
