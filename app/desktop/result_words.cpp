// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/result_words.h"

#include "views/words.h"
#include "views/words_rest.h"

#include <QCoreApplication>
#include <QStringList>

namespace switchyard::desktop {

using views::text;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("ResultWords", text);
}

QString differencesInWords(const actions::WriteResult &result)
{
    QStringList lines;
    for (const actions::Difference &d : result.differences) {
        const auto shown = [](const std::optional<std::string> &v) { return v ? text(*v) : tr("not set"); };
        lines.append(tr("%1: %2, was %3 when you looked").arg(text(d.key), shown(d.now), shown(d.before)));
    }
    return lines.join(u'\n');
}

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
        if ((result.error && result.error->kind == ErrorKind::Unauthorized)
            || (result.rest && result.rest->code == rules::RestCode::NotLoggedIn)) {
            m.title = tr("Not logged in");
            m.text = tr(
                "The API server does not accept the account's credential (401), so nothing was written. Log in again, then ask again.");
            break;
        }
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
        m.title = result.rest ? tr("It did not work") : tr("Not written");
        m.text = tr("The API server did not accept the write.");
        break;
    case WriteCode::PatroniRefused: m.title = tr("Patroni refused it"); break;
    case WriteCode::Limited: m.title = tr("Not possible this way"); break;
    case WriteCode::StillRunning: m.title = tr("Still running"); break;
    }
    if (result.rest) {
        m.text = views::answerText(*result.rest);
        if (result.code == WriteCode::Done)
            m.title = result.rest->code == rules::RestCode::Scheduled ? tr("Scheduled") : tr("Done");
    }
    if (result.auditError)
        m.text += u'\n' + tr("The answer could not be added to the audit file: %1").arg(text(describe(*result.auditError)));
    return m;
}

QString writeName(const actions::PlannedWrite &planned)
{
    const QString cluster = text(planned.cluster.text());
    return planned.member ? tr("%1 of %2").arg(text(*planned.member), cluster) : cluster;
}

views::ResultLine resultLine(const actions::PlannedWrite &planned, const actions::WriteResult *result)
{
    using actions::WriteCode;
    using views::Tone;
    const QString name = writeName(planned);
    if (!result)
        return {Tone::Neutral, name, tr("not sent: one before it did not succeed, or no more was to be sent")};
    const Message message = resultMessage(*result);
    const QString said = message.text.isEmpty() ? message.title : tr("%1. %2").arg(message.title, message.text);
    switch (result->code) {
    case WriteCode::Done:
    case WriteCode::Arrived: return {Tone::Good, name, said};
    case WriteCode::NotArrived:
    case WriteCode::Unknown:
    case WriteCode::StillRunning: return {Tone::Unknown, name, said};
    default: return {Tone::Bad, name, said};
    }
}

} // namespace switchyard::desktop
