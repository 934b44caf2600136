// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Events about Pods: kept for a while, as they may come before the cluster is known, and told to the clusters whose members they name.
#include "models/store/pod_events.h"

#include "models/events/pod_evidence.h"
#include "models/store/store_impl.h"

#include <algorithm>

namespace switchyard {

using patroni::ClusterKey;

bool PodEvents::put(const KubeObject &object, const Moment &moment)
{
    constexpr std::size_t kept = 1000;
    constexpr Duration again = std::chrono::minutes(1);
    const auto known = std::find_if(m_items.begin(), m_items.end(), [&](const Item &item) {
        return item.object.name == object.name && item.object.ns == object.ns && item.object.uid == object.uid;
    });
    if (known == m_items.end()) {
        m_items.push_back({object, moment, object.event->lastAt});
        if (m_items.size() > kept)
            m_items.pop_front();
        return true;
    }
    if (known->object.resourceVersion == object.resourceVersion)
        return false;
    known->object = object;
    known->moment = moment;
    const auto &at = object.event->lastAt;
    const bool worth = at && (!known->told || *at - *known->told >= again);
    if (worth)
        known->told = at;
    return worth;
}

std::vector<const PodEvents::Item *> PodEvents::of(const std::string &ns, const std::string &pod) const
{
    std::vector<const Item *> found;
    for (const Item &item : m_items) {
        if (item.object.ns == ns && item.object.event->involvedName == pod)
            found.push_back(&item);
    }
    return found;
}

std::optional<bool> PodEvents::permitted(const std::string &ns) const
{
    std::optional<bool> known;
    for (const std::string &watched : {std::string(), ns}) {
        if (const auto it = m_permitted.find(watched); it != m_permitted.end())
            known = known.value_or(false) || it->second;
    }
    return known;
}

// ---- in the store -----------------------------------------------------------------------------------------------------------------

void ClusterStore::Impl::podEvent(StoreContext &c, const KubeObject &object, const Moment &moment)
{
    const auto news = podNews(object);
    if (!news || !c.podEvents.put(object, moment))
        return;
    const std::string &member = object.event->involvedName;
    std::set<ClusterKey> to;
    if (const auto table = c.tables.find(object.ns); table != c.tables.end()) {
        for (const ClusterPart &part : table->second.partsOf({Resource::Pods, member}))
            to.insert(part.key);
    }
    for (auto it = slots.begin(); to.empty() && !moment.first && it != slots.end(); ++it) { // a member that is gone already
        if (it->first.context == c.name && it->first.ns == object.ns && it->second.track->everMembers().contains(member))
            to.insert(it->first);
    }
    for (const ClusterKey &key : to) {
        Slot *s = slot(key);
        if (!s)
            continue;
        s->track->setSink(&changes.events);
        s->track->podEvent(object, moment);
        touched.insert(key);
    }
}

void ClusterStore::Impl::podEvents(StoreContext &c, const Observation &o, const Now &at)
{
    const bool first = !c.podEvents.listed(o.ns);
    const auto momentOf = [&](const KubeObject &object, bool state) {
        return Moment{at, object.resourceVersion, std::nullopt, std::nullopt, state};
    };
    if (const auto *list = std::get_if<Listed>(&o.what)) {
        c.podEvents.setListed(o.ns);
        for (const KubeObject &object : list->items)
            podEvent(c, object, momentOf(object, first));
    } else if (const auto *change = std::get_if<Changed>(&o.what)) {
        if (change->type != EventType::Deleted) // its time is over: that is no news of the Pod
            podEvent(c, change->object, momentOf(change->object, false));
    } else if (const auto *lost = std::get_if<Lost>(&o.what); lost && lost->error.kind == ErrorKind::Forbidden) {
        c.podEvents.setPermitted(o.ns, false);
    } else {
        return;
    }
    for (auto &[key, slot] : slots) {
        if (key.context == c.name && (o.ns.empty() || key.ns == o.ns))
            slot.track->setEventsPermitted(c.podEvents.permitted(key.ns));
    }
}

// What was said of a cluster's members before the cluster was known.
void ClusterStore::Impl::feedPodEvents(const StoreContext &c, ClusterTrack &track)
{
    const std::string &ns = track.cluster().names.key.ns;
    track.setEventsPermitted(c.podEvents.permitted(ns));
    for (const std::string &member : track.everMembers()) {
        for (const PodEvents::Item *item : c.podEvents.of(ns, member)) {
            Moment moment = item->moment;
            moment.first = true;
            track.podEvent(item->object, moment);
        }
    }
}

} // namespace switchyard
