// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What Pods and Events tell.
#include "views/words_pods.h"

#include "views/words.h"
#include "views/words_tr.h"

namespace switchyard::views {

using namespace Qt::StringLiterals;

namespace {

// "OOMKilled, exit code 137"
QString endText(const Event &event)
{
    QString reason = detail(event, "reason");
    const QString code = detail(event, "exit_code");
    if (code.isEmpty())
        return reason;
    return reason.isEmpty() ? Words::tr("exit code %1").arg(code) : Words::tr("%1, exit code %2").arg(reason, code);
}

QString withReason(const QString &sentence, const QString &reason)
{
    // Without the full stop of a message: the sentence has its own.
    return reason.isEmpty() ? sentence
                            : Words::tr("%1: %2", "sentence: reason").arg(sentence, reason.endsWith(u'.') ? reason.chopped(1) : reason);
}

} // namespace

QString podSentence(const Event &event)
{
    const QString kind = detail(event, "kind"), member = detail(event, "member"), container = detail(event, "container");
    if (kind == "container-terminated"_L1)
        return withReason(Words::tr("Container %1 of %2 ended").arg(container, member), endText(event));
    if (kind == "container-restarted"_L1)
        return withReason(Words::tr("Container %1 of %2 was started again, restarts %3 to %4")
                              .arg(container, member, detail(event, "from"), detail(event, "to")),
                          endText(event));
    if (kind == "pod-failed"_L1)
        return withReason(Words::tr("The Pod %1 failed or has to go").arg(member), detail(event, "reason"));
    if (kind == "pod-not-ready"_L1) {
        return withReason(detail(event, "status") == "Unknown"_L1 ? Words::tr("Nobody knows whether the Pod %1 is ready").arg(member)
                                                                  : Words::tr("The Pod %1 is no longer ready").arg(member),
                          detail(event, "reason"));
    }
    const QString said = withReason(detail(event, "reason"), detail(event, "message")), source = detail(event, "source");
    const QString who = source.isEmpty() ? Words::tr("An Event says of %1").arg(member) : Words::tr("%1 says of %2").arg(source, member);
    const QString count = detail(event, "count");
    return withReason(who, count.isEmpty() ? said : Words::tr("%1 (%2 times)").arg(said, count));
}

} // namespace switchyard::views
