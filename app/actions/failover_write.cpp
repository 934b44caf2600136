// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/failover_write.h"

#include "app/actions/plan_parts.h"
#include "models/patroni/find_member.h"
#include "models/patroni/schedule_time.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

using rules::ActionKind;

constexpr std::array requestKeyNames{"leader", "member", "scheduled_at"};
// About the failover object.
tl::unexpected<Error> refuseRequest(const patroni::Cluster &cluster, const std::string &message, const std::string &advice = {})
{
    return refuse(cluster, cluster.names.failoverName, message, advice);
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

std::string details(const RequestKeys &keys)
{
    std::string line;
    for (const char *name : requestKeyNames) {
        const auto value = keys.find(name);
        if (value != keys.end())
            line.append(" ").append(name).append("=").append(value->second);
    }
    return line;
}

Result<PlannedWrite> finish(ActionKind action, const patroni::Cluster &cluster, const Labels &labels, const RequestKeys &keys)
{
    PlannedWrite planned;
    planned.cluster = cluster.names.key;
    planned.action = action;
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
    planned.summary = summaryOf(cluster, planned, details(keys));
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
    if (wish.candidate && !patroni::findMember(cluster, *wish.candidate))
        return *wish.candidate + " is not a member of this cluster";
    const bool paused = cluster.config && cluster.config->config.paused;
    if (paused && wish.at)
        return "a paused cluster keeps a scheduled request until it is resumed";
    if (paused && !wish.candidate)
        return "in a paused cluster a switchover needs a candidate";
    return std::nullopt;
}

// As above for a failover: no leader is named, so that a member that is behind may be chosen, and a leader that is gone is no obstacle.
std::optional<std::string> failoverProblem(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (!wish.candidate || wish.candidate->empty())
        return "a failover names its candidate";
    if (wish.leader)
        return "a failover names no leader: with one it would be a switchover";
    if (wish.at)
        return "a failover cannot be scheduled";
    if (cluster.leaderName == wish.candidate)
        return *wish.candidate + " leads already";
    if (!patroni::findMember(cluster, *wish.candidate))
        return *wish.candidate + " is not a member of this cluster";
    return std::nullopt;
}

// What every write needs: a live view, and that the object is this cluster's.
std::optional<Error> objectProblem(const patroni::Cluster &cluster, ActionKind kind)
{
    if (const auto bar = viewBar(cluster, kind))
        return refuseRequest(cluster, barText(*bar), "wait until it is live again").value();
    return foreignLock(cluster, "failover");
}

// What every new request needs, before it is looked at: also the kind of objects that Patroni reads, and the object with its labels.
std::optional<Error> groundProblem(const patroni::Cluster &cluster, ActionKind kind)
{
    if (auto problem = objectProblem(cluster, kind))
        return problem;
    if (modeUnclear(cluster))
        return refuseRequest(cluster, barText(rules::ActionBar::ModeUnclear), "wait until the lock has been seen to be renewed").value();
    if (!cluster.config || !objectOf(cluster, "config") || (kind == ActionKind::Switchover && !objectOf(cluster, "leader")))
        return refuseRequest(cluster, "the config object or the leader object of this cluster is missing").value();
    return std::nullopt;
}

Result<PlannedWrite> planRequest(ActionKind kind, const patroni::Cluster &cluster, const RequestKeys &keys)
{
    const Labels labels = commonLabels(cluster);
    if (!carriesScope(labels, cluster))
        return refuseRequest(cluster, "no label common to config object, leader object and all member Pods carries the scope",
                             "Patroni would not see the request: compare the labels of these objects");
    return finish(kind, cluster, labels, keys);
}

// The object is visible to Patroni by the labels it has; a set that lacks the scope would be wrong, so none is sent then.
Result<PlannedWrite> clear(ActionKind kind, const patroni::Cluster &cluster)
{
    const Labels labels = commonLabels(cluster);
    return finish(kind, cluster, carriesScope(labels, cluster) ? labels : Labels(), {});
}

} // namespace

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
    if (auto problem = groundProblem(cluster, ActionKind::Switchover))
        return tl::unexpected(*std::move(problem));
    if (const auto problem = wishProblem(cluster, wish))
        return refuseRequest(cluster, *problem);
    RequestKeys keys{{"leader", wish.leader.value_or("")}};
    if (wish.candidate)
        keys["member"] = *wish.candidate;
    if (wish.at)
        keys["scheduled_at"] = formatScheduledAt(*wish.at);
    return planRequest(ActionKind::Switchover, cluster, keys);
}

Result<PlannedWrite> planFailover(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (auto problem = groundProblem(cluster, ActionKind::Failover))
        return tl::unexpected(*std::move(problem));
    if (const auto problem = failoverProblem(cluster, wish))
        return refuseRequest(cluster, *problem);
    return planRequest(ActionKind::Failover, cluster, {{"member", wish.candidate.value_or("")}});
}

Result<PlannedWrite> planCancel(const patroni::Cluster &cluster)
{
    if (auto problem = objectProblem(cluster, ActionKind::CancelRequest))
        return tl::unexpected(*std::move(problem));
    const KubeObject *object = objectOf(cluster, "failover");
    if (!object)
        return refuseRequest(cluster, "there is no request to cancel: the object does not exist");
    if (requestKeys(object->annotations).empty())
        return refuseRequest(cluster, "there is no request to cancel: the object is empty");
    return clear(ActionKind::CancelRequest, cluster);
}

Result<PlannedWrite> planRepair(const patroni::Cluster &cluster)
{
    if (auto problem = objectProblem(cluster, ActionKind::Repair))
        return tl::unexpected(*std::move(problem));
    const KubeObject *object = objectOf(cluster, "failover");
    const auto keys = object ? requestKeys(object->annotations) : RequestKeys();
    const auto schedule = keys.find("scheduled_at");
    if (schedule == keys.end() || patroni::readScheduleTime(schedule->second).kind != patroni::FailoverRequest::Schedule::Unparsable)
        return refuseRequest(cluster, barText(rules::ActionBar::NotUnparsable));
    return clear(ActionKind::Repair, cluster);
}

} // namespace switchyard::actions
