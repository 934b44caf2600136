// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/context_table.h"

#include "models/patroni/role_words.h"

#include <array>

namespace switchyard {

namespace {

constexpr std::array recordKeys{"leader", "acquireTime", "ttl", "renewTime", "transitions"};

// What discovery looks at: labels, and which of Patroni's own annotations there are.
std::size_t shapeOf(const KubeObject &object)
{
    std::size_t hash = object.labels.size();
    const auto add = [&](const std::string &text) { hash = hash * 1000003 + std::hash<std::string>{}(text); };
    for (const auto &[key, value] : object.labels) {
        add(key);
        // A role moves with every failover, but never to another cluster.
        add(patroni::isRoleWord(value) ? "role" : value);
    }
    for (const char *key : {"initialize", "config", "history", "acquireTime", "ttl", "renewTime", "transitions"})
        hash = hash * 31 + (object.annotations.contains(key) ? 1 : 0);
    return hash;
}

bool recordDiffers(const KubeObject &a, const KubeObject &b)
{
    for (const char *key : recordKeys) {
        const auto x = a.annotations.find(key), y = b.annotations.find(key);
        const bool hasX = x != a.annotations.end(), hasY = y != b.annotations.end();
        if (hasX != hasY || (hasX && x->second != y->second))
            return true;
    }
    return false;
}

bool isBefore(const std::string &a, const std::string &b)
{
    const auto order = compareVersions(a, b);
    return order && *order < 0;
}

} // namespace

TableChange ContextTable::put(const KubeObject &object, const Moment &moment)
{
    const Name name{object.resource, object.name};
    const auto known = m_objects.find(name);
    if (known != m_objects.end()) {
        const KubeObject &held = known->second.object;
        const bool same = object.uid == held.uid && object.resourceVersion == held.resourceVersion;
        if (same || isBefore(object.resourceVersion, held.resourceVersion))
            return {};
    } else if (endedAfter(name, object.resourceVersion)) {
        return {};
    }
    return take(object, moment);
}

TableChange ContextTable::putListed(const KubeObject &object, const Moment &moment, const ListWord &list)
{
    const Name name{object.resource, object.name};
    const auto known = m_objects.find(name);
    m_doubted.erase(name);
    if (known == m_objects.end()) {
        return !list.back && endedAfter(name, list) ? TableChange{} : take(object, moment);
    }
    const KubeObject &held = known->second.object;
    if (!list.back && isBefore(list.asked ? object.resourceVersion : list.version, held.resourceVersion))
        return {}; // seen after the list was made
    if (held == object)
        return {};
    Moment own = moment;
    own.first = moment.first || isBefore(object.resourceVersion, held.resourceVersion); // of an earlier time: a state, not news
    return take(object, own);
}

TableChange ContextTable::take(const KubeObject &object, const Moment &moment)
{
    TableChange change;
    const Name name{object.resource, object.name};
    const auto known = m_objects.find(name);
    change.taken = true;
    change.moment = moment;
    Entry next{object, shapeOf(object), moment, std::nullopt};
    if (known == m_objects.end()) {
        change.reshaped = true;
        m_objects.emplace(name, std::move(next));
    } else {
        change.reshaped = known->second.shape != next.shape;
        change.recordMoved = recordDiffers(known->second.object, object);
        next.recordMovedAt = change.recordMoved ? std::optional(moment.at()) : known->second.recordMovedAt;
        known->second = std::move(next);
    }
    if (object.resource == Resource::Pods) {
        PodState pod;
        pod.record = patroni::decodeMember(object, pod.defects);
        pod.labels = object.labels;
        pod.fact = factOf(pod.record, moment);
        if (object.annotations.contains("status") || m_index.contains(name) || m_history.contains(object.name))
            m_history[object.name].add(pod.fact);
        m_pods[object.name] = std::move(pod);
    }
    m_ends.erase(name);
    m_doubted.erase(name);
    keepEarly(name, &object, moment);
    return change;
}

void ContextTable::keepEarly(const Name &name, const KubeObject *object, const Moment &moment)
{
    constexpr std::size_t kept = 16;
    if (!name.second.ends_with("-failover") || m_index.contains(name))
        return;
    std::deque<Sight> &sights = m_early[name];
    sights.push_back({object ? std::optional(*object) : std::nullopt, moment});
    if (sights.size() > kept)
        sights.pop_front();
}

std::deque<ContextTable::Sight> ContextTable::takeEarly(const Name &name)
{
    auto node = m_early.extract(name);
    return node.empty() ? std::deque<Sight>() : std::move(node.mapped());
}

TableChange ContextTable::removeMissing(const Name &name, const Moment &moment, const ListWord &list)
{
    if (!m_objects.contains(name) || isNewer(name, list))
        return {};
    return erase(name, moment);
}

// Than the list that does not hold it.
bool ContextTable::isNewer(const Name &name, const ListWord &list) const
{
    const Entry &known = m_objects.at(name);
    if (list.asked)
        return known.moment.at() > *list.asked;
    return !list.back && isBefore(list.version, known.object.resourceVersion);
}

bool ContextTable::showsReturn(const KubeObject &object, Boot asked) const
{
    const auto known = m_objects.find({object.resource, object.name});
    return known != m_objects.end() && known->second.moment.at() <= asked
        && isBefore(object.resourceVersion, known->second.object.resourceVersion);
}

void ContextTable::doubt(const Name &name, const Moment &moment, const ListWord &list)
{
    if (m_objects.contains(name) && !isNewer(name, list))
        m_doubted.emplace(name, moment);
}

bool ContextTable::endedAfter(const Name &name, const ListWord &list) const
{
    const auto end = m_ends.find(name);
    if (list.asked)
        return end != m_ends.end() && end->second.seen > *list.asked;
    return endedAfter(name, list.version);
}

bool ContextTable::endedAfter(const Name &name, const std::string &version) const
{
    const auto end = m_ends.find(name);
    const auto order = end == m_ends.end() ? std::nullopt : compareVersions(version, end->second.version);
    return order && *order <= 0;
}

void ContextTable::startOver(Resource resource)
{
    std::erase_if(m_ends, [&](const auto &end) { return end.first.first == resource; });
    if (resource != Resource::Pods)
        return;
    m_history.clear();
    for (auto &[name, pod] : m_pods) {
        pod.fact.moment.first = true;
        m_history[name].add(pod.fact);
    }
}

void ContextTable::forget(const Name &name)
{
    m_objects.erase(name);
    m_doubted.erase(name);
    if (name.first == Resource::Pods) {
        m_pods.erase(name.second);
        m_history.erase(name.second);
    }
}

void ContextTable::forgetOldEnds(Boot now)
{
    constexpr std::size_t many = 100;
    constexpr Duration longEnough = std::chrono::minutes(5);
    if (m_ends.size() > many)
        std::erase_if(m_ends, [&](const auto &end) { return now - end.second.seen > longEnough; });
}

TableChange ContextTable::remove(const Name &name, const Moment &moment)
{
    const auto known = m_objects.find(name);
    if (known == m_objects.end() || isBefore(moment.version, known->second.object.resourceVersion))
        return {}; // the object has come back since
    return erase(name, moment);
}

TableChange ContextTable::erase(const Name &name, const Moment &moment)
{
    m_objects.erase(name);
    m_doubted.erase(name);
    forgetOldEnds(moment.at());
    m_ends[name] = {moment.version, moment.at()};
    keepEarly(name, nullptr, moment);
    if (name.first == Resource::Pods) {
        const auto pod = m_pods.find(name.second);
        if (const auto history = m_history.find(name.second); history != m_history.end() && pod != m_pods.end()) {
            MemberFact fact = pod->second.fact;
            fact.gone = true;
            fact.moment = moment;
            history->second.add(fact);
        }
        m_pods.erase(name.second);
    }
    return {true, true, false, moment};
}

const KubeObject *ContextTable::find(const Name &name) const
{
    const auto it = m_objects.find(name);
    return it == m_objects.end() ? nullptr : &it->second.object;
}

Moment ContextTable::seen(const Name &name) const
{
    const auto it = m_objects.find(name);
    return it == m_objects.end() ? Moment{} : it->second.moment;
}

std::vector<std::string> ContextTable::names(Resource resource) const
{
    std::vector<std::string> result;
    for (auto it = m_objects.lower_bound({resource, {}}); it != m_objects.end() && it->first.first == resource; ++it)
        result.push_back(it->first.second);
    return result;
}

const PodState *ContextTable::pod(const std::string &name) const
{
    const auto it = m_pods.find(name);
    return it == m_pods.end() ? nullptr : &it->second;
}

const MemberHistory *ContextTable::history(const std::string &pod) const
{
    const auto it = m_history.find(pod);
    return it == m_history.end() ? nullptr : &it->second;
}

std::vector<patroni::ClusterNames> ContextTable::discover(const std::string &context, const std::string &ns) const
{
    std::vector<const KubeObject *> objects;
    objects.reserve(m_objects.size());
    for (const auto &[name, entry] : m_objects)
        objects.push_back(&entry.object);
    return patroni::discover(context, ns, objects, [this](Resource resource, const std::string &name) -> std::optional<Boot> {
        const auto it = m_objects.find({resource, name});
        return it == m_objects.end() ? std::nullopt : it->second.recordMovedAt;
    });
}

void ContextTable::index(const std::vector<patroni::ClusterNames> &clusters)
{
    m_index.clear();
    m_bothModes = false;
    for (const patroni::ClusterNames &c : clusters) {
        m_bothModes = m_bothModes || c.otherModePresent;
        const Resource kind = c.resource();
        m_index.emplace(Name{kind, c.leaderName}, ClusterPart{c.key, Part::Leader});
        m_index.emplace(Name{kind, c.configName}, ClusterPart{c.key, Part::Config});
        m_index.emplace(Name{kind, c.syncName}, ClusterPart{c.key, Part::Sync});
        m_index.emplace(Name{kind, c.failoverName}, ClusterPart{c.key, Part::Failover});
        const Resource other = kind == Resource::Endpoints ? Resource::ConfigMaps : Resource::Endpoints;
        m_index.emplace(Name{other, c.failoverName}, ClusterPart{c.key, Part::Stray});
        for (const std::string &member : c.memberNames)
            m_index.emplace(Name{Resource::Pods, member}, ClusterPart{c.key, std::nullopt});
    }
}

std::vector<ClusterPart> ContextTable::partsOf(const Name &name) const
{
    std::vector<ClusterPart> parts;
    for (auto [it, end] = m_index.equal_range(name); it != end; ++it)
        parts.push_back(it->second);
    return parts;
}

} // namespace switchyard
