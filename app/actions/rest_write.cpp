// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/rest_write.h"

#include "app/actions/config_tree.h"
#include "app/actions/config_write.h"
#include "app/actions/plan_parts.h"
#include "app/kube/request.h"
#include "models/patroni/find_member.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace switchyard::actions {

using namespace Qt::StringLiterals;
using rules::ActionKind;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

using Problem = std::optional<std::string>;
using Plans = Result<std::vector<PlannedWrite>>;

constexpr seconds quick{30};        // answered at once, once Patroni has read its state
constexpr seconds longRestart{330}; // primary_start_timeout is 300 s, and stopping takes its time too

struct Call
{
    kube::WriteVerb verb{};
    QString path;
    QByteArray body; // Patroni leaves the body of reload and of deletes unread, and would then reset the connection: none is sent
    milliseconds limit = quick;
};

QByteArray bytes(const QJsonObject &body)
{
    return QJsonDocument(body).toJson(QJsonDocument::Compact);
}

tl::unexpected<Error> refuseCall(const patroni::Cluster &cluster, const std::string &message, const std::string &advice = {})
{
    auto refused = refuse(cluster, cluster.names.key.base, message, advice);
    refused.value().resource = "pods/proxy";
    return refused;
}

// nullopt: its release is not known.
std::optional<bool> isAtLeast(const patroni::MemberRecord &member, std::string_view release)
{
    const auto order = member.version ? patroni::compareReleases(*member.version, release) : std::nullopt;
    return order ? std::optional(*order >= 0) : std::nullopt;
}

const char *methodText(kube::WriteVerb verb)
{
    return verb == kube::WriteVerb::ProxyPost ? "POST" : verb == kube::WriteVerb::ProxyPatch ? "PATCH" : "DELETE";
}

Result<PlannedWrite> finish(const patroni::Cluster &cluster, ActionKind kind, const patroni::MemberRecord &member, Call call)
{
    auto address = restAddress(member);
    if (!address)
        return refuseCall(cluster, member.name + " does not say where its REST API is", "look at api_url in the status of its Pod");
    address->path = call.path;
    PlannedWrite planned;
    planned.cluster = cluster.names.key;
    planned.action = kind;
    planned.member = member.name;
    planned.write.verb = call.verb;
    planned.write.path = {.resource = Resource::Pods, .ns = text(cluster.names.key.ns), .name = text(member.name), .proxy = address};
    planned.write.body = std::move(call.body);
    planned.write.limit = call.limit;
    planned.summary = std::string(code(kind)) + " context=" + cluster.names.key.context + " cluster=" + cluster.names.key.text()
        + " member=" + member.name + " call=" + methodText(call.verb) + " " + call.path.toStdString();
    if (auto problem = inspectWrite(planned))
        return tl::unexpected(*std::move(problem));
    return planned;
}

Plans one(Result<PlannedWrite> planned)
{
    if (!planned)
        return tl::unexpected(planned.error());
    return std::vector{*std::move(planned)};
}

// Patroni wakes only the member that it was told by: the leader has to act.
const patroni::MemberRecord *whomToTell(const patroni::Cluster &cluster, const std::optional<std::string> &candidate)
{
    for (const auto &name : {cluster.leaderName, candidate}) {
        const patroni::Member *member = name ? patroni::findMember(cluster, *name) : nullptr;
        if (member && restAddress(member->record))
            return &member->record;
    }
    const auto able = std::find_if(cluster.members.begin(), cluster.members.end(),
                                   [](const patroni::Member &member) { return member.up && restAddress(member.record).has_value(); });
    return able == cluster.members.end() ? nullptr : &able->record;
}

Plans toLeader(const patroni::Cluster &cluster, const rules::ActionWish &wish, Call call)
{
    const patroni::MemberRecord *member = whomToTell(cluster, wish.candidate);
    if (!member)
        return refuseCall(cluster, "no member says where its REST API is", "look at api_url in the status of the Pods");
    return one(finish(cluster, wish.kind, *member, std::move(call)));
}

bool paused(const patroni::Cluster &cluster)
{
    return cluster.config && cluster.config->config.paused;
}

// ---- switchover, failover ------------------------------------------------------------------------------------------------------

