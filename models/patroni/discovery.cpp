// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/patroni/discovery.h"

#include "models/patroni/discovery_evidence.h"
#include "models/patroni/role_words.h"

#include <algorithm>
#include <tuple>

namespace switchyard::patroni {

namespace {

using Objects = std::vector<const KubeObject *>;

bool isMemberOf(const KubeObject &pod, const ScopeMatch &match)
{
    return label(pod, match.labelKey) == match.scope
        && label(pod, groupLabel) == (match.group ? std::optional(std::to_string(*match.group)) : std::nullopt);
}

bool reports(const KubeObject &pod)
{
    return pod.annotations.contains("status");
}

// Only to decide between labels of equal standing: known scope labels first, labels that everything carries last.
int keyRank(std::string_view key)
{
    for (const std::string_view known :
         {"cluster-name", "postgres-operator.crunchydata.com/patroni", "apps.kubeblocks.postgres.patroni/scope", "crunchy-pgha-scope"}) {
        if (key == known)
            return 1;
    }
    return key.starts_with("app.kubernetes.io/") || key == "app" || key == "release" ? -1 : 0;
}

// Several labels may carry the scope's text (a Helm release of the same name): the right one is on the Pods that report, and on few others.
ScopeMatch bestMatch(const std::vector<ScopeMatch> &matches, const Objects &pods)
{
    const auto score = [&](const ScopeMatch &match) {
        long reporting = 0;
        long silent = 0;
        for (const KubeObject *pod : pods) {
            if (isMemberOf(*pod, match))
                ++(reports(*pod) ? reporting : silent);
        }
        return std::tuple(reporting, keyRank(match.labelKey), -silent);
    };
    return *std::max_element(matches.begin(), matches.end(), [&](const ScopeMatch &a, const ScopeMatch &b) { return score(a) < score(b); });
}

// Evidence for a cluster: one object of one kind.
struct Found
{
    ScopeMatch match;
    std::string base;
    Mode mode{};
    const KubeObject *config = nullptr;
    const KubeObject *leader = nullptr;
};

class Finder
{
public:
    Finder(std::string context, std::string ns, const Objects &objects)
        : m_context(std::move(context))
        , m_ns(std::move(ns))
    {
        for (const KubeObject *object : objects) {
            if (!object || (!m_ns.empty() && !object->ns.empty() && object->ns != m_ns))
                continue;
            if (object->resource == Resource::Pods)
                m_pods.push_back(object);
            else if (object->resource == Resource::Endpoints || object->resource == Resource::ConfigMaps)
                m_byName[{object->resource == Resource::Endpoints ? Mode::Endpoints : Mode::ConfigMaps, object->name}] = object;
        }
    }

    std::vector<ClusterNames> clusters(const std::function<std::optional<Boot>(Resource, const std::string &)> &moved) const;

private:
    using Place = std::pair<Mode, std::string>; // mode and base

    void add(std::map<Place, Found> &found, const KubeObject &object, Mode mode, const std::string &base) const;
    std::map<Place, Found> find() const;
    const KubeObject *object(Mode mode, const std::string &name) const;
    ClusterNames names(const Found &found, bool otherMode) const;
    std::set<std::string> members(const Found &found) const;
    // Of a thousand clusters each has to find its own without looking at all Pods.
    const Objects &podsWith(const std::string &labelKey, const std::string &value) const;

