// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/failover_write.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array requestKeyNames{"leader", "member", "scheduled_at"};
constexpr auto citusGroup = "citus-group";
using Labels = std::map<std::string, std::string>;

tl::unexpected<Error> refuse(const patroni::Cluster &cluster, const std::string &message, const std::string &advice = {})
{
    Error error{ErrorKind::Refused};
    error.resource = std::string(code(cluster.names.resource()));
    error.ns = cluster.names.key.ns;
    error.name = cluster.names.failoverName;
    error.message = message;
    error.advice = advice;
    return tl::unexpected(error);
}

const KubeObject *objectOf(const patroni::Cluster &cluster, const std::string &role)
{
    const auto found = cluster.objects.find(role);
    return found == cluster.objects.end() ? nullptr : &found->second;
}

void keepCommon(Labels &labels, const Labels &other)
{
    std::erase_if(labels, [&](const auto &label) {
        const auto same = other.find(label.first);
        return same == other.end() || same->second != label.second;
    });
}

// Patroni's selector lies within what all its objects carry; Helm and friends add labels to some of them only.
Labels commonLabels(const patroni::Cluster &cluster)
{
    std::optional<Labels> common;
    for (const char *role : {"config", "leader"}) {
        const KubeObject *object = objectOf(cluster, role);
        if (!object)
            continue;
        if (common)
            keepCommon(*common, object->labels);
        else
            common = object->labels;
    }
    if (!common)
        return {};
    if (!cluster.members.empty())
        keepCommon(*common, cluster.commonMemberLabels);
    if (cluster.names.key.group)
        (*common)[citusGroup] = std::to_string(*cluster.names.key.group);
    return *common;
}

bool carriesScope(const Labels &labels, const patroni::Cluster &cluster)
{
    const auto found = labels.find(cluster.names.scopeLabel);
    return !cluster.names.scopeLabel.empty() && found != labels.end() && found->second == cluster.names.key.scope;
}

std::optional<std::string> viewProblem(const patroni::Cluster &cluster)
{
    const auto bar = patroni::writeBar(cluster);
    return bar ? std::optional(barText(*bar)) : std::nullopt;
}

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

QJsonObject toJson(const Labels &labels)
{
    QJsonObject json;
    for (const auto &[key, value] : labels)
        json.insert(text(key), text(value));
    return json;
}

QJsonObject annotationsJson(const RequestKeys &keys, bool nulls)
{
    QJsonObject json;
    for (const char *name : requestKeyNames) {
        const auto value = keys.find(name);
        if (value != keys.end())
            json.insert(QLatin1String(name), text(value->second));
        else if (nulls)
            json.insert(QLatin1String(name), QJsonValue::Null);
    }
    return json;
}

QByteArray patchBody(const std::string &version, const Labels &labels, const RequestKeys &keys)
{
    QJsonObject metadata{{u"annotations"_s, annotationsJson(keys, true)}, {u"resourceVersion"_s, text(version)}};
    if (!labels.empty())
        metadata.insert(u"labels"_s, toJson(labels));
    return QJsonDocument(QJsonObject{{u"metadata"_s, metadata}}).toJson(QJsonDocument::Compact);
}

