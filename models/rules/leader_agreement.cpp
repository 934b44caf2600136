// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/leader_agreement.h"

#include "models/patroni/find_member.h"

#include <algorithm>

namespace switchyard::rules {

namespace {

using patroni::Cluster;
using patroni::Member;

bool isAnyOf(const std::string &text, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), text) != words.end();
}

bool saysFollower(const std::string &text)
{
    return isAnyOf(text, {"replica", "follower", "standby", "secondary", "sync_standby"});
}

// An address belongs to the Pod it refers to; without such a reference only another member's address proves anything.
bool namesAnother(const Cluster &cluster, const EndpointAddress &address, const std::string &holder)
{
    if (address.podName)
        return *address.podName != holder;
    return std::any_of(cluster.members.begin(), cluster.members.end(),
                       [&](const Member &member) { return member.record.name != holder && member.record.pod.podIp == address.ip; });
}

} // namespace

std::vector<std::string> leaderLabels(const Cluster &cluster)
{
    // The words are configurable: what the holder's Pod wears is one of them, unless it is a follower's.
    const Member *holder = cluster.leaderName ? findMember(cluster, *cluster.leaderName) : nullptr;
    std::optional<std::string> own = holder ? holder->record.roleLabel : std::nullopt;
    if (own && saysFollower(*own))
        own.reset();
    std::vector<std::string> names;
    for (const Member &member : cluster.members) {
        const auto &label = member.record.roleLabel;
        if (label && (label == own || isAnyOf(*label, {"master", "primary", "leader", "standby_leader", "standby-leader"})))
            names.push_back(member.record.name);
    }
    return names;
}

std::vector<std::string> leaderDisagreements(const Cluster &cluster)
{
    if (!cluster.leaderName)
        return {};
    const std::string &holder = *cluster.leaderName;
    const Member *member = findMember(cluster, holder);
    std::vector<std::string> result;
    if (!member)
        result.emplace_back("holder");
    const auto labelled = leaderLabels(cluster);
    const bool wearsFollower = member && member->record.roleLabel && saysFollower(*member->record.roleLabel);
    if (wearsFollower || (labelled.size() == 1 && labelled.front() != holder))
        result.emplace_back("label");
    const auto &addresses = cluster.leader ? cluster.leader->addresses : std::nullopt;
    if (addresses
        && std::any_of(addresses->begin(), addresses->end(), [&](const EndpointAddress &a) { return namesAnother(cluster, a, holder); }))
        result.emplace_back("address");
    return result;
}

} // namespace switchyard::rules
