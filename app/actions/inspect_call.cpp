// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The last look at a call of Patroni's REST API: only what the action is for, and only of a member.
#include "app/actions/inspect_write.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace switchyard::actions {

using namespace Qt::StringLiterals;
using rules::ActionKind;

namespace {

struct Call
{
    ActionKind action;
    kube::WriteVerb verb;
    const char *path;
    std::initializer_list<const char *> keys; // that the body may have
};

// patroni/api.py do_POST_*, do_DELETE_*, do_PATCH_config. There is no call for a repair: Patroni's own API fails of the same text.
const std::array calls{
    Call{ActionKind::Switchover, kube::WriteVerb::ProxyPost, "/switchover", {"leader", "candidate", "scheduled_at"}},
    Call{ActionKind::Failover, kube::WriteVerb::ProxyPost, "/failover", {"candidate"}},
    Call{ActionKind::CancelRequest, kube::WriteVerb::ProxyDelete, "/switchover", {}},
    Call{ActionKind::Pause, kube::WriteVerb::ProxyPatch, "/config", {"pause"}},
    Call{ActionKind::Resume, kube::WriteVerb::ProxyPatch, "/config", {"pause"}},
    Call{ActionKind::EditConfig, kube::WriteVerb::ProxyPatch, "/config", {}}, // any
    Call{ActionKind::Restart,
         kube::WriteVerb::ProxyPost,
         "/restart",
         {"schedule", "role", "postgres_version", "timeout", "restart_pending"}},
    Call{ActionKind::CancelRestart, kube::WriteVerb::ProxyDelete, "/restart", {}},
    Call{ActionKind::Reload, kube::WriteVerb::ProxyPost, "/reload", {}},
    Call{ActionKind::Reinitialize, kube::WriteVerb::ProxyPost, "/reinitialize", {"force", "from_leader"}},
    Call{ActionKind::DemoteCluster, kube::WriteVerb::ProxyPatch, "/config", {"standby_cluster"}},
    Call{ActionKind::PromoteCluster, kube::WriteVerb::ProxyPatch, "/config", {"standby_cluster"}},
};

using Problem = std::optional<std::string>;

Problem targetProblem(const PlannedWrite &planned)
{
    const kube::Path &path = planned.write.path;
    if (path.resource != Resource::Pods || !path.proxy || path.log || path.metadataOnly)
        return "only a member's own server is called";
    if (path.ns.isEmpty() || path.ns.toStdString() != planned.cluster.ns)
        return "the namespace is not the cluster's";
    if (!planned.member || planned.member->empty() || path.name.toStdString() != *planned.member)
        return "only the server of the named member is called";
    if (path.proxy->port < 1 || path.proxy->port > 65535)
        return "the port of the member's server is not known";
    if (planned.basedOnVersion || !planned.before.empty() || !planned.after.empty())
        return "a call is based on no version of an object";
    return planned.write.dryRun ? Problem("a call cannot be tried without being made") : std::nullopt;
}

Problem scheduleProblem(const QJsonObject &body)
{
    for (const QString &key : {u"scheduled_at"_s, u"schedule"_s}) {
        const QJsonValue value = body.value(key);
        if (!value.isUndefined() && !isStrictSchedule(value.toString().toStdString()))
            return key.toStdString() + " must be yyyy-MM-ddTHH:mm:ss+00:00";
    }
    return std::nullopt;
}

Problem requestProblem(ActionKind action, const QJsonObject &body)
{
    const QString leader = body.value("leader"_L1).toString(), candidate = body.value("candidate"_L1).toString();
    if (action == ActionKind::Switchover && leader.isEmpty())
        return "a switchover names the leader that steps down";
    if (action == ActionKind::Failover && candidate.isEmpty())
        return "a failover names its candidate";
    if (body.contains("candidate"_L1) && (candidate.isEmpty() || candidate == leader))
        return "the candidate is not another member";
    return std::nullopt;
}

Problem configProblem(ActionKind action, const QJsonObject &body)
{
    const QJsonValue pause = body.value("pause"_L1), standby = body.value("standby_cluster"_L1);
    switch (action) {
    case ActionKind::Pause: return pause.isBool() && pause.toBool() ? std::nullopt : Problem("only `pause` is set");
    case ActionKind::Resume: return pause.isNull() ? std::nullopt : Problem("only `pause` is removed");
    case ActionKind::DemoteCluster:
        return standby.isObject() && !standby.toObject().isEmpty() ? std::nullopt : Problem("only `standby_cluster` is set");
    case ActionKind::PromoteCluster: return standby.isNull() ? std::nullopt : Problem("only `standby_cluster` is removed");
    default: return body.isEmpty() ? Problem("nothing would change") : std::nullopt;
    }
}

Problem bodyProblem(const PlannedWrite &planned, const Call &call)
{
    const QByteArray &bytes = planned.write.body;
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    if (!bytes.isEmpty() && !document.isObject())
        return "the body is not a JSON object";
    const QJsonObject body = document.object();
    if (call.verb == kube::WriteVerb::ProxyDelete && !body.isEmpty())
        return "what is deleted is named by its path alone";
    if (call.action != ActionKind::EditConfig) {
        for (const QString &key : body.keys()) {
            if (std::none_of(call.keys.begin(), call.keys.end(), [&](const char *known) { return key == QLatin1String(known); }))
                return "`" + key.toStdString() + "` does not belong to this call";
        }
    }
    if (auto problem = scheduleProblem(body))
        return problem;
    if (planned.action == ActionKind::Switchover || planned.action == ActionKind::Failover)
        return requestProblem(planned.action, body);
    return call.verb == kube::WriteVerb::ProxyPatch ? configProblem(planned.action, body) : std::nullopt;
}

} // namespace

Problem inspectCall(const PlannedWrite &planned)
{
    if (auto problem = targetProblem(planned))
        return problem;
    const auto call = std::find_if(calls.begin(), calls.end(), [&](const Call &c) { return c.action == planned.action; });
    if (call == calls.end() || call->verb != planned.write.verb || planned.write.path.proxy->path != QLatin1String(call->path))
        return "this is not the call that belongs to the action";
    return bodyProblem(planned, *call);
}

} // namespace switchyard::actions