// do_POST_failover, in its order; is_failover_possible of what the objects tell for certain
Problem requestProblem(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    const bool switchover = wish.kind == ActionKind::Switchover;
    if (switchover && (!wish.leader || wish.leader->empty()))
        return "a switchover names the leader that steps down";
    if (!switchover && (!wish.candidate || wish.candidate->empty()))
        return "a failover names its candidate";
    if (!switchover && (wish.at || wish.leader))
        return wish.at ? "a failover cannot be scheduled" : "a failover names no leader: with one it would be a switchover";
    if (switchover && cluster.leaderName != wish.leader)
        return *wish.leader + " does not lead";
    if (wish.candidate && cluster.leaderName == wish.candidate)
        return *wish.candidate + " leads already";
    if (wish.candidate && !patroni::findMember(cluster, *wish.candidate))
        return *wish.candidate + " is not a member of this cluster";
    if (paused(cluster) && wish.at)
        return "Patroni schedules no switchover in a paused cluster";
    if (paused(cluster) && !wish.candidate)
        return "in a paused cluster a switchover needs a candidate";
    return std::nullopt;
}

// poll_failover_result waits 2 * max(10, loop_wait) s for the new leader.
milliseconds pollTime(const patroni::Cluster &cluster)
{
    const std::int64_t loopWait = cluster.config ? cluster.config->config.loopWait : 10;
    return seconds(2 * std::clamp<std::int64_t>(loopWait, 10, 3600) + 10);
}

Plans planRequest(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (const auto problem = requestProblem(cluster, wish))
        return refuseCall(cluster, *problem);
    if (auto problem = foreignLock(cluster, "failover"))
        return tl::unexpected(*std::move(problem));
    if (cluster.failoverUnseen) // _patch_or_create makes what it has not seen, and that name is taken
        return refuseCall(cluster, "Patroni cannot see " + cluster.names.failoverName + ", and its own write of it would fail",
                          "write the object instead: that adds the label");
    QJsonObject body;
    if (wish.leader)
        body.insert(u"leader"_s, text(*wish.leader));
    if (wish.candidate)
        body.insert(u"candidate"_s, text(*wish.candidate));
    if (wish.at)
        body.insert(u"scheduled_at"_s, text(formatScheduledAt(*wish.at)));
    const QString path = wish.kind == ActionKind::Switchover ? u"/switchover"_s : u"/failover"_s;
    return toLeader(cluster, wish, {kube::WriteVerb::ProxyPost, path, bytes(body), wish.at ? milliseconds(quick) : pollTime(cluster)});
}

// do_DELETE_switchover takes away only what has a schedule.
Plans planCancelRequest(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (!cluster.failover || !cluster.failover->scheduledAtRaw)
        return refuseCall(cluster, "Patroni's REST API takes back only a scheduled switchover", "cancel it through the object");
    if (cluster.failover->schedule == patroni::FailoverRequest::Schedule::Unparsable)
        return refuseCall(cluster, "no member can read this request", "repair it through the object");
    if (cluster.failoverUnseen)
        return refuseCall(cluster, "Patroni cannot see this request", "cancel it through the object");
    return toLeader(cluster, wish, {kube::WriteVerb::ProxyDelete, u"/switchover"_s, {}});
}

// ---- configuration -------------------------------------------------------------------------------------------------------------

Plans patchConfiguration(const patroni::Cluster &cluster, const rules::ActionWish &wish, QByteArray body)
{
    return toLeader(cluster, wish, {kube::WriteVerb::ProxyPatch, u"/config"_s, std::move(body)});
}

// As patronictl: `pause` is removed, not set to false.
Plans planPauseCall(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    const bool pause = wish.kind == ActionKind::Pause;
    if (const auto object = planPause(cluster, pause); !object)
        return tl::unexpected(object.error());
    return patchConfiguration(cluster, wish, pause ? R"({"pause":true})" : R"({"pause":null})");
}

Plans planEdit(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    const auto object = planConfigEdit(cluster, wish); // merges, and refuses what must not be written
    if (!object)
        return tl::unexpected(object.error());
    const auto patch = configPatch(object->before.at("config"), object->after.at("config"));
    if (!patch)
        return refuseCall(cluster, patch.error().message);
    return patchConfiguration(cluster, wish, QByteArray::fromStdString(*patch));
}

