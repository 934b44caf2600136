// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Pods that hold locks, as far as Pods may be read; and what a lock for life is worth by what became of its Pod.
#include "models/election/election.h"

#include <map>

namespace switchyard::election {

// What is known of a holder's Pod.
struct HolderKnowledge
{
    std::optional<HolderPod> pod;
    bool readable = false; // that there is none would be known
    bool followed = false; // a watch tells of it
    bool stale = false;    // it was like this when Pods were last read
    bool nodeNotReady = false;
    bool operator==(const HolderKnowledge &) const = default;
};

// Of a lock with one owner that is a Pod.
State lifeState(const OwnerReference &owner, const HolderKnowledge &known);

// The name of the Pod behind an identity: client-go's holders are called POD_UUID.
std::string podNameOf(const std::string &identity);

class HolderPods
{
public:
    struct Seen
    {
        HolderPod pod;
        PodFacts facts;
        std::map<std::string, std::string> labels;
        std::string version;
        Boot at{};
        std::optional<Instant> nodeLost; // by an Event about the Pod
    };
    using Name = std::pair<std::string, std::string>; // namespace, name
    // False: it is older than what is known.
    bool put(const KubeObject &pod, Boot at, bool anew);
    bool remove(const Name &name, const std::string &version, Boot at);
    void absent(const Name &name, Boot asked); // a GET says so
    void nodeLost(const KubeObject &event);    // about a Pod
    const Seen *find(const Name &name) const;
    bool isAbsent(const Name &name) const { return m_absent.contains(name); }
    std::vector<Name> names() const;

    void setNode(const std::string &name, const std::optional<bool> &ready);
    void forgetNodes() { m_nodes.clear(); }
    const std::map<std::string, std::optional<bool>> &nodes() const { return m_nodes; }
    bool isNodeLost(const Seen &pod) const;

private:
    std::map<Name, Seen> m_pods;
    std::map<Name, std::pair<std::string, Boot>> m_absent; // version at which it ended, and when
    std::map<std::string, std::optional<bool>> m_nodes;
};

} // namespace switchyard::election
