// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/words_permissions.h"

#include "views/words.h"
#include "views/words_tr.h"

#include <algorithm>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using rules::Answer;
using rules::Effect;
using rules::Right;
using rules::RightUse;

namespace {

QString place(const Right &right)
{
    if (right.use == RightUse::ReadNodes)
        return Words::tr("of the whole cluster", "which have no namespace: list nodes of the whole cluster");
    return right.ns.empty() ? Words::tr("in all namespaces") : Words::tr("in namespace %1").arg(text(right.ns));
}

enum class Part { Reads, Requests, Configuration, Pods, Elections };

Part partOf(Effect effect)
{
    switch (effect) {
    case Effect::NoSwitchover:
    case Effect::NoFirstRequest: return Part::Requests;
    case Effect::NoConfigChange: return Part::Configuration;
    case Effect::NotAsked:
    case Effect::NoRest:
    case Effect::NoLogs:
    case Effect::NoEvents: return Part::Pods;
    case Effect::NoLeases:
    case Effect::NoNodes: return Part::Elections;
    case Effect::NothingSeen:
    case Effect::OnlyNamed:
    case Effect::OnlyPolled:
    case Effect::NotConfirmed:
    case Effect::OneServer: break;
    }
    return Part::Reads;
}

Part partOf(RightUse use)
{
    switch (use) {
    case RightUse::ChangeRequest:
    case RightUse::FirstRequest: return Part::Requests;
    case RightUse::ChangeConfig: return Part::Configuration;
    case RightUse::AskMembers:
    case RightUse::CallMembers:
    case RightUse::ReadLogs:
    case RightUse::ReadEvents: return Part::Pods;
    case RightUse::ReadLeases:
    case RightUse::ReadNodes: return Part::Elections;
    case RightUse::List:
    case RightUse::Watch:
    case RightUse::Get:
    case RightUse::GetNamed:
    case RightUse::FindServers: break;
    }
    return Part::Reads;
}

bool has(const std::vector<rules::Loss> &losses, Effect effect)
{
    return std::any_of(losses.begin(), losses.end(), [&](const rules::Loss &loss) { return loss.effect == effect; });
}

// One of each kind: ten clusters without a right are one thing to say.
QString missingList(const std::vector<rules::Loss> &losses, Part wanted)
{
    QStringList parts;
    for (const rules::Loss &loss : losses) {
        const QString part = rightText(loss.missing);
        if (partOf(loss.effect) == wanted && !parts.contains(part))
            parts << part;
    }
    constexpr qsizetype most = 3;
    const qsizetype more = parts.size() - most;
    QString joined = parts.mid(0, most).join(u", "_s);
    if (more > 0)
        joined = Words::tr("%1 and %2 more").arg(joined).arg(more);
    return parts.size() == 1 ? Words::tr("%1 is missing").arg(joined) : Words::tr("%1 are missing").arg(joined);
}

QString readsText(const std::vector<rules::Loss> &losses, const QString &who, bool known)
{
    if (std::any_of(losses.begin(), losses.end(), [](const rules::Loss &loss) { return partOf(loss.effect) == Part::Reads; }))
        return Words::tr("%1 may not watch everything here: %2").arg(who, missingList(losses, Part::Reads));
    return known ? Words::tr("%1 may watch everything here").arg(who) : Words::tr("What %1 may watch here is not known").arg(who);
}

bool allKnown(const items::ContextRights &rights, Part wanted)
{
    for (const Right &right : rules::wantedRights(rights.scope, rights.answers)) {
        if (partOf(right.use) == wanted && rules::answerFor(rights.answers, right).kind == Answer::Kind::Unknown)
            return false;
    }
    return true;
}

} // namespace

QString words(RightUse use)
{
    switch (use) {
    case RightUse::List: return Words::tr("See what there is");
    case RightUse::Watch: return Words::tr("See changes at once");
    case RightUse::Get: return Words::tr("Ask about one object");
    case RightUse::GetNamed: return Words::tr("Read a named cluster");
    case RightUse::ChangeRequest: return Words::tr("Switchover, cancel");
    case RightUse::FirstRequest: return Words::tr("First switchover");
    case RightUse::FindServers: return Words::tr("Find all API servers");
    case RightUse::ChangeConfig: return Words::tr("Pause, resume, edit configuration");
    case RightUse::AskMembers: return Words::tr("Ask members themselves");
    case RightUse::CallMembers: return Words::tr("Restart, reload, reinitialize");
    case RightUse::ReadLogs: return Words::tr("Read members' logs");
    case RightUse::ReadEvents: return Words::tr("Read Events about Pods");
    case RightUse::ReadLeases: return Words::tr("Other leader elections");
    case RightUse::ReadNodes: return Words::tr("Nodes of leaders for life");
    }
    return {};
}

