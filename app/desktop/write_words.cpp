// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/write_words.h"

#include "app/actions/plan.h"
#include "app/desktop/wish_words.h"
#include "views/dialogs/preflight_text.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

namespace switchyard::desktop {

using namespace Qt::StringLiterals;
using actions::PlannedWrite;
using rules::ActionKind;
using views::ConfirmFacts;
using views::text;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("WriteWords", text);
}

QString requestInWords(const actions::RequestKeys &keys)
{
    QStringList parts;
    for (const auto &entry : keys)
        parts.append(text(entry.first) + u" = " + text(entry.second));
    return parts.join(u", ");
}

// A call carries nothing of what it replaces, and does so all the same.
QString replacedInWords(const PlannedWrite &planned)
{
    const actions::RequestKeys &keys = planned.slotThen ? planned.slotThen->keys : planned.before;
    return keys.contains("leader") || keys.contains("member") ? requestInWords(keys) : QString();
}

// What is cleared: whom and when it was for.
void describeCleared(ConfirmFacts &facts, const PlannedWrite &planned)
{
    const auto value = [&](const char *key) {
        const auto found = planned.before.find(key);
        return found == planned.before.end() ? tr("not named") : text(found->second);
    };
    facts.cancels = true;
    if (const auto at = planned.before.find("scheduled_at"); at != planned.before.end()) {
        const auto parsed = parseTime(at->second);
        if (parsed && parsed->offsetSeconds)
            facts.at = parsed->utc;
        else
            facts.atRaw = text(at->second);
    }
    facts.from = value("leader");
    facts.to = value("member");
}

QString accountInWords(const actions::Sender &sender)
{
    QString user = sender.user.empty() ? tr("no user entry") : text(sender.user);
    if (sender.asUser.empty())
        return user;
    QStringList groups;
    for (const std::string &group : sender.asGroups)
        groups.append(text(group));
    const QString whom = groups.isEmpty() ? text(sender.asUser) : tr("%1 (groups %2)").arg(text(sender.asUser), groups.join(u", "));
    return tr("%1, acting as %2").arg(user, whom);
}

std::optional<patroni::OwnedChange> changeOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Pause:
    case ActionKind::Resume: return patroni::OwnedChange::Pause;
    case ActionKind::EditConfig:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster: return patroni::OwnedChange::Config;
    case ActionKind::Restart:
    case ActionKind::Reinitialize: return patroni::OwnedChange::Restart;
    default: return std::nullopt; // of a switchover the preflight says it
    }
}

QString methodOf(kube::WriteVerb verb)
{
    switch (verb) {
    case kube::WriteVerb::Create:
    case kube::WriteVerb::ProxyPost: return u"POST"_s;
    case kube::WriteVerb::Patch:
    case kube::WriteVerb::ProxyPatch: return u"PATCH"_s;
    case kube::WriteVerb::ProxyDelete: break;
    }
    return u"DELETE"_s;
}

void addRequests(ConfirmFacts &facts, const WriteJob &job)
{
    QStringList lines;
    for (const PlannedWrite &planned : job.writes) {
        const QString path = job.target ? job.target->client()->url(planned.write.path).path() : planned.write.path.name;
        lines << methodOf(planned.write.verb) + u' ' + path;
        if (!planned.write.body.isEmpty())
            lines << QString::fromUtf8(planned.write.body);
    }
    if (!facts.request.isEmpty())
        facts.request += u'\n';
    facts.request += lines.join(u'\n');
}

void addWarnings(ConfirmFacts &facts, const WriteJob &job, const patroni::Cluster &cluster, const QString &prefix)
{
    const auto warn = [&](const QString &warning) { facts.warnings.append(prefix.isEmpty() ? warning : prefix + u": "_s + warning); };
    if (const auto change = changeOf(job.wish.kind)) {
        if (const QString owner = views::ownerWarning(patroni::ownership(cluster), *change); !owner.isEmpty())
            warn(owner);
    }
    for (const PlannedWrite &planned : job.writes) {
        if (planned.write.verb == kube::WriteVerb::Create)
            warn(tr("The object does not exist yet and is created; if somebody else creates it first, the server refuses this write."));
    }
}

void addPreflight(ConfirmFacts &facts, const rules::ActionWish &wish, const patroni::Cluster &cluster, const ConfirmView &view)
{
    if (wish.kind != ActionKind::Switchover && wish.kind != ActionKind::Failover)
        return;
    const auto judged = rules::preflight(cluster, wish, view.answers, view.now);
    facts.preflight = views::preflightLine(judged, wish.candidate);
    for (const rules::Finding &finding : judged.request) {
        if (finding.severity == rules::Severity::Warning)
            facts.warnings.append(views::words(finding));
    }
}

