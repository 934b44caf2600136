// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/words_actions.h"

#include "models/rules/pause.h"
#include "views/words.h"

#include <QCoreApplication>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Freshness;
using patroni::OwnerEffect;
using rules::ActionBar;
using rules::ActionKind;

namespace {

struct Actions
{
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

QString staleWords(const patroni::Cluster &cluster, ActionKind kind)
{
    switch (cluster.view.freshness) {
    case Freshness::Stale: return Actions::tr("Blocked while the view is stale: no answer from the API server.");
    case Freshness::Forbidden: return Actions::tr("Blocked: not allowed to read this cluster's objects.");
    case Freshness::Connecting: return Actions::tr("Blocked until the cluster is read.");
    case Freshness::Live: break;
    }
    // A repair needs no lock: where every member stops, nobody renews it.
    const bool unseen = kind != ActionKind::Repair && cluster.lock.state == patroni::LockState::Stale;
    return unseen ? Actions::tr("Blocked: the lock of this cluster is out of sight.") : QString();
}

QString changeWords(patroni::OwnedChange change)
{
    switch (change) {
    case patroni::OwnedChange::Pause: return Actions::tr("the pause");
    case patroni::OwnedChange::Config: return Actions::tr("the configuration");
    case patroni::OwnedChange::Restart: return Actions::tr("the restart");
    case patroni::OwnedChange::Switchover: break;
    }
    return Actions::tr("the switchover");
}

} // namespace

QString words(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Switchover: return Actions::tr("switchover");
    case ActionKind::Failover: return Actions::tr("failover");
    case ActionKind::CancelRequest: return Actions::tr("cancel the request");
    case ActionKind::Repair: return Actions::tr("repair the request");
    case ActionKind::Pause: return Actions::tr("pause");
    case ActionKind::Resume: return Actions::tr("resume");
    case ActionKind::EditConfig: return Actions::tr("edit the configuration");
    case ActionKind::Restart: return Actions::tr("restart");
    case ActionKind::CancelRestart: return Actions::tr("cancel the scheduled restart");
    case ActionKind::Reload: return Actions::tr("reload");
    case ActionKind::Reinitialize: return Actions::tr("reinitialize");
    case ActionKind::DemoteCluster: return Actions::tr("demote the cluster");
    case ActionKind::PromoteCluster: break;
    }
    return Actions::tr("promote the cluster");
}

QString actionTitle(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Switchover: return Actions::tr("&Switchover\u2026");
    case ActionKind::Failover: return Actions::tr("&Failover\u2026");
    case ActionKind::CancelRequest: return Actions::tr("Cancel &request\u2026");
    case ActionKind::Repair: return Actions::tr("Re&pair\u2026");
    case ActionKind::Pause: return Actions::tr("&Pause\u2026");
    case ActionKind::Resume: return Actions::tr("Res&ume\u2026");
    case ActionKind::EditConfig: return Actions::tr("&Edit configuration\u2026");
    case ActionKind::Restart: return Actions::tr("&Restart\u2026");
    case ActionKind::CancelRestart: return Actions::tr("Ca&ncel scheduled restart\u2026");
    case ActionKind::Reload: return Actions::tr("Re&load\u2026");
    case ActionKind::Reinitialize: return Actions::tr("Re&initialize\u2026");
    case ActionKind::DemoteCluster: return Actions::tr("&Demote cluster\u2026");
    case ActionKind::PromoteCluster: break;
    }
    return Actions::tr("Promo&te cluster\u2026");
}

QString explained(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Switchover: return Actions::tr("The leader steps down in good order and another member takes over, now or at a time.");
    case ActionKind::Failover:
        return Actions::tr("Another member becomes leader, also without a working leader. Transactions may be lost.");
    case ActionKind::CancelRequest: return Actions::tr("Clears the pending request.");
    case ActionKind::Repair: return Actions::tr("Clears the time that takes the whole cluster down.");
    case ActionKind::Pause: return Actions::tr("Maintenance mode: Patroni leaves PostgreSQL alone; there is no automatic failover.");
    case ActionKind::Resume: return Actions::tr("Ends maintenance mode: Patroni manages PostgreSQL again.");
    case ActionKind::EditConfig: return Actions::tr("Changes the dynamic configuration, with its difference shown before it is written.");
    case ActionKind::Restart: return Actions::tr("Restarts PostgreSQL on members, now or at a time.");
    case ActionKind::CancelRestart: return Actions::tr("Takes back the restart that a member has scheduled.");
    case ActionKind::Reload: return Actions::tr("Members read their own configuration files anew; nothing is restarted.");
    case ActionKind::Reinitialize: return Actions::tr("Deletes a replica's data and copies it anew.");
    case ActionKind::DemoteCluster: return Actions::tr("Makes it a standby cluster, which follows another one and accepts no writes.");
    case ActionKind::PromoteCluster: break;
    }
    return Actions::tr("Makes the standby cluster one of its own, which accepts writes.");
}

