// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan_parts.h"

#include "models/patroni/discovery_evidence.h"

namespace switchyard::actions {

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

namespace {

constexpr auto citusGroup = "citus-group";

void keepCommon(Labels &labels, const Labels &other)
{
    std::erase_if(labels, [&](const auto &label) {
        const auto same = other.find(label.first);
        return same == other.end() || same->second != label.second;
    });
}

} // namespace

tl::unexpected<Error> refuse(const patroni::Cluster &cluster, const std::string &object, const std::string &message,
                             const std::string &advice)
{
    Error error{ErrorKind::Refused};
    error.resource = std::string(code(cluster.names.resource()));
    error.ns = cluster.names.key.ns;
    error.name = object;
    error.message = message;
    error.advice = advice;
    return tl::unexpected(error);
}

const KubeObject *objectOf(const patroni::Cluster &cluster, const std::string &role)
{
    const auto found = cluster.objects.find(role);
    return found == cluster.objects.end() ? nullptr : &found->second;
}

RequestSlot requestSlot(const patroni::Cluster &cluster)
{
    const KubeObject *object = objectOf(cluster, "failover");
    return object ? RequestSlot{object->resourceVersion, requestKeys(object->annotations)} : RequestSlot();
}

std::optional<Error> foreignLock(const patroni::Cluster &cluster, const std::string &role)
{
    const KubeObject *object = objectOf(cluster, role);
    auto holder = object ? patroni::lockHolder(*object) : std::nullopt;
    if (const auto known = cluster.foreignLocks.find(role); known != cluster.foreignLocks.end())
        holder = known->second;
    if (!holder)
        return std::nullopt;
    const std::string &name = role == "failover" ? cluster.names.failoverName : cluster.names.configName;
    const std::string held = holder->empty() ? std::string() : ", held by " + *holder;
    return refuse(cluster, name, name + " is no object of this cluster: it is the lock of the cluster " + name + held,
                  "these two clusters do not go together in one namespace: give one of them another scope")
        .value();
}

std::optional<patroni::WriteBar> viewBar(const patroni::Cluster &cluster, rules::ActionKind kind)
{
    const auto bar = patroni::writeBar(cluster);
    return kind == rules::ActionKind::Repair && bar == patroni::WriteBar::LockStale ? std::nullopt : bar;
}

bool modeUnclear(const patroni::Cluster &cluster)
{
    return cluster.names.otherModePresent && cluster.lock.state != patroni::LockState::Held;
}

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

std::string barText(rules::ActionBar bar)
{
    using rules::ActionBar;
    switch (bar) {
    case ActionBar::View: return "the view of this cluster is not live";
    case ActionBar::NoLeader: return "nobody is known to lead this cluster";
    case ActionBar::NoMembers: return "this cluster has no members";
    case ActionBar::NothingPending: return "there is no request to cancel";
    case ActionBar::NothingScheduled: return "no restart is scheduled";
    case ActionBar::NotUnparsable: return "there is nothing to repair: no unparsable scheduled_at";
    case ActionBar::AlreadyPaused: return "the cluster is paused already";
    case ActionBar::NotPaused: return "the cluster is not paused";
    case ActionBar::NoConfig: return "this cluster has no readable dynamic configuration";
    case ActionBar::TooOld: return "Patroni is too old for this";
    case ActionBar::AlreadyStandby: return "this is a standby cluster already";
    case ActionBar::NotStandby: return "this is not a standby cluster";
    case ActionBar::ModeUnclear: return "Endpoints and ConfigMaps of this cluster exist and no renewal shows which kind is in use";
    }
    return "not possible";
}

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

std::string summaryOf(const patroni::Cluster &cluster, const PlannedWrite &planned, const std::string &details)
{
    return std::string(code(planned.action)) + " context=" + cluster.names.key.context + " cluster=" + cluster.names.key.text() + details
        + " based_on=" + planned.basedOnVersion.value_or("(new)");
}

} // namespace switchyard::actions
