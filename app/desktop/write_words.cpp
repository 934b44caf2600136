// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/write_words.h"

#include "models/rules/preflight.h"
#include "views/requests.h"
#include "views/words.h"

#include <QCoreApplication>
#include <QStringList>
#include <QUrl>

namespace switchyard::desktop {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("WriteWords", text);
}

using views::text;

QString requestInWords(const actions::RequestKeys &keys)
{
    QStringList parts;
    for (const auto &[key, value] : keys)
        parts.append(text(key) + u" = " + text(value));
    return parts.join(u", ");
}

void describeSwitchover(views::ConfirmFacts &facts, const rules::ActionWish &wish, const QString &name)
{
    facts.action = wish.at ? tr("Schedule a switchover") : tr("Switch over");
    facts.from = text(wish.leader.value_or(""));
    facts.to = wish.candidate ? text(*wish.candidate) : tr("Patroni decides");
    facts.at = wish.at;
    const QString target = wish.candidate ? text(*wish.candidate) : tr("the member that Patroni chooses");
    facts.button = (wish.at ? tr("Schedule switchover of %1 to %2") : tr("Switch over %1 to %2")).arg(name, target);
}

void describeCancel(views::ConfirmFacts &facts, const actions::PlannedWrite &planned, const QString &name)
{
    const auto value = [&](const char *key) {
        const auto found = planned.before.find(key);
        return found == planned.before.end() ? tr("not named") : text(found->second);
    };
    facts.action = tr("Cancel the pending request");
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
    facts.button = tr("Cancel the request of %1").arg(name);
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

} // namespace

actions::Sender senderOf(const kube::ContextConfig &config)
{
    actions::Sender sender{QUrl(config.server).toString(QUrl::RemoveUserInfo).toStdString(), config.credential.userName.toStdString(),
                           config.impersonation.user.toStdString()};
    for (const QString &group : config.impersonation.groups)
        sender.asGroups.push_back(group.toStdString());
    return sender;
}

views::ConfirmFacts confirmFacts(const patroni::Cluster &cluster, const actions::PlannedWrite &planned,
                                 const std::optional<rules::ActionWish> &wish, const QString &path, Now now)
{
    const auto &key = cluster.names.key;
    views::ConfirmFacts facts;
    facts.context = text(key.context);
    facts.ns = text(key.ns);
    facts.scope = key.group ? QStringLiteral("%1 (group %2)").arg(text(key.scope)).arg(*key.group) : text(key.scope);
    const QString name = text(key.text());
    if (wish)
        describeSwitchover(facts, *wish, name);
    else
        describeCancel(facts, planned, name);
    if (planned.sender) {
        facts.server = text(planned.sender->server);
        facts.account = accountInWords(*planned.sender);
    }
    const QString age = cluster.view.lastContact ? views::durationText(now.boot - *cluster.view.lastContact) : views::unknownText();
    facts.dataAge = tr("%1, last contact %2 ago").arg(views::words(cluster.view.freshness), age);
    if (wish && (planned.before.contains("leader") || planned.before.contains("member")))
        facts.replaces = requestInWords(planned.before);
    if (wish) {
        for (const rules::Finding &problem : rules::preflight(cluster, *wish, {}, now).request) {
            if (problem.severity == rules::Severity::Warning)
                facts.warnings.append(views::words(problem));
        }
    }
    if (!planned.basedOnVersion)
        facts.warnings.append(
            tr("The object does not exist yet and is created; if somebody else creates it first, the server refuses this write."));
    facts.request = (planned.write.verb == kube::WriteVerb::Patch ? QStringLiteral("PATCH ") : QStringLiteral("POST ")) + path;
    facts.body = QString::fromUtf8(planned.write.body);
    facts.equivalent = views::patronictlCommand(key, wish);
    return facts;
}

namespace {

QString differencesInWords(const actions::WriteResult &result)
{
    QStringList lines;
    for (const actions::Difference &d : result.differences) {
        const auto shown = [](const std::optional<std::string> &v) { return v ? text(*v) : tr("not set"); };
        lines.append(tr("%1: %2, was %3 when you looked").arg(text(d.key), shown(d.now), shown(d.before)));
    }
    return lines.join(u'\n');
}

} // namespace

namespace {

QString missingAnswer(const actions::WriteResult &result)
{
    const int status = result.error ? result.error->httpStatus : 0;
    return status ? tr("No clear answer came (HTTP %1)").arg(status) : tr("No answer came");
}

} // namespace

Message resultMessage(const actions::WriteResult &result)
{
    using actions::WriteCode;
    const QString error = result.error ? text(describe(*result.error)) : QString();
    Message m;
    m.detail = error;
    switch (result.code) {
    case WriteCode::Done: m = {tr("Written"), tr("The request was written; the cluster's page follows what comes of it."), {}}; break;
    case WriteCode::Refused:
        m.title = tr("Not written");
        m.text = result.error ? text(result.error->message) : tr("The program refused it.");
        break;
    case WriteCode::AuditFailed:
        m.title = tr("Not written: no audit trail");
        m.text = tr("The intent could not be stored in the audit file, so nothing was sent. Mend the file or its folder and try again.");
        break;
    case WriteCode::NotPermitted:
        m.title = tr("Not permitted");
        m.text = tr("The API server refused the write. Your account lacks the right that is named below; ask for it, or use an account "
                    "that has it.");
        break;
    case WriteCode::Conflict:
        m.title = tr("Somebody was faster");
        m.text = tr("The request object is not as it was when you looked, so nothing was changed.");
        if (const QString lines = differencesInWords(result); !lines.isEmpty())
            m.text += u'\n' + lines;
        break;
    case WriteCode::Vanished:
        m.title = tr("Not written");
        m.text = tr("The request object does not exist any more. Look again at what is pending, then ask again.");
        break;
    case WriteCode::Arrived:
        m.title = tr("Written, though no clear answer came");
        m.text = tr("%1, but the object now says what was written. It was sent once.").arg(missingAnswer(result));
        break;
    case WriteCode::NotArrived:
        m.title = tr("Not written up to now");
        m.text = tr("%1, and the object is as before. The request may still arrive; it is not sent again by itself.")
                     .arg(missingAnswer(result));
        break;
    case WriteCode::Unknown:
        m.title = tr("Outcome unknown");
        m.text =
            tr("%1, and the object does not tell. The request may or may not have been written: look at the cluster's page before you try "
               "again.")
                .arg(missingAnswer(result));
        break;
    case WriteCode::Failed:
        m.title = tr("Not written");
        m.text = tr("The API server did not accept the write.");
        break;
    }
    if (result.auditError)
        m.text += u'\n' + tr("The answer could not be added to the audit file: %1").arg(text(describe(*result.auditError)));
    return m;
}

} // namespace switchyard::desktop
