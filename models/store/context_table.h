// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The objects of one context and namespace by name, and what the Pods said a while ago.
#include "models/store/cluster_track.h"

#include <memory>

namespace switchyard {

// Whether an object may be taken over, and what that meant.
struct TableChange
{
    bool taken = false;       // false: older than, or the same as, what is known
    bool reshaped = false;    // clusters may have come, gone or changed: discover again
    bool recordMoved = false; // a leader record changed
};

struct ClusterPart
{
    patroni::ClusterKey key;
    std::optional<Part> part; // nullopt: a member Pod
};

class ContextTable
{
public:
    using Name = std::pair<Resource, std::string>;

    TableChange put(const KubeObject &object, const Moment &moment);
    TableChange remove(const Name &name, const Moment &moment);
    const KubeObject *find(const Name &name) const;
    Moment seen(const Name &name) const; // of the object as it is
    std::vector<std::string> names(Resource resource) const;
    const PodState *pod(const std::string &name) const;
    const MemberHistory *history(const std::string &pod) const;

    std::vector<patroni::ClusterNames> discover(const std::string &context, const std::string &ns) const;
    void index(const std::vector<patroni::ClusterNames> &clusters);
    std::vector<ClusterPart> partsOf(const Name &name) const;
    bool bothModes() const { return m_bothModes; }

private:
    struct Entry
    {
        KubeObject object;
        std::size_t shape = 0;
        Moment moment;
        std::optional<Boot> recordMovedAt;
    };
    std::map<Name, Entry> m_objects;
    std::map<std::string, PodState> m_pods;
    std::map<std::string, MemberHistory> m_history;
    std::multimap<Name, ClusterPart> m_index;
    bool m_bothModes = false;
};

} // namespace switchyard
