// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/inspect_write.h"

#include "app/actions/config_text.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

using Problem = std::optional<std::string>;
using rules::ActionKind;

bool writesConfig(ActionKind kind)
{
    return kind == ActionKind::Pause || kind == ActionKind::Resume || kind == ActionKind::EditConfig;
}

// The object of the action and of nothing else: a write to leader, sync or Pod objects can demote a running primary.
Problem targetProblem(const PlannedWrite &planned)
{
    const kube::Path &path = planned.write.path;
    if (path.resource != Resource::Endpoints && path.resource != Resource::ConfigMaps)
        return "only Endpoints and ConfigMaps hold requests and configuration";
    if (path.proxy || path.log || path.metadataOnly || planned.member)
        return "an object is written by its own path";
    if (path.ns.isEmpty() || path.ns.toStdString() != planned.cluster.ns)
        return "the namespace is not the cluster's";
    if (planned.cluster.base.empty())
        return "the cluster has no name";
    const std::string name = path.name.toStdString();
    if (rules::writesRequest(planned.action))
        return name == planned.cluster.base + "-failover" ? std::nullopt : Problem("only the failover object of the cluster is written");
    if (writesConfig(planned.action))
        return name == planned.cluster.base + "-config" ? std::nullopt : Problem("only the config object of the cluster is written");
    return "this action writes no object";
}

Problem requestProblem(const QJsonObject &annotations, const PlannedWrite &planned)
{
    const bool patch = planned.write.verb == kube::WriteVerb::Patch;
    qsizetype known = 0;
    for (const QString &key : {u"leader"_s, u"member"_s, u"scheduled_at"_s}) {
        const QJsonValue value = annotations.value(key);
        const auto wanted = planned.after.find(key.toStdString());
        const bool asWanted = wanted == planned.after.end()
            ? (patch ? value.isNull() : value.isUndefined())
            : value.isString() && !value.toString().isEmpty() && value.toString().toStdString() == wanted->second;
        if (!asWanted)
            return "annotation " + key.toStdString() + " is not as planned";
        known += value.isUndefined() ? 0 : 1;
    }
    if (annotations.size() != known)
        return "foreign annotations are not touched";
    const QJsonValue schedule = annotations.value("scheduled_at"_L1);
    if (schedule.isString() && !isStrictSchedule(schedule.toString().toStdString()))
        return "scheduled_at must be yyyy-MM-ddTHH:mm:ss+00:00: another form can stop every member of the cluster";
    return std::nullopt;
}

// What the keys say is what the action is: a switchover without a leader would be a failover.
Problem meaningProblem(const PlannedWrite &planned)
{
    const bool leader = planned.after.contains("leader"), member = planned.after.contains("member");
    const bool scheduled = planned.after.contains("scheduled_at");
    switch (planned.action) {
    case ActionKind::Switchover: return leader ? std::nullopt : Problem("a switchover names the leader that steps down");
    case ActionKind::Failover:
        return member && !leader && !scheduled ? std::nullopt : Problem("a failover names its candidate, no leader and no time");
    case ActionKind::CancelRequest:
    case ActionKind::Repair:
        return planned.after.empty() && planned.write.verb == kube::WriteVerb::Patch
            ? std::nullopt
            : Problem("what is cleared is there and becomes empty");
    default: return "this action writes no request";
    }
}

Problem configProblem(const QJsonObject &annotations, const PlannedWrite &planned)
{
    const QJsonValue value = annotations.value("config"_L1);
    const auto wanted = planned.after.find("config");
    if (annotations.size() != 1 || planned.after.size() != 1 || !value.isString() || wanted == planned.after.end()
        || value.toString().toStdString() != wanted->second)
        return "only the annotation `config` is written, as planned";
    for (const ConfigFinding &finding : checkConfig(wanted->second, {})) {
        if (finding.rule == ConfigRule::Unreadable || finding.rule == ConfigRule::Empty)
            return text(finding);
    }
    return std::nullopt;
}

