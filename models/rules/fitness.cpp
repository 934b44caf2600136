// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/fitness.h"

#include "models/rules/sync_set.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;
using patroni::Member;

bool isLeader(const Cluster &cluster, const Member &member)
{
    return member.record.name == cluster.leaderName;
}

bool runs(const Member &member)
{
    const auto &record = member.record;
    const bool podRuns = !record.pod.phase || *record.pod.phase == "Running";
    return podRuns && (record.state == "running" || record.state == "streaming");
}

// What concerns the member's own state.
void checkState(const Member &member, std::vector<Finding> &findings)
{
    const auto &record = member.record;
    if (record.deleting)
        findings.push_back({FitnessCode::Deleting, Severity::Blocks});
    if (!record.reported)
        findings.push_back({FitnessCode::NotReported, Severity::Blocks});
    else if (!runs(member))
        findings.push_back({FitnessCode::NotRunning, Severity::Blocks});
    else if (record.pod.notRunning)
        findings.push_back({FitnessCode::NotRunning, Severity::Warning}); // one of its containers; perhaps not PostgreSQL's
    if (record.noFailover())
        findings.push_back({FitnessCode::NoFailoverTag, Severity::Blocks});
}

// What Patroni compares with the cluster before it lets the leader step down.
void checkPosition(const Cluster &cluster, const Member &member, std::vector<Finding> &findings)
{
    static const patroni::DynamicConfig none;
    const patroni::DynamicConfig &config = cluster.config ? cluster.config->config : none;
    if (syncIsActive(cluster) && !inSyncSet(cluster, member.record.name))
        findings.push_back({FitnessCode::NotSyncStandby, Severity::Blocks});
    if (!member.lag)
        findings.push_back({FitnessCode::LagUnknown, Severity::Warning});
    else if (config.maximumLagOnFailover && *member.lag > *config.maximumLagOnFailover)
        findings.push_back({FitnessCode::LagOverLimit, Severity::Blocks, member.lag});
    if (member.oldTimeline)
        findings.push_back({FitnessCode::OldTimeline, config.checkTimeline ? Severity::Blocks : Severity::Warning});
}

MemberFitness fitnessOf(const Cluster &cluster, const Member &member)
{
    MemberFitness result;
    result.member = member.record.name;
    if (isLeader(cluster, member))
        result.findings.push_back({FitnessCode::IsLeader, Severity::Blocks});
    checkState(member, result.findings);
    if (!isLeader(cluster, member))
        checkPosition(cluster, member, result.findings);
    result.findings.push_back({FitnessCode::NotReachableKnown, Severity::Note});
    std::stable_sort(result.findings.begin(), result.findings.end(),
                     [](const Finding &a, const Finding &b) { return a.severity > b.severity; });
    result.fit = result.findings.front().severity != Severity::Blocks;
    return result;
}

} // namespace

std::string_view code(FitnessCode c)
{
    switch (c) {
    case FitnessCode::IsLeader: return "is-leader";
    case FitnessCode::NotReported: return "not-reported";
    case FitnessCode::NotRunning: return "not-running";
    case FitnessCode::Deleting: return "deleting";
    case FitnessCode::NoFailoverTag: return "nofailover";
    case FitnessCode::NotSyncStandby: return "not-sync-standby";
    case FitnessCode::LagOverLimit: return "lag-over-limit";
    case FitnessCode::LagUnknown: return "lag-unknown";
    case FitnessCode::OldTimeline: return "old-timeline";
    case FitnessCode::NotReachableKnown: return "not-reachable-known";
    }
    return "unknown";
}

std::vector<MemberFitness> fitness(const Cluster &cluster)
{
    std::vector<MemberFitness> result;
    result.reserve(cluster.members.size());
    for (const Member &member : cluster.members)
        result.push_back(fitnessOf(cluster, member));
    return result;
}

} // namespace switchyard::rules