    std::string m_context, m_ns;
    Objects m_pods;
    mutable std::map<std::string, std::map<std::string, Objects>> m_podsByLabel; // by key and value, of the keys asked for
    std::map<Place, const KubeObject *> m_byName;
};

const KubeObject *Finder::object(Mode mode, const std::string &name) const
{
    const auto it = m_byName.find({mode, name});
    return it == m_byName.end() ? nullptr : it->second;
}

const Objects &Finder::podsWith(const std::string &labelKey, const std::string &value) const
{
    static const Objects none;
    const auto [byValue, isNew] = m_podsByLabel.try_emplace(labelKey);
    for (const KubeObject *pod : isNew ? m_pods : none) {
        if (auto own = label(*pod, labelKey))
            byValue->second[std::move(*own)].push_back(pod);
    }
    const auto it = byValue->second.find(value);
    return it == byValue->second.end() ? none : it->second;
}

void Finder::add(std::map<Place, Found> &found, const KubeObject &object, Mode mode, const std::string &base) const
{
    if (base.empty() || found.contains({mode, base}))
        return;
    const auto matches = scopeMatches(object, base);
    if (matches.empty())
        return;
    const KubeObject *config = this->object(mode, base + "-config");
    if (config && lockHolder(*config)) // of another cluster, which is called so
        config = nullptr;
    found[{mode, base}] = {bestMatch(matches, m_pods), base, mode, config, this->object(mode, leaderNameOf(mode, base))};
}

std::map<Finder::Place, Found> Finder::find() const
{
    std::map<Place, Found> found;
    for (const auto &[place, object] : m_byName) {
        if (const auto base = configBase(*object))
            add(found, *object, place.first, *base);
    }
    // A config object may lose its annotations while the cluster runs: a leader record with labelled Pods is a cluster too.
    for (const auto &[place, object] : m_byName) {
        const auto base = leaderBase(*object);
        if (!base)
            continue;
        std::map<Place, Found> candidate;
        add(candidate, *object, place.first, *base);
        for (auto &[key, value] : candidate) {
            const auto &match = value.match;
            const Objects &pods = podsWith(match.labelKey, match.scope);
            if (!found.contains(key)
                && std::any_of(pods.begin(), pods.end(), [&](const KubeObject *pod) { return isMemberOf(*pod, match); }))
                found.emplace(key, value);
        }
    }
    return found;
}

using Labels = std::map<std::string, std::string>;

void keepCommon(std::optional<Labels> &common, const KubeObject *object)
{
    if (!object || object->labels.empty())
        return;
    if (!common) {
        common = object->labels;
        return;
    }
    std::erase_if(*common, [&](const auto &pair) { return label(*object, pair.first) != pair.second; });
}

bool ownedByJob(const KubeObject &pod)
{
    return std::any_of(pod.owners.begin(), pod.owners.end(), [](const OwnerReference &owner) { return owner.kind == "Job"; });
}

// Pods with the scope label. Those that do not report (yet) must look like those that do: backup Pods and poolers carry the label as well.
std::set<std::string> Finder::members(const Found &found) const
{
    Objects candidates;
    const Objects &pods = podsWith(found.match.labelKey, found.match.scope);
    std::copy_if(pods.begin(), pods.end(), std::back_inserter(candidates),
                 [&](const KubeObject *pod) { return isMemberOf(*pod, found.match); });
    std::optional<Labels> common;
    keepCommon(common, found.config);
    keepCommon(common, found.leader);
    bool anyReports = false;
    for (const KubeObject *pod : candidates) {
        if (reports(*pod)) {
            keepCommon(common, pod);
            anyReports = true;
        }
    }
    std::set<std::string> names;
    for (const KubeObject *pod : candidates) {
        const bool alike = !anyReports || !common
            || std::all_of(common->begin(), common->end(), [&](const auto &pair) { return label(*pod, pair.first) == pair.second; });
        if (reports(*pod) || (alike && !ownedByJob(*pod)))
            names.insert(pod->name);
    }
    return names;
}

ClusterNames Finder::names(const Found &found, bool otherMode) const
{
    ClusterNames result;
    result.key = {m_context, m_ns, found.match.scope, found.match.group, found.base};
    result.mode = found.mode;
    result.scopeLabel = found.match.labelKey;
    result.leaderName = leaderNameOf(found.mode, found.base);
    result.configName = found.base + "-config";
    result.failoverName = found.base + "-failover";
    result.syncName = found.base + "-sync";
    result.otherModePresent = otherMode;
    result.memberNames = members(found);
    return result;
}

// Which of two kinds is in use: the one whose record moves; without that knowledge the one that has a leader, then the later renewal
// (both times come from leaders' clocks, so they are only a hint).
struct Liveliness
{
    std::optional<Boot> moved;
    bool held = false;
    std::optional<Instant> renewed;
    auto operator<=>(const Liveliness &) const = default;
};

Liveliness liveliness(const Found &found, const std::function<std::optional<Boot>(Resource, const std::string &)> &moved)
{
    Liveliness result;
    if (!found.leader || !isLeaderRecord(*found.leader))
        return result;
    if (moved)
        result.moved = moved(found.leader->resource, found.leader->name);
    const auto leader = found.leader->annotations.find("leader");
    result.held = leader != found.leader->annotations.end() && !leader->second.empty();
    result.renewed = parseInstant(found.leader->annotations.at("renewTime"));
    return result;
}

std::vector<ClusterNames> Finder::clusters(const std::function<std::optional<Boot>(Resource, const std::string &)> &moved) const
{
    const auto found = find();
    std::vector<ClusterNames> result;
    for (const auto &[place, one] : found) {
        const auto &[mode, base] = place;
        const auto other = found.find({mode == Mode::Endpoints ? Mode::ConfigMaps : Mode::Endpoints, base});
        if (other == found.end()) {
            result.push_back(names(one, false));
        } else if (mode == Mode::Endpoints) { // once for the pair
            const bool endpoints = liveliness(one, moved) >= liveliness(other->second, moved);
            result.push_back(names(endpoints ? one : other->second, true));
        }
    }
    std::sort(result.begin(), result.end(), [](const ClusterNames &a, const ClusterNames &b) { return a.key < b.key; });
    return result;
}

} // namespace

std::vector<ClusterNames> discover(const std::string &context, const std::string &ns, const std::vector<const KubeObject *> &objects,
                                   const std::function<std::optional<Boot>(Resource, const std::string &)> &moved)
{
    return Finder(context, ns, objects).clusters(moved);
}

std::optional<std::string> findRoleLabel(const std::vector<const KubeObject *> &memberPods, const std::string &scopeLabel)
{
    std::map<std::string, int> uses; // -1: has a value that is no role
    for (const KubeObject *pod : memberPods) {
        for (const auto &[key, value] : pod->labels) {
            int &count = uses[key];
            count = key == scopeLabel || count < 0 || !isRoleWord(value) ? -1 : count + 1;
        }
    }
    std::optional<std::string> best;
    std::pair<int, int> bestScore{0, 0};
    for (const auto &[key, count] : uses) {
        const std::pair<int, int> score{count > 0 ? roleKeyRank(key) : -1, count};
        if (count > 0 && (!best || score > bestScore)) {
            best = key;
            bestScore = score;
        }
    }
    return best;
}

} // namespace switchyard::patroni
