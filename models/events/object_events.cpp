// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/object_events.h"

#include "models/events/event_id.h"

namespace switchyard {

using namespace patroni;

namespace {

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ",") + name;
    return text;
}

std::string textOf(bool value)
{
    return value ? "true" : "false";
}
std::string textOf(std::int64_t value)
{
    return std::to_string(value);
}
std::string textOf(const std::optional<std::string> &value)
{
    return value.value_or("unknown");
}
std::string textOf(const std::optional<Lsn> &value)
{
    return value ? std::to_string(*value) : "unknown";
}
std::string textOf(SyncMode mode)
{
    switch (mode) {
    case SyncMode::Off: return "off";
    case SyncMode::On: return "on";
    case SyncMode::Quorum: return "quorum";
    }
    return "unknown";
}

template<class T>
void compare(EventDetail &detail, const std::string &key, const T &before, const T &now)
{
    if (before == now)
        return;
    detail[key] = textOf(now);
    detail["old_" + key] = textOf(before);
}

} // namespace

void Announcer::say(EventCode type, const Moment &moment, const Subject &subject, EventDetail detail, std::string_view extra, bool always)
{
    if (!m_sink || (moment.first && !always))
        return;
    Event event;
    event.id = eventId(subject.uid, moment.version, type, extra);
    event.type = type;
    event.cluster = m_key;
    event.at = moment.at();
    event.wall = moment.seen.wall;
    event.object = subject.name;
    event.resourceVersion = moment.version;
    event.detail = std::move(detail);
    event.notBefore = moment.sinceWall();
    m_sink->push_back(std::move(event));
}

std::optional<EventDetail> syncDifference(const std::optional<SyncState> &before, const std::optional<SyncState> &now)
{
    const SyncState a = before.value_or(SyncState{}), b = now.value_or(SyncState{});
    if (a == b)
        return std::nullopt;
    EventDetail detail;
    if (b.leader)
        detail["leader"] = *b.leader;
    detail["to"] = b.leader ? joined(b.standbys) : "";
    detail["from"] = a.leader ? joined(a.standbys) : "";
    if (b.quorum)
        detail["quorum"] = std::to_string(*b.quorum);
    return detail;
}

std::optional<EventDetail> configDifference(const DynamicConfig &before, const DynamicConfig &now)
{
    if (before.raw == now.raw && before.present == now.present)
        return std::nullopt;
    EventDetail detail;
    compare(detail, "ttl", before.ttl, now.ttl);
    compare(detail, "loop_wait", before.loopWait, now.loopWait);
    compare(detail, "retry_timeout", before.retryTimeout, now.retryTimeout);
    compare(detail, "maximum_lag_on_failover", before.maximumLagOnFailover, now.maximumLagOnFailover);
    compare(detail, "check_timeline", before.checkTimeline, now.checkTimeline);
    compare(detail, "synchronous_mode", before.syncMode, now.syncMode);
    compare(detail, "synchronous_mode_strict", before.syncStrict, now.syncStrict);
    compare(detail, "synchronous_node_count", before.syncNodeCount, now.syncNodeCount);
    compare(detail, "pause", before.paused, now.paused);
    compare(detail, "standby_cluster", before.standbyCluster, now.standbyCluster);
    compare(detail, "failsafe_mode", before.failsafeMode, now.failsafeMode);
    // Everything by name; values only of what is understood: others may be secrets.
    const std::string changed = joined(changedSettings(before.raw, now.raw));
    detail["changed"] = changed.empty() ? "other" : changed;
    return detail;
}

std::optional<EventDetail> memberDifference(const MemberFact &before, const MemberFact &now)
{
    if (before.state == now.state && before.role == now.role && before.podRuns == now.podRuns)
        return std::nullopt;
    EventDetail detail{{"member", now.name}};
    detail["old"] = textOf(before.state) + ' ' + textOf(before.role);
    detail["new"] = textOf(now.state) + ' ' + textOf(now.role);
    if (before.podRuns != now.podRuns)
        detail["pod"] = now.podRuns ? "running" : "not-running";
    return detail;
}

// lost: the timelines whose end is no longer told of.
EventDetail historyDetail(const HistoryChange &change, const std::vector<HistoryEntry> &before, const std::string &systemBefore,
                          const std::string &systemNow)
{
    constexpr std::size_t named = 20;
    std::vector<std::string> lost;
    for (const std::size_t i : change.lost) {
        if (lost.size() < named)
            lost.push_back(std::to_string(before[i].timeline));
    }
    EventDetail detail{{"kind", std::string(code(change.kind))}, {"count", std::to_string(change.lost.size())}};
    if (!lost.empty())
        detail["lost"] = joined(lost) + (change.lost.size() > named ? ",..." : "");
    if (change.kind == HistoryChange::Kind::Incarnation) {
        detail["old_system"] = systemBefore;
        detail["system"] = systemNow;
    }
    return detail;
}

std::string secondsText(Duration d)
{
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(d).count());
}

std::string decimalText(Duration d)
{
    const auto tenths = std::chrono::duration_cast<std::chrono::duration<std::int64_t, std::deci>>(d).count();
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

EventDetail requestDetail(const FailoverRequest &request)
{
    EventDetail detail{{"kind", std::string(code(request.isSwitchover() ? RequestKind::Switchover : RequestKind::Failover))}};
    if (request.leader)
        detail["leader"] = *request.leader;
    if (request.member)
        detail["candidate"] = *request.member;
    if (request.scheduledAtRaw)
        detail["scheduled_at"] = *request.scheduledAtRaw;
    return detail;
}

} // namespace switchyard