QByteArray createBody(const patroni::Cluster &cluster, const Labels &labels, const RequestKeys &keys)
{
    const bool endpoints = cluster.names.mode == patroni::Mode::Endpoints;
    const QJsonObject metadata{{u"annotations"_s, annotationsJson(keys, false)},
                               {u"labels"_s, toJson(labels)},
                               {u"name"_s, text(cluster.names.failoverName)},
                               {u"namespace"_s, text(cluster.names.key.ns)}};
    const QJsonObject body{{u"apiVersion"_s, u"v1"_s}, {u"kind"_s, endpoints ? u"Endpoints"_s : u"ConfigMap"_s}, {u"metadata"_s, metadata}};
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

std::string summaryOf(const std::string &action, const patroni::Cluster &cluster, const PlannedWrite &planned)
{
    std::string line = action + " context=" + cluster.names.key.context + " cluster=" + cluster.names.key.text();
    for (const char *name : requestKeyNames) {
        const auto value = planned.after.find(name);
        if (value != planned.after.end())
            line += std::string(" ") + name + "=" + value->second;
    }
    return line + " based_on=" + planned.basedOnVersion.value_or("(new)");
}

Result<PlannedWrite> finish(const std::string &action, const patroni::Cluster &cluster, const Labels &labels, const RequestKeys &keys)
{
    PlannedWrite planned;
    planned.cluster = cluster.names.key;
    planned.after = keys;
    planned.write.path = {cluster.names.resource(), text(cluster.names.key.ns), text(cluster.names.failoverName)};
    if (const KubeObject *object = objectOf(cluster, "failover")) {
        planned.basedOnVersion = object->resourceVersion;
        planned.before = requestKeys(object->annotations);
        planned.write.verb = kube::WriteVerb::Patch;
        planned.write.body = patchBody(object->resourceVersion, labels, keys);
    } else {
        planned.write.verb = kube::WriteVerb::Create;
        planned.write.body = createBody(cluster, labels, keys);
    }
    planned.summary = summaryOf(action, cluster, planned);
    if (auto problem = inspectWrite(planned))
        return tl::unexpected(*problem);
    return planned;
}

// What patroni/ha.py process_manual_failover_from_leader refuses on the request alone, and patronictl before it is written.
std::optional<std::string> wishProblem(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (!wish.leader || wish.leader->empty())
        return "a switchover names the leader that steps down";
    if (!cluster.leaderName)
        return "nobody is known to lead this cluster";
    if (*cluster.leaderName != *wish.leader)
        return *wish.leader + " does not lead, " + *cluster.leaderName + " does";
    if (wish.candidate && *wish.candidate == *wish.leader)
        return *wish.leader + " leads already";
    const auto isCandidate = [&](const patroni::Member &member) { return member.record.name == wish.candidate; };
    if (wish.candidate && std::none_of(cluster.members.begin(), cluster.members.end(), isCandidate))
        return *wish.candidate + " is not a member of this cluster";
    const bool paused = cluster.config && cluster.config->config.paused;
    if (paused && wish.at)
        return "a paused cluster keeps a scheduled request until it is resumed";
    if (paused && !wish.candidate)
        return "in a paused cluster a switchover needs a candidate";
    return std::nullopt;
}

} // namespace

std::string barText(patroni::WriteBar bar)
{
    switch (bar) {
    case patroni::WriteBar::Stale: return "the view of this cluster is stale";
    case patroni::WriteBar::Forbidden: return "a part of this cluster may not be read";
    case patroni::WriteBar::Connecting: return "this cluster has not been listed completely yet";
    case patroni::WriteBar::LockStale: return "the view of this cluster's lock is stale";
    }
    return "the view of this cluster is unknown";
}

RequestKeys requestKeys(const std::map<std::string, std::string> &annotations)
{
    RequestKeys keys;
    for (const char *name : requestKeyNames) {
        const auto value = annotations.find(name);
        if (value != annotations.end() && !value->second.empty())
            keys.insert(*value);
    }
    return keys;
}

Result<PlannedWrite> planSwitchover(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (const auto problem = viewProblem(cluster))
        return refuse(cluster, *problem, "wait until it is live again");
    if (cluster.names.otherModePresent && cluster.lock.state != patroni::LockState::Held)
        return refuse(cluster, "Endpoints and ConfigMaps of this cluster exist and no renewal shows which kind is in use",
                      "wait until the lock has been seen to be renewed");
    if (!cluster.config || !objectOf(cluster, "config") || !objectOf(cluster, "leader"))
        return refuse(cluster, "the config object or the leader object of this cluster is missing");
    if (const auto problem = wishProblem(cluster, wish))
        return refuse(cluster, *problem);
    const Labels labels = commonLabels(cluster);
    if (!carriesScope(labels, cluster))
        return refuse(cluster, "no label common to config object, leader object and all member Pods carries the scope",
                      "Patroni would not see the request: compare the labels of these objects");
    RequestKeys keys{{"leader", wish.leader.value_or("")}};
    if (wish.candidate)
        keys["member"] = *wish.candidate;
    if (wish.at)
        keys["scheduled_at"] = formatScheduledAt(*wish.at);
    return finish("switchover", cluster, labels, keys);
}

Result<PlannedWrite> planCancel(const patroni::Cluster &cluster)
{
    if (const auto problem = viewProblem(cluster))
        return refuse(cluster, *problem, "wait until it is live again");
    const KubeObject *object = objectOf(cluster, "failover");
    if (!object)
        return refuse(cluster, "there is no request to cancel: the object does not exist");
    if (requestKeys(object->annotations).empty())
        return refuse(cluster, "there is no request to cancel: the object is empty");
    // The object is visible to Patroni by the labels it has; a set that lacks the scope would be wrong, so none is sent then.
    Labels labels = commonLabels(cluster);
    if (!carriesScope(labels, cluster))
        labels.clear();
    return finish("cancel", cluster, labels, {});
}

} // namespace switchyard::actions