// patronictl demote-cluster, promote-cluster (4.1)
Plans planClusterRole(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (auto problem = foreignLock(cluster, "config"))
        return tl::unexpected(*std::move(problem));
    const patroni::Member *leader = cluster.leaderName ? patroni::findMember(cluster, *cluster.leaderName) : nullptr;
    if (!leader)
        return refuseCall(cluster, "nobody is known to lead this cluster");
    if (isAtLeast(leader->record, "4.1.0") != true)
        return refuseCall(cluster, "Patroni of " + leader->record.name + " does not know this, or its version is not known",
                          "4.1 and later do");
    if (wish.kind == ActionKind::PromoteCluster)
        return one(finish(cluster, wish.kind, leader->record, {kube::WriteVerb::ProxyPatch, u"/config"_s, R"({"standby_cluster":null})"}));
    QJsonObject source;
    const auto put = [&](const char *key, const std::optional<std::string> &value) {
        if (value && !value->empty())
            source.insert(QLatin1String(key), text(*value));
    };
    put("host", wish.source.host);
    put("restore_command", wish.source.restoreCommand);
    if (wish.source.port && (*wish.source.port < 1 || *wish.source.port > 65535))
        return refuseCall(cluster, "the port must lie between 1 and 65535");
    if (wish.source.port)
        source.insert(u"port"_s, *wish.source.port);
    if (source.isEmpty())
        return refuseCall(cluster, "a standby cluster needs a host, a port or a restore_command");
    put("primary_slot_name", wish.source.primarySlotName);
    const QByteArray body = bytes({{u"standby_cluster"_s, source}});
    return one(finish(cluster, wish.kind, leader->record, {kube::WriteVerb::ProxyPatch, u"/config"_s, body}));
}

// ---- single members ------------------------------------------------------------------------------------------------------------

Problem roleProblem(const patroni::MemberRecord &member, const std::string &role)
{
    if (role != "primary" && role != "replica" && role != "standby_leader")
        return "the role must be primary, replica or standby_leader";
    if (role == "standby_leader" && isAtLeast(member, "4.0.0") != true)
        return "Patroni of " + member.name + " does not know the role standby_leader";
    return std::nullopt;
}

bool isPostgresVersion(const std::string &version)
{
    const QStringList parts = text(version).split(u'.');
    return (parts.size() == 2 || parts.size() == 3) && std::all_of(parts.begin(), parts.end(), [](const QString &part) {
               return !part.isEmpty() && part.size() <= 4
                   && std::all_of(part.begin(), part.end(), [](QChar c) { return c >= u'0' && c <= u'9'; });
           });
}

// do_POST_restart
Problem restartProblem(const patroni::Cluster &cluster, const patroni::MemberRecord &member, const rules::ActionWish &wish)
{
    const rules::RestartOptions &options = wish.restart;
    if (wish.at && paused(cluster))
        return "Patroni schedules no restart in a paused cluster";
    if (wish.at && member.scheduledRestart)
        return "a restart of " + member.name + " is scheduled already";
    if (options.timeoutSeconds && *options.timeoutSeconds <= 0)
        return "the time-out must be a positive number of seconds";
    if (options.postgresVersion && !isPostgresVersion(*options.postgresVersion))
        return "the version of PostgreSQL must have the form 16.4";
    return options.role ? roleProblem(member, *options.role) : std::nullopt;
}

Call restartCall(const patroni::MemberRecord &member, const rules::ActionWish &wish)
{
    const rules::RestartOptions &options = wish.restart;
    QJsonObject body;
    if (options.pendingOnly)
        body.insert(u"restart_pending"_s, true);
    if (options.role) // "primary" is not known to 2.x
        body.insert(u"role"_s, *options.role == "primary" && isAtLeast(member, "3.0.0") == false ? u"master"_s : text(*options.role));
    if (options.postgresVersion)
        body.insert(u"postgres_version"_s, text(*options.postgresVersion));
    if (options.timeoutSeconds)
        body.insert(u"timeout"_s, *options.timeoutSeconds);
    if (wish.at)
        body.insert(u"schedule"_s, text(formatScheduledAt(*wish.at)));
    milliseconds limit = quick;
    if (!wish.at)
        limit = options.timeoutSeconds ? std::max(quick, seconds(*options.timeoutSeconds) + quick) : longRestart;
    return {kube::WriteVerb::ProxyPost, u"/restart"_s, bytes(body), limit};
}

// ha.py reinitialize
Problem reinitializeProblem(const patroni::Cluster &cluster, const patroni::MemberRecord &member, const rules::ActionWish &wish)
{
    if (!cluster.leaderName)
        return "nobody is known to lead this cluster: there is nothing to copy from";
    if (*cluster.leaderName == member.name)
        return member.name + " leads: its data is what the others copy";
    if (wish.fromLeader && isAtLeast(member, "4.1.0") != true)
        return "Patroni of " + member.name + " cannot be told to copy from the leader, or its version is not known";
    return std::nullopt;
}