QString words(ActionBar bar)
{
    switch (bar) {
    case ActionBar::View: return Actions::tr("Blocked: what is shown is not good enough to write upon.");
    case ActionBar::NoLeader: return Actions::tr("No switchover: nobody leads. A failover needs no leader.");
    case ActionBar::NoMembers: return Actions::tr("No member of this cluster is seen.");
    case ActionBar::NothingPending: return Actions::tr("Nothing is pending.");
    case ActionBar::NothingScheduled: return Actions::tr("No member has a scheduled restart.");
    case ActionBar::NotUnparsable: return Actions::tr("Nothing is to be repaired: the request can be read.");
    case ActionBar::AlreadyPaused: return Actions::tr("It is paused already.");
    case ActionBar::NotPaused: return Actions::tr("It is not paused.");
    case ActionBar::NoConfig: return Actions::tr("The dynamic configuration is missing or cannot be read, so nothing is written over it.");
    case ActionBar::TooOld: return Actions::tr("No member's Patroni knows this yet; 4.1 and later do.");
    case ActionBar::AlreadyStandby: return Actions::tr("It is a standby cluster already.");
    case ActionBar::NotStandby: return Actions::tr("It is not a standby cluster.");
    case ActionBar::ModeUnclear: break;
    }
    return Actions::tr("Endpoints and ConfigMaps of this cluster exist, and no renewal was seen that tells which of them Patroni reads.");
}

QString words(patroni::Operator o)
{
    switch (o) {
    case patroni::Operator::None: return {};
    case patroni::Operator::Zalando: return Actions::tr("the Zalando operator (Spilo)");
    case patroni::Operator::CrunchyPgo: return Actions::tr("Crunchy PGO");
    case patroni::Operator::Percona: return Actions::tr("the Percona operator");
    case patroni::Operator::StackGres: return Actions::tr("StackGres");
    case patroni::Operator::Other: break;
    }
    return Actions::tr("an operator that is not known");
}

QString ownerText(const patroni::Ownership &owner)
{
    const QString who = words(owner.by);
    if (who.isEmpty())
        return {};
    const QString what = QString(text(owner.resourceKind) + u' ' + text(owner.resourceName)).trimmed();
    return what.isEmpty() ? Actions::tr("managed by %1").arg(who) : Actions::tr("managed by %1 as %2", "operator, resource").arg(who, what);
}

QString ownerWarning(const patroni::Ownership &owner, patroni::OwnedChange change)
{
    const QString who = words(owner.by), what = QString(text(owner.resourceKind) + u' ' + text(owner.resourceName)).trimmed();
    const QString where = what.isEmpty() ? Actions::tr("its custom resource") : what;
    switch (patroni::effectOf(owner.by, change)) {
    case OwnerEffect::None: return {};
    case OwnerEffect::Reverts:
        return Actions::tr("%1 sets %2 back to what %3 says. Change it there to keep it.", "operator, change, resource")
            .arg(who, changeWords(change), where);
    case OwnerEffect::MayRevert:
        return Actions::tr("%1 may set %2 back to what %3 says. Change it there to keep it.", "operator, change, resource")
            .arg(who, changeWords(change), where);
    case OwnerEffect::Unknown: break;
    }
    return who.isEmpty() ? QString()
                         : Actions::tr("The cluster is managed by %1; what it does to %2 is not known.").arg(who, changeWords(change));
}

QString pauseSentence(const patroni::Cluster &cluster, Now now)
{
    const auto view = rules::pauseView(cluster);
    if (!view || (!view->paused && view->complete()))
        return {};
    QStringList waiting;
    for (const std::string &name : view->waiting)
        waiting << text(name);
    const QString since = view->changedAt ? Actions::tr("since %1, %2", "time, duration")
                                                .arg(timeText(now.toWall(*view->changedAt)), secondsText(now.boot - *view->changedAt))
                                          : Actions::tr("since before we looked");
    const QString seen = waiting.isEmpty()
        ? Actions::tr("All %1 members have seen it.").arg(view->reporting)
        : Actions::tr("%1 of %2 members have seen it; waiting for %3.").arg(view->seen).arg(view->reporting).arg(waiting.join(u", "_s));
    if (!view->paused)
        return Actions::tr("Resumed %1. %2", "since when; who has seen it").arg(since, seen);
    return Actions::tr("Paused %1: Patroni runs no automatic failover. It still renews the lock and obeys requests to a named member. %2",
                       "since when; who has seen it")
        .arg(since, seen);
}

QString whyNot(const patroni::Cluster *cluster, ActionKind kind, const ActionGate &gate, const QString &missingRight)
{
    if (!cluster)
        return Actions::tr("Choose a cluster first.");
    if (gate.replay)
        return Actions::tr("A recording is shown: there is nothing to write to.");
    if (gate.readOnly)
        return Actions::tr("Read-only: the program was started with --read-only.");
    if (gate.contextReadOnly)
        return Actions::tr("Read-only: you made the context %1 read-only, on the page Contexts.").arg(text(cluster->names.key.context));
    if (QString stale = staleWords(*cluster, kind); !stale.isEmpty())
        return stale;
    if (const auto bar = rules::actionBar(*cluster, kind))
        return words(*bar);
    return missingRight;
}

QString whyNotMember(const patroni::Cluster &cluster, const patroni::Member &member, ActionKind kind)
{
    const bool leads = cluster.leaderName == member.record.name;
    switch (kind) {
    case ActionKind::Switchover:
    case ActionKind::Failover: return leads ? Actions::tr("%1 leads already.").arg(text(member.record.name)) : QString();
    case ActionKind::Reinitialize:
        return leads ? Actions::tr("%1 leads: the leader's data cannot be copied anew from itself.").arg(text(member.record.name))
                     : QString();
    case ActionKind::CancelRestart:
        return member.record.scheduledRestart ? QString() : Actions::tr("%1 has no scheduled restart.").arg(text(member.record.name));
    default: return {};
    }
}

} // namespace switchyard::views
