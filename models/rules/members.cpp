// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/members.h"

#include <algorithm>
#include <cctype>

namespace switchyard::rules {

using namespace patroni;

namespace {

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// Whom the objects name as lock holder for display: also while our own view is stale (the page says so and is dimmed), but not
// once the lock has expired.
std::optional<std::string> shownHolder(const Cluster &cluster)
{
    switch (cluster.lock.state) {
    case LockState::Held:
    case LockState::Unverified:
    case LockState::Stale: return cluster.lock.holder;
    case LockState::Absent:
    case LockState::Released:
    case LockState::Expired: break;
    }
    return std::nullopt;
}

// Names match without regard to case since 3.0.3.
bool isSyncStandby(const Cluster &cluster, const std::string &name)
{
    if (!cluster.sync || !cluster.sync->leader || cluster.sync->unreadable || cluster.standby())
        return false;
    const auto &names = cluster.sync->standbys;
    const std::string wanted = names.empty() ? std::string() : lower(name);
    return std::any_of(names.begin(), names.end(), [&](const std::string &n) { return lower(n) == wanted; });
}

Role roleOf(const Cluster &cluster, const std::optional<std::string> &holder, const std::string &name)
{
    if (holder == name)
        return cluster.standby() ? Role::StandbyLeader : Role::Leader;
    if (isSyncStandby(cluster, name))
        return cluster.config && cluster.config->config.syncMode == SyncMode::Quorum ? Role::QuorumStandby : Role::SyncStandby;
    return Role::Replica;
}

std::optional<std::uint64_t> behind(const std::optional<Lsn> &optime, const std::optional<Lsn> &position)
{
    if (!optime || !position)
        return std::nullopt;
    return *optime > *position ? *optime - *position : 0;
}

bool reportsRunning(const MemberRecord &record)
{
    static const std::set<std::string> running{"running", "streaming", "in archive recovery"};
    return record.reported && record.state && running.contains(*record.state);
}

bool isUp(const MemberRecord &record)
{
    const bool podRuns = (!record.pod.phase || *record.pod.phase == "Running") && !record.pod.notRunning && !record.deleting;
    return podRuns && reportsRunning(record);
}

std::optional<std::int64_t> leaderTimeline(const std::vector<MemberRecord> &records, const Cluster &cluster,
                                           const std::optional<std::string> &holder)
{
    for (const MemberRecord &record : records) {
        if (holder == record.name && record.timeline)
            return record.timeline;
    }
    return cluster.timeline;
}

} // namespace

std::vector<Member> memberViews(std::vector<MemberRecord> records, const Cluster &cluster)
{
    const auto holder = shownHolder(cluster);
    const auto timeline = leaderTimeline(records, cluster, holder);
    const std::optional<Lsn> optime = cluster.leader ? cluster.leader->optime : std::nullopt;
    std::vector<Member> members;
    members.reserve(records.size());
    for (MemberRecord &record : records) {
        Member member;
        member.role = roleOf(cluster, holder, record.name);
        const bool leads = member.role == Role::Leader || member.role == Role::StandbyLeader;
        member.shownState = !leads && record.replicationState ? record.replicationState : record.state;
        member.lsn = record.xlogLocation;
        if (!leads) {
            member.lag = behind(optime, record.xlogLocation);
            member.receiveLag = behind(optime, record.receiveLsn);
            member.replayLag = behind(optime, record.replayLsn);
        }
        member.oldTimeline = !leads && timeline && record.timeline && *record.timeline < *timeline;
        member.up = isUp(record);
        member.record = std::move(record);
        members.push_back(std::move(member));
    }
    std::sort(members.begin(), members.end(), [](const Member &a, const Member &b) {
        const auto rank = [](const Member &m) { return m.role == Role::Leader || m.role == Role::StandbyLeader ? 0 : 1; };
        return std::pair(rank(a), a.record.name) < std::pair(rank(b), b.record.name);
    });
    return members;
}

} // namespace switchyard::rules