Problem memberProblem(const patroni::Cluster &cluster, const patroni::MemberRecord &member, const rules::ActionWish &wish)
{
    switch (wish.kind) {
    case ActionKind::Restart: return restartProblem(cluster, member, wish);
    case ActionKind::Reinitialize: return reinitializeProblem(cluster, member, wish);
    case ActionKind::CancelRestart:
        return member.scheduledRestart ? std::nullopt : Problem("no restart of " + member.name + " is scheduled");
    default: return std::nullopt;
    }
}

Call memberCall(const patroni::MemberRecord &member, const rules::ActionWish &wish)
{
    switch (wish.kind) {
    case ActionKind::Restart: return restartCall(member, wish);
    case ActionKind::CancelRestart: return {kube::WriteVerb::ProxyDelete, u"/restart"_s, {}};
    case ActionKind::Reload: return {kube::WriteVerb::ProxyPost, u"/reload"_s, {}};
    default: break;
    }
    QJsonObject body;
    if (wish.force)
        body.insert(u"force"_s, true);
    if (wish.fromLeader)
        body.insert(u"from_leader"_s, true);
    return {kube::WriteVerb::ProxyPost, u"/reinitialize"_s, bytes(body)};
}

Plans planMembers(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (wish.members.empty())
        return refuseCall(cluster, "no member is named");
    std::vector<PlannedWrite> all;
    for (const std::string &name : wish.members) {
        const patroni::Member *member = patroni::findMember(cluster, name);
        if (!member)
            return refuseCall(cluster, name + " is not a member of this cluster");
        if (const auto problem = memberProblem(cluster, member->record, wish))
            return refuseCall(cluster, *problem);
        auto planned = finish(cluster, wish.kind, member->record, memberCall(member->record, wish));
        if (!planned)
            return tl::unexpected(planned.error());
        all.push_back(*std::move(planned));
    }
    return all;
}

// ---- differences ---------------------------------------------------------------------------------------------------------------

const ConfigNode *known(const ConfigNode &map, const std::string &key)
{
    const ConfigNode *value = map.find(key);
    return value && value->kind != ConfigNode::Kind::Null ? value : nullptr;
}

// patroni/utils.py patch_config: maps are merged, null removes, anything else replaces. A map that replaces something else is taken as
// it is.
ConfigNode difference(const ConfigNode &before, const ConfigNode &after)
{
    ConfigNode patch;
    patch.kind = ConfigNode::Kind::Map;
    for (const std::string &key : before.keys) {
        if (known(before, key) && !known(after, key))
            patch.set(key, ConfigNode());
    }
    for (const std::string &key : after.keys) {
        const ConfigNode *old = known(before, key), *now = known(after, key);
        if (!now || (old && sameConfig(*old, *now)))
            continue;
        patch.set(key, old && old->isMap() && now->isMap() ? difference(*old, *now) : *now);
    }
    return patch;
}

} // namespace

std::optional<kube::PodProxy> restAddress(const patroni::MemberRecord &member)
{
    return member.apiUrl ? kube::podProxyOf(*member.apiUrl, u"/patroni"_s) : std::nullopt;
}

Result<std::string> configPatch(std::string_view before, std::string_view after)
{
    const auto old = readJson(before);
    if (!old)
        return tl::unexpected(old.error());
    const auto now = readJson(after);
    if (!now)
        return tl::unexpected(now.error());
    if (!old->isMap() || !now->isMap())
        return tl::unexpected(Error{.kind = ErrorKind::Refused, .message = "a configuration is a JSON object"});
    return writeJson(difference(*old, *now));
}

Plans planRest(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    if (const auto bar = patroni::writeBar(cluster))
        return refuseCall(cluster, barText(*bar), "wait until it is live again");
    if (const auto bar = rules::actionBar(cluster, wish.kind))
        return refuseCall(cluster, barText(*bar));
    switch (wish.kind) {
    case ActionKind::Switchover:
    case ActionKind::Failover: return planRequest(cluster, wish);
    case ActionKind::CancelRequest: return planCancelRequest(cluster, wish);
    case ActionKind::Repair:
        return refuseCall(cluster, "Patroni's REST API reads the same request and fails of it", "repair it through the object");
    case ActionKind::Pause:
    case ActionKind::Resume: return planPauseCall(cluster, wish);
    case ActionKind::EditConfig: return planEdit(cluster, wish);
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: return planClusterRole(cluster, wish);
    case ActionKind::Restart:
    case ActionKind::CancelRestart:
    case ActionKind::Reload:
    case ActionKind::Reinitialize: return planMembers(cluster, wish);
    }
    return refuseCall(cluster, "no such action");
}

} // namespace switchyard::actions