QString words(Answer::Kind kind)
{
    switch (kind) {
    case Answer::Kind::Allowed: return Words::tr("allowed");
    case Answer::Kind::Denied: return Words::tr("denied");
    case Answer::Kind::Unknown: break;
    }
    return Words::tr("not known");
}

Tone toneOf(Answer::Kind kind)
{
    switch (kind) {
    case Answer::Kind::Allowed: return Tone::Good;
    case Answer::Kind::Denied: return Tone::Bad;
    case Answer::Kind::Unknown: break;
    }
    return Tone::Unknown;
}

QString withoutWords(const QString &effectCode, const Right &right)
{
    if (effectCode == "nothing-seen"_L1)
        return Words::tr("what %1 there are is not seen").arg(text(right.resource));
    if (effectCode == "only-named"_L1)
        return Words::tr("only clusters named with --cluster NAMESPACE/SCOPE are read, by polling");
    if (effectCode == "only-polled"_L1)
        return Words::tr("read at intervals: changes are seen later");
    if (effectCode == "not-confirmed"_L1)
        return Words::tr("a silent object cannot be asked about: it is stale until it changes");
    if (effectCode == "no-switchover"_L1)
        return Words::tr("no switchover and no cancel");
    if (effectCode == "no-first-request"_L1)
        return Words::tr("no switchover where no request was ever made");
    if (effectCode == "one-server"_L1)
        return Words::tr("only the API servers that are configured are used");
    if (effectCode == "no-config-change"_L1)
        return Words::tr("no pause, no resume and no change of the configuration");
    if (effectCode == "not-asked"_L1)
        return Words::tr("members are judged by the objects alone");
    if (effectCode == "no-rest"_L1)
        return right.verb == "create" ? Words::tr("no restart, no reload, no reinitialize")
            : right.verb == "patch"   ? Words::tr("no demotion or promotion of a cluster")
                                      : Words::tr("a scheduled restart cannot be cancelled");
    if (effectCode == "no-logs"_L1)
        return Words::tr("why a request was refused stays a guess");
    if (effectCode == "no-events"_L1)
        return Words::tr("why a leader was lost is told by its Pod alone");
    if (effectCode == "no-leases"_L1)
        return right.verb == "list" ? Words::tr("Leases are not shown")
            : right.verb == "watch" ? Words::tr("Leases are read at intervals: changes are seen later")
                                    : Words::tr("a silent Lease cannot be asked about: its state stays unverified");
    if (effectCode == "no-nodes"_L1)
        return Words::tr("whether a lock's Node is ready is unknown");
    if (right.use == RightUse::Watch || right.use == RightUse::Get) // said of denied lists, where it comes too late
        return Words::tr("nothing more: what cannot be listed is not watched");
    return Words::tr("nothing more: the narrower rights below decide");
}

QString rightText(const Right &right)
{
    return Words::tr("%1 %2 %3", "verb, resource, where: patch endpoints in namespace db")
        .arg(text(right.verb), text(right.resource), place(right));
}

QString notPermitted(const Right &right, const QString &user)
{
    return user.isEmpty() ? Words::tr("%1 is not permitted").arg(rightText(right))
                          : Words::tr("%1 is not permitted for user %2").arg(rightText(right), user);
}

QString accountName(const items::ContextRights &rights)
{
    return rights.account.user.empty() ? rights.user : text(rights.account.user);
}

RightsSentence rightsSentence(const items::ContextRights &rights)
{
    const QString name = accountName(rights);
    const QString who = name.isEmpty() ? Words::tr("The account of %1").arg(rights.context) : name + u'@' + rights.context;
    const std::vector<rules::Loss> losses = rules::losses(rights.scope, rights.answers);
    const bool readsKnown = allKnown(rights, Part::Reads), writesKnown = allKnown(rights, Part::Requests);
    QString said = readsText(losses, who, readsKnown);
    if (has(losses, Effect::NoSwitchover))
        said += Words::tr("; switchovers are not permitted: %1.").arg(missingList(losses, Part::Requests));
    else if (has(losses, Effect::NoFirstRequest))
        said += Words::tr("; the first switchover of a cluster is not permitted: %1.").arg(missingList(losses, Part::Requests));
    else if (rights.scope.targets.empty())
        said += Words::tr("; no cluster is known here, so nothing was asked about switchovers.");
    else if (!writesKnown)
        said += Words::tr("; whether switchovers are permitted is not known.");
    else
        said += Words::tr("; switchovers are permitted.");
    if (has(losses, Effect::NoConfigChange))
        said += Words::tr(" The configuration cannot be changed, nor a cluster paused: %1.").arg(missingList(losses, Part::Configuration));
    const bool harm = std::any_of(losses.begin(), losses.end(), [](const rules::Loss &loss) { return !rules::isOptional(loss.effect); });
    const Tone tone = harm ? Tone::Warning : readsKnown && writesKnown ? Tone::Good : Tone::Unknown;
    return {tone, said};
}

} // namespace switchyard::views
