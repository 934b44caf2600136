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
    return right.ns.empty() ? Words::tr("in all namespaces") : Words::tr("in namespace %1").arg(text(right.ns));
}

// One of each kind: ten clusters without a right are one thing to say.
QString missingList(const std::vector<rules::Loss> &losses, bool writes)
{
    QStringList parts;
    for (const rules::Loss &loss : losses) {
        const bool write = loss.effect == Effect::NoSwitchover || loss.effect == Effect::NoFirstRequest;
        const QString part = rightText(loss.missing);
        if (write == writes && !parts.contains(part))
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
    const auto has = [&](Effect effect) {
        return std::any_of(losses.begin(), losses.end(), [&](const rules::Loss &loss) { return loss.effect == effect; });
    };
    if (has(Effect::NothingSeen) || has(Effect::OnlyNamed) || has(Effect::OnlyPolled) || has(Effect::NotConfirmed)
        || has(Effect::OneServer))
        return Words::tr("%1 may not watch everything here: %2").arg(who, missingList(losses, false));
    return known ? Words::tr("%1 may watch everything here").arg(who) : Words::tr("What %1 may watch here is not known").arg(who);
}

bool allKnown(const items::ContextRights &rights, bool writes)
{
    for (const Right &right : rules::wantedRights(rights.scope, rights.answers)) {
        const bool write = right.use == RightUse::ChangeRequest || right.use == RightUse::FirstRequest;
        if (write == writes && rules::answerFor(rights.answers, right).kind == Answer::Kind::Unknown)
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
    const bool readsKnown = allKnown(rights, false), writesKnown = allKnown(rights, true);
    const bool noWrite = std::any_of(losses.begin(), losses.end(), [](const rules::Loss &loss) {
        return loss.effect == Effect::NoSwitchover || loss.effect == Effect::NoFirstRequest;
    });
    const bool noSwitchover = std::any_of(losses.begin(), losses.end(),
                                          [](const rules::Loss &loss) { return loss.effect == Effect::NoSwitchover; });
    QString said = readsText(losses, who, readsKnown);
    if (noSwitchover)
        said += Words::tr("; switchovers are not permitted: %1.").arg(missingList(losses, true));
    else if (noWrite)
        said += Words::tr("; the first switchover of a cluster is not permitted: %1.").arg(missingList(losses, true));
    else if (rights.scope.targets.empty())
        said += Words::tr("; no cluster is known here, so nothing was asked about switchovers.");
    else if (!writesKnown)
        said += Words::tr("; whether switchovers are permitted is not known.");
    else
        said += Words::tr("; switchovers are permitted.");
    const Tone tone = !losses.empty() ? Tone::Warning : readsKnown && writesKnown ? Tone::Good : Tone::Unknown;
    return {tone, said};
}

} // namespace switchyard::views
