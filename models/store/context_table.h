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
    Moment moment{};          // as it is to be told
};

// How much a list's word weighs.
struct ListWord
{
    std::string version;
    bool back = false; // the server's data was put back to an earlier time
    // Of objects read one by one, without a version of the whole: when they were asked for.
    std::optional<Boot> asked{};
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

    // What is older than what is known, or than the object's own end, is not taken. By a list is the later word on all that is not
    // newer than the list itself.
    TableChange put(const KubeObject &object, const Moment &moment);
    TableChange putListed(const KubeObject &object, const Moment &moment, const ListWord &list);
    TableChange remove(const Name &name, const Moment &moment);
    // What a list does not hold: gone, unless it came to be after the list.
    TableChange removeMissing(const Name &name, const Moment &moment, const ListWord &list);
    // Was the object taken over before this was asked for, and is it newer all the same? Then the server's data was put back.
    bool showsReturn(const KubeObject &object, Boot asked) const;
    // A list with a selector does not hold it: it is gone, or has lost the label. Only a GET can tell.
    void doubt(const Name &name, const Moment &moment, const ListWord &list);
    const std::map<Name, Moment> &doubted() const { return m_doubted; }
    void trust(const Name &name) { m_doubted.erase(name); }
    // The objects of the resource are of an earlier time: nothing that was known tells how old they are.
    void startOver(Resource resource);
    // Out of sight from now on, and of no interest: nobody is told.
    void forget(const Name &name);
    const KubeObject *find(const Name &name) const;
    Moment seen(const Name &name) const; // of the object as it is
    std::vector<std::string> names(Resource resource) const;
    const PodState *pod(const std::string &name) const;
    const MemberHistory *history(const std::string &pod) const;

    std::vector<patroni::ClusterNames> discover(const std::string &context, const std::string &ns) const;
    void index(const std::vector<patroni::ClusterNames> &clusters);
    std::vector<ClusterPart> partsOf(const Name &name) const;
    bool bothModes() const { return m_bothModes; }
    // A failover object that belonged to no cluster when it changed: what it was, and nullopt where it ended. Told once.
    struct Sight
    {
        std::optional<KubeObject> object;
        Moment moment;
    };
    std::deque<Sight> takeEarly(const Name &name);

private:
    struct Entry
    {
        KubeObject object;
        std::size_t shape = 0;
        Moment moment;
        std::optional<Boot> recordMovedAt;
    };
    TableChange take(const KubeObject &object, const Moment &moment);
    TableChange erase(const Name &name, const Moment &moment);
    bool endedAfter(const Name &name, const std::string &version) const; // or just then
    bool endedAfter(const Name &name, const ListWord &list) const;
    bool isNewer(const Name &name, const ListWord &list) const;
    void forgetOldEnds(Boot now);
    void keepEarly(const Name &name, const KubeObject *object, const Moment &moment);

    struct End
    {
        std::string version;
        Boot seen{};
    };
    std::map<Name, Entry> m_objects;
    std::map<Name, End> m_ends;       // of late: an object's changes may come by two ways, the slower one after its end
    std::map<Name, Moment> m_doubted; // when they may have gone
    std::map<std::string, PodState> m_pods;
    std::map<std::string, MemberHistory> m_history;
    std::multimap<Name, ClusterPart> m_index;
    std::map<Name, std::deque<Sight>> m_early;
    bool m_bothModes = false;
};

} // namespace switchyard