Problem patchProblem(const PlannedWrite &planned, const QJsonObject &body, const QJsonObject &metadata)
{
    if (!planned.basedOnVersion || planned.basedOnVersion->empty()
        || metadata.value("resourceVersion"_L1).toString().toStdString() != *planned.basedOnVersion)
        return "a change must carry the resourceVersion that it is based on";
    if (body.size() != 1)
        return "only the metadata of an object is written";
    const bool labels = metadata.contains("labels"_L1);
    if (labels && (writesConfig(planned.action) || metadata.value("labels"_L1).toObject().isEmpty()))
        return "labels are written with a request only";
    return metadata.size() == (labels ? 3 : 2) ? std::nullopt : Problem("only annotations, labels and resourceVersion are written");
}

Problem createProblem(const PlannedWrite &planned, const QJsonObject &body, const QJsonObject &metadata)
{
    if (!rules::writesRequest(planned.action))
        return "Patroni makes the config object, Switchyard never does";
    const QString kind = planned.write.path.resource == Resource::Endpoints ? u"Endpoints"_s : u"ConfigMap"_s;
    if (planned.basedOnVersion || body.value("kind"_L1).toString() != kind || body.value("apiVersion"_L1).toString() != "v1"_L1
        || metadata.value("name"_L1).toString() != planned.write.path.name
        || metadata.value("namespace"_L1).toString() != planned.write.path.ns || body.size() != 3 || metadata.size() != 4)
        return "a new object must be of the cluster's kind and name";
    if (metadata.value("labels"_L1).toObject().isEmpty())
        return "a new object without labels is invisible to Patroni";
    return std::nullopt;
}

Problem objectProblem(const PlannedWrite &planned)
{
    if (auto problem = targetProblem(planned))
        return problem;
    if (planned.write.dryRun)
        return "a try is not a write";
    const QJsonDocument document = QJsonDocument::fromJson(planned.write.body);
    // Nothing is hidden in the bytes: no key twice, no second text.
    if (document.toJson(QJsonDocument::Compact) != planned.write.body)
        return "the body is not as it was planned";
    const QJsonObject body = document.object();
    const QJsonObject metadata = body.value("metadata"_L1).toObject();
    const bool patch = planned.write.verb == kube::WriteVerb::Patch;
    if (auto problem = patch ? patchProblem(planned, body, metadata) : createProblem(planned, body, metadata))
        return problem;
    const QJsonObject annotations = metadata.value("annotations"_L1).toObject();
    if (writesConfig(planned.action))
        return configProblem(annotations, planned);
    const auto meaning = meaningProblem(planned);
    return meaning ? meaning : requestProblem(annotations, planned);
}

} // namespace

bool isCall(kube::WriteVerb verb)
{
    return verb == kube::WriteVerb::ProxyPost || verb == kube::WriteVerb::ProxyPatch || verb == kube::WriteVerb::ProxyDelete;
}

std::string verbText(const PlannedWrite &planned)
{
    switch (planned.write.verb) {
    case kube::WriteVerb::Create:
    case kube::WriteVerb::ProxyPost: return "create";
    case kube::WriteVerb::Patch:
    case kube::WriteVerb::ProxyPatch: return "patch";
    case kube::WriteVerb::ProxyDelete: return "delete";
    }
    return "create";
}

std::string resourceText(const PlannedWrite &planned)
{
    return planned.write.path.resourceText();
}

Error refusedWrite(const PlannedWrite &planned, const std::string &message, const std::string &advice)
{
    Error error{ErrorKind::Refused};
    error.verb = verbText(planned);
    error.resource = resourceText(planned);
    error.ns = planned.write.path.ns.toStdString();
    error.name = planned.write.path.name.toStdString();
    error.message = message;
    error.advice = advice;
    return error;
}

bool isStrictSchedule(std::string_view text)
{
    static const QRegularExpression form(
        uR"(\A[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\+00:00\z)"_s);
    if (!form.match(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()))).hasMatch())
        return false;
    const auto parsed = parseTime(text); // 31 February and its like
    return parsed && parsed->offsetSeconds == 0 && formatScheduledAt(parsed->utc) == text;
}

std::optional<Error> inspectWrite(const PlannedWrite &planned)
{
    const auto problem = isCall(planned.write.verb) ? inspectCall(planned) : objectProblem(planned);
    return problem ? std::optional(refusedWrite(planned, *problem)) : std::nullopt;
}

} // namespace switchyard::actions