QString ageOf(const patroni::Cluster &cluster, Now now)
{
    const QString age = cluster.view.lastContact ? views::durationText(now.boot - *cluster.view.lastContact) : views::unknownText();
    return tr("%1, last contact %2 ago").arg(views::words(cluster.view.freshness), age);
}

ConfirmFacts factsOfOne(const WriteJob &job, const patroni::Cluster &cluster, const ConfirmView &view)
{
    const auto &key = cluster.names.key;
    const PlannedWrite &planned = job.writes.front();
    ConfirmFacts facts;
    facts.context = text(key.context);
    facts.ns = text(key.ns);
    facts.scope = key.group ? u"%1 (group %2)"_s.arg(text(key.scope)).arg(*key.group) : text(key.scope);
    describeWish(facts, job.wish, text(key.text()));
    if (job.wish.kind == ActionKind::CancelRequest || job.wish.kind == ActionKind::Repair)
        describeCleared(facts, planned);
    else
        facts.replaces = replacedInWords(planned);
    if (job.wish.kind == ActionKind::Failover) // it names none, but the office is taken from whoever has it
        facts.from = planned.leaderThen ? text(*planned.leaderThen) : tr("nobody leads");
    if (planned.sender) {
        facts.server = text(planned.sender->server);
        facts.account = accountInWords(*planned.sender);
    }
    facts.dataAge = ageOf(cluster, view.now);
    addPreflight(facts, job.wish, cluster, view);
    addWarnings(facts, job, cluster, {});
    addRequests(facts, job);
    return facts;
}

ConfirmFacts factsOfMany(const std::vector<WriteJob> &jobs, const ConfirmView &view)
{
    ConfirmFacts facts;
    QStringList contexts;
    int count = 0;
    std::optional<Boot> oldest;
    for (const WriteJob &job : jobs) {
        const QString name = text(job.key.context) + u" / "_s + text(job.key.text());
        facts.targets.append({name, job.leftOut});
        const patroni::Cluster *cluster = view.store.find(job.key);
        if (!job.leftOut.isEmpty() || !cluster)
            continue;
        ++count;
        if (!contexts.contains(text(job.key.context)))
            contexts << text(job.key.context);
        if (!oldest || (cluster->view.lastContact && *cluster->view.lastContact < *oldest))
            oldest = cluster->view.lastContact;
        addWarnings(facts, job, *cluster, text(job.key.text()));
        addRequests(facts, job);
        describeWish(facts, job.wish, {});
        facts.more.clear();
    }
    facts.context = contexts.join(u", "_s);
    facts.action = facts.button = actionOnMany(jobs.front().wish.kind, count);
    facts.dataAge = tr("last contact at most %1").arg(views::agoText(oldest, view.now));
    return facts;
}

} // namespace

actions::Sender senderOf(const kube::ContextConfig &config)
{
    actions::Sender sender{QUrl(config.server).toString(QUrl::RemoveUserInfo).toStdString(), config.credential.userName.toStdString(),
                           config.impersonation.user.toStdString()};
    for (const QString &group : config.impersonation.groups)
        sender.asGroups.push_back(group.toStdString());
    return sender;
}

ConfirmFacts confirmFacts(const std::vector<WriteJob> &jobs, const ConfirmView &view)
{
    const patroni::Cluster *cluster = jobs.size() == 1 ? view.store.find(jobs.front().key) : nullptr;
    ConfirmFacts facts = cluster && !jobs.front().writes.empty() ? factsOfOne(jobs.front(), *cluster, view) : factsOfMany(jobs, view);
    facts.commands = commandsOf(jobs, view.store);
    return facts;
}

QList<views::Command> commandsOf(const std::vector<WriteJob> &jobs, const ClusterStore &store)
{
    QStringList patronictl, kubectl;
    for (const WriteJob &job : jobs) {
        const patroni::Cluster *cluster = store.find(job.key);
        if (!job.leftOut.isEmpty() || !cluster)
            continue;
        if (const QString line = text(actions::patronictlLine(*cluster, job.wish)); !line.isEmpty())
            patronictl << line;
        for (const PlannedWrite &planned : job.writes) {
            if (const QString line = text(actions::kubectlLine(planned)); !line.isEmpty())
                kubectl << line;
        }
    }
    return {{u"patronictl"_s, patronictl.join(u'\n'), tr("has no command for this")},
            {u"kubectl"_s, kubectl.join(u'\n'), tr("cannot do this")}};
}

} // namespace switchyard::desktop
