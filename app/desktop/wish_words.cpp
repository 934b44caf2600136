// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/wish_words.h"

#include "views/words.h"

#include <QCoreApplication>

namespace switchyard::desktop {

using rules::ActionKind;
using rules::ActionWish;
using views::ConfirmFacts;
using views::text;

namespace {

struct Wish
{
    Q_DECLARE_TR_FUNCTIONS(WishWords)
};

QString listed(const std::vector<std::string> &names)
{
    QStringList parts;
    for (const std::string &name : names)
        parts << text(name);
    return parts.join(QLatin1String(", "));
}

void describeSwitchover(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    facts.action = wish.at ? Wish::tr("Schedule a switchover") : Wish::tr("Switch over");
    facts.from = wish.leader ? text(*wish.leader) : views::unknownText();
    facts.to = wish.candidate ? text(*wish.candidate) : Wish::tr("Patroni decides");
    const QString target = wish.candidate ? text(*wish.candidate) : Wish::tr("the member that Patroni chooses");
    facts.button = (wish.at ? Wish::tr("Schedule switchover of %1 from %2 to %3") : Wish::tr("Switch over %1 from %2 to %3"))
                       .arg(name, facts.from, target);
    if (wish.byRest)
        facts.nowText = Wish::tr("%1 is told and acts at once").arg(facts.from);
}

void describeFailover(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    facts.action = Wish::tr("Fail over");
    facts.to = wish.candidate ? text(*wish.candidate) : views::unknownText();
    facts.button = Wish::tr("Fail over %1 to %2").arg(name, facts.to);
    facts.nowText = wish.byRest ? Wish::tr("the member that is told acts at once")
                                : Wish::tr("the leader acts in its next loop; without one, the candidate in its own");
}

void describePause(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    const bool pause = wish.kind == ActionKind::Pause;
    facts.action = pause ? Wish::tr("Pause") : Wish::tr("Resume");
    facts.button = (pause ? Wish::tr("Pause %1") : Wish::tr("Resume %1")).arg(name);
    facts.nowText = Wish::tr("each member sees it in its next loop");
    facts.more.append({Wish::tr("Means"),
                       pause ? Wish::tr("no automatic failover, no start or stop of PostgreSQL by Patroni, until it is resumed")
                             : Wish::tr("Patroni manages PostgreSQL again; what is pending is acted on")});
}

void describeRestart(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    const QString members = listed(wish.members);
    facts.action = wish.at ? Wish::tr("Schedule a restart") : Wish::tr("Restart PostgreSQL");
    facts.button = (wish.at ? Wish::tr("Schedule restart of %1 of %2") : Wish::tr("Restart %1 of %2")).arg(members, name);
    facts.nowText = wish.members.size() > 1 ? Wish::tr("one after the other; the first failure ends it") : Wish::tr("at once");
    const rules::RestartOptions &options = wish.restart;
    if (options.pendingOnly)
        facts.more.append({Wish::tr("Only"), Wish::tr("where a restart is pending")});
    if (options.role)
        facts.more.append({Wish::tr("Role"), Wish::tr("only as long as it is %1").arg(text(*options.role))});
    if (options.postgresVersion)
        facts.more.append({Wish::tr("Version"), Wish::tr("only below PostgreSQL %1").arg(text(*options.postgresVersion))});
    if (options.timeoutSeconds)
        facts.more.append(
            {Wish::tr("Time-out"), Wish::tr("a failover begins when the primary takes longer than %1 s").arg(*options.timeoutSeconds)});
}

void describeReinitialize(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    facts.action = Wish::tr("Delete the data and copy it anew");
    facts.button = Wish::tr("Reinitialize %1 of %2").arg(listed(wish.members), name);
    facts.nowText = Wish::tr("its data directory is deleted at once");
    facts.more.append({Wish::tr("Copied from"), wish.fromLeader ? Wish::tr("the leader") : Wish::tr("whatever Patroni chooses")});
    if (wish.force)
        facts.more.append({Wish::tr("Force"), Wish::tr("also while another copy is under way")});
}

void describeDemote(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    facts.action = Wish::tr("Make it a standby cluster");
    facts.button = Wish::tr("Demote cluster %1").arg(name);
    facts.nowText = Wish::tr("the leader stops accepting writes");
    const rules::StandbySource &source = wish.source;
    QStringList from;
    if (source.host)
        from << Wish::tr("host %1").arg(text(*source.host));
    if (source.port)
        from << Wish::tr("port %1").arg(*source.port);
    if (source.restoreCommand)
        from << Wish::tr("restore_command %1").arg(text(*source.restoreCommand));
    if (source.primarySlotName)
        from << Wish::tr("slot %1").arg(text(*source.primarySlotName));
    facts.more.append({Wish::tr("Follows"), from.isEmpty() ? views::unknownText() : from.join(QLatin1String(", "))});
}

void describeOther(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    const QString members = listed(wish.members);
    switch (wish.kind) {
    case ActionKind::CancelRequest:
        facts.action = Wish::tr("Cancel the pending request");
        facts.button = Wish::tr("Cancel the request of %1").arg(name);
        break;
    case ActionKind::Repair:
        facts.action = Wish::tr("Clear the time that cannot be read");
        facts.button = Wish::tr("Repair the request of %1").arg(name);
        break;
    case ActionKind::EditConfig:
        facts.action = Wish::tr("Change the dynamic configuration");
        facts.button = Wish::tr("Write the configuration of %1").arg(name);
        facts.nowText = Wish::tr("each member takes it over in its next loop");
        break;
    case ActionKind::CancelRestart:
        facts.action = Wish::tr("Cancel the scheduled restart");
        facts.button = Wish::tr("Cancel the restart of %1 of %2").arg(members, name);
        facts.nowText = Wish::tr("at once");
        break;
    case ActionKind::Reload:
        facts.action = Wish::tr("Reload");
        facts.button = Wish::tr("Reload %1 of %2").arg(members, name);
        facts.nowText = Wish::tr("each member in its next loop; nothing is restarted");
        break;
    default:
        facts.action = Wish::tr("Make it a cluster of its own");
        facts.button = Wish::tr("Promote cluster %1").arg(name);
        facts.nowText = Wish::tr("it stops following and accepts writes");
        break;
    }
}

} // namespace

void describeWish(ConfirmFacts &facts, const ActionWish &wish, const QString &name)
{
    facts.at = wish.at;
    switch (wish.kind) {
    case ActionKind::Switchover: describeSwitchover(facts, wish, name); break;
    case ActionKind::Failover: describeFailover(facts, wish, name); break;
    case ActionKind::Pause:
    case ActionKind::Resume: describePause(facts, wish, name); break;
    case ActionKind::Restart: describeRestart(facts, wish, name); break;
    case ActionKind::Reinitialize: describeReinitialize(facts, wish, name); break;
    case ActionKind::DemoteCluster: describeDemote(facts, wish, name); break;
    default: describeOther(facts, wish, name); break;
    }
    if (!wish.members.empty())
        facts.more.prepend({Wish::tr("Members"), listed(wish.members)});
}

QString actionOnMany(ActionKind kind, int clusters)
{
    switch (kind) {
    case ActionKind::Pause: return Wish::tr("Pause %n cluster(s)", nullptr, clusters);
    case ActionKind::Resume: return Wish::tr("Resume %n cluster(s)", nullptr, clusters);
    case ActionKind::Reload: return Wish::tr("Reload all members of %n cluster(s)", nullptr, clusters);
    default: return Wish::tr("Change %n cluster(s)", nullptr, clusters);
    }
}

} // namespace switchyard::desktop
