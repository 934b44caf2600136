// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// operator-lib leader/leader.go: isPodEvicted, isPodPreempted, isNotReadyNode.
#include "models/election/holder_pods.h"

#include <algorithm>

namespace switchyard::election {

State lifeState(const OwnerReference &owner, const HolderKnowledge &known)
{
    if (known.stale)
        return State::Stale;
    if (!known.pod)
        return known.readable ? State::Orphaned : State::Unverified;
    const HolderPod &pod = *known.pod;
    if (pod.uid != owner.uid)
        return State::Recreated;
    if (known.nodeNotReady || pod.reason == "NodeLost")
        return State::NodeNotReady;
    if (pod.deleting)
        return State::Terminating;
    if (pod.phase == "Failed" && pod.reason == "Evicted")
        return State::Evicted;
    if (pod.phase == "Failed" && pod.reason == "Preempting")
        return State::Preempted;
    if (pod.phase == "Running")
        return State::Held;
    return pod.phase == "Failed" || pod.phase == "Succeeded" ? State::Stuck : State::Unverified;
}

std::string podNameOf(const std::string &identity)
{
    return identity.substr(0, identity.find('_'));
}

namespace {

bool isBefore(const std::string &a, const std::string &b)
{
    const auto order = compareVersions(a, b);
    return order && *order < 0;
}

// The Pod became ready, or stopped being it, after its node was said to be lost: that is over, or was not why. The node controller says
// both of a Pod at once, in either order. lost: not told when, if it is nothing.
bool isOver(Instant lost, const PodFacts &facts)
{
    const auto ready = std::find_if(facts.conditions.begin(), facts.conditions.end(),
                                    [](const PodCondition &c) { return c.type == "Ready"; });
    if (lost == Instant{} || ready == facts.conditions.end() || !ready->since)
        return false;
    const Duration atOnce = std::chrono::seconds(ready->status == "True" ? 0 : 10);
    return *ready->since > lost + atOnce;
}

} // namespace

bool HolderPods::put(const KubeObject &pod, Boot at, bool anew)
{
    const Name name{pod.ns, pod.name};
    const auto known = m_pods.find(name);
    if (!anew && known != m_pods.end()
        && (known->second.version == pod.resourceVersion || isBefore(pod.resourceVersion, known->second.version)))
        return false;
    const auto ended = m_absent.find(name);
    if (!anew && known == m_pods.end() && ended != m_absent.end()) {
        const auto order = compareVersions(pod.resourceVersion, ended->second.first);
        if (order && *order <= 0)
            return false;
    }
    Seen seen;
    seen.facts = pod.pod.value_or(PodFacts{});
    seen.pod = {pod.name, pod.uid, seen.facts.phase, seen.facts.reason, seen.facts.nodeName, seen.facts.ready, pod.deletedAt.has_value(),
                false};
    seen.labels = pod.labels;
    seen.version = pod.resourceVersion;
    seen.at = at;
    const bool same = known != m_pods.end() && known->second.pod.uid == pod.uid;
    const bool isReadyAgain = same && known->second.pod.ready != true && seen.pod.ready == true;
    if (same && !isReadyAgain && known->second.nodeLost && !isOver(*known->second.nodeLost, seen.facts))
        seen.nodeLost = known->second.nodeLost;
    m_pods[name] = std::move(seen);
    m_absent.erase(name);
    return true;
}

bool HolderPods::remove(const Name &name, const std::string &version, Boot at)
{
    const auto known = m_pods.find(name);
    if (known != m_pods.end() && isBefore(version, known->second.version))
        return false;
    const bool was = known != m_pods.end();
    if (was)
        m_pods.erase(known);
    const auto ended = m_absent.find(name);
    if (ended == m_absent.end() || isBefore(ended->second.first, version))
        m_absent[name] = {version, at};
    constexpr std::size_t many = 5000;
    constexpr Duration longEnough = std::chrono::minutes(5);
    if (m_absent.size() > many)
        std::erase_if(m_absent, [&](const auto &entry) { return at - entry.second.second > longEnough; });
    return was;
}

void HolderPods::absent(const Name &name, Boot asked)
{
    const auto known = m_pods.find(name);
    if (known != m_pods.end() && known->second.at > asked)
        return;
    std::string version;
    if (known != m_pods.end()) {
        version = known->second.version;
        m_pods.erase(known);
    }
    m_absent.try_emplace(name, version, asked);
}

void HolderPods::nodeLost(const KubeObject &event)
{
    const auto known = m_pods.find({event.ns, event.event->involvedName});
    if (known == m_pods.end() || (!event.event->involvedUid.empty() && event.event->involvedUid != known->second.pod.uid))
        return;
    const Instant lost = event.event->lastAt.value_or(Instant{});
    if (!isOver(lost, known->second.facts))
        known->second.nodeLost = std::max(lost, known->second.nodeLost.value_or(lost));
}

const HolderPods::Seen *HolderPods::find(const Name &name) const
{
    const auto it = m_pods.find(name);
    return it == m_pods.end() ? nullptr : &it->second;
}

std::vector<HolderPods::Name> HolderPods::names() const
{
    std::vector<Name> result;
    result.reserve(m_pods.size());
    for (const auto &[name, seen] : m_pods)
        result.push_back(name);
    return result;
}

void HolderPods::setNode(const std::string &name, const std::optional<bool> &ready)
{
    m_nodes[name] = ready;
}

// The Node itself knows best; an Event about the Pod counts until the Pod is ready again.
bool HolderPods::isNodeLost(const Seen &seen) const
{
    const auto node = m_nodes.find(seen.pod.nodeName.value_or(std::string()));
    if (node != m_nodes.end() && node->second)
        return !*node->second;
    return seen.nodeLost && seen.pod.ready != true;
}

} // namespace switchyard::election
