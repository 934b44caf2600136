// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/failover_write.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace switchyard::actions {

using namespace Qt::StringLiterals;

namespace {

Error refused(const PlannedWrite &planned, const std::string &message)
{
    Error error{ErrorKind::Refused};
    error.verb = planned.write.verb == kube::WriteVerb::Patch ? "patch" : "create";
    error.resource = std::string(code(planned.write.path.resource));
    error.ns = planned.write.path.ns.toStdString();
    error.name = planned.write.path.name.toStdString();
    error.message = message;
    return error;
}

// The object of the request and of nothing else: a write to leader, sync or Pod objects can demote a running primary.
std::optional<std::string> targetProblem(const PlannedWrite &planned)
{
    const kube::Path &path = planned.write.path;
    if (path.resource != Resource::Endpoints && path.resource != Resource::ConfigMaps)
        return "only Endpoints and ConfigMaps hold requests";
    if (path.ns.isEmpty() || path.ns.toStdString() != planned.cluster.ns)
        return "the namespace is not the cluster's";
    if (planned.cluster.base.empty() || path.name.toStdString() != planned.cluster.base + "-failover")
        return "only the failover object of the cluster is written";
    return std::nullopt;
}

std::optional<std::string> annotationsProblem(const QJsonObject &annotations, const PlannedWrite &planned)
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

std::optional<std::string> bodyProblem(const PlannedWrite &planned)
{
    const QJsonObject body = QJsonDocument::fromJson(planned.write.body).object();
    const QJsonObject metadata = body.value("metadata"_L1).toObject();
    if (planned.write.verb == kube::WriteVerb::Patch) {
        if (!planned.basedOnVersion || planned.basedOnVersion->empty()
            || metadata.value("resourceVersion"_L1).toString().toStdString() != *planned.basedOnVersion)
            return "a change must carry the resourceVersion that it is based on";
        if (body.size() != 1)
            return "only the metadata of a request is written";
    } else {
        const QString kind = planned.write.path.resource == Resource::Endpoints ? u"Endpoints"_s : u"ConfigMap"_s;
        if (planned.basedOnVersion || body.value("kind"_L1).toString() != kind || body.value("apiVersion"_L1).toString() != "v1"_L1
            || metadata.value("name"_L1).toString() != planned.write.path.name || body.size() != 3)
            return "a new object must be of the cluster's kind and name";
        if (metadata.value("labels"_L1).toObject().isEmpty())
            return "a new object without labels is invisible to Patroni";
    }
    return annotationsProblem(metadata.value("annotations"_L1).toObject(), planned);
}

} // namespace

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
    if (const auto problem = targetProblem(planned))
        return refused(planned, *problem);
    if (const auto problem = bodyProblem(planned))
        return refused(planned, *problem);
    return std::nullopt;
}

} // namespace switchyard::actions
