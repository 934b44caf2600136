// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A switch without default: the compiler reports a code that has no words.
#include "views/words_rest.h"

#include "views/words.h"
#include "views/words_tr.h"

namespace switchyard::views {

using rules::RestCode;

QString words(RestCode code)
{
    switch (code) {
    case RestCode::Done: return Words::tr("done");
    case RestCode::Scheduled: return Words::tr("scheduled");
    case RestCode::StillRunning: return Words::tr("still running");
    case RestCode::Refused: return Words::tr("refused by Patroni");
    case RestCode::NothingThere: return Words::tr("nothing was scheduled");
    case RestCode::Busy: return Words::tr("busy with another action");
    case RestCode::AuthenticationNeeded: return Words::tr("asks for a password");
    case RestCode::NotInAllowlist: return Words::tr("the API server is not in its allowlist");
    case RestCode::CertificateNeeded: return Words::tr("asks for a client certificate");
    case RestCode::Unreachable: return Words::tr("not reachable from the API server");
    case RestCode::NotLoggedIn: return Words::tr("not logged in");
    case RestCode::NotPermitted: return Words::tr("not permitted");
    case RestCode::TooOld: return Words::tr("not known to this Patroni");
    case RestCode::Failed: return Words::tr("did not work");
    case RestCode::Unknown: break;
    }
    return unknownText();
}

namespace {

QString limitExplained(RestCode code)
{
    switch (code) {
    case RestCode::AuthenticationNeeded:
        return Words::tr(
            "Patroni's REST API asks for a password (restapi.authentication), and the API server removes it on the way. Nothing was "
            "done. Use patronictl inside the cluster; a switchover can be written to the object instead.");
    case RestCode::NotInAllowlist:
        return Words::tr(
            "Patroni's REST API answers only to addresses of its allowlist (restapi.allowlist), and the API server's is not one. "
            "Nothing was done. Add it, or use patronictl inside the cluster.");
    case RestCode::CertificateNeeded:
        return Words::tr(
            "Patroni's REST API asks for a client certificate (restapi.verify_client), which the API server has not got. Nothing was "
            "done. Use patronictl with its certificate inside the cluster.");
    case RestCode::Unreachable:
        return Words::tr(
            "The API server could not connect to the member: its REST API may listen on 127.0.0.1 only (restapi.listen), a network "
            "policy may be in the way, or it is down. Nothing was done.");
    default: return {};
    }
}

} // namespace

QString explained(RestCode code)
{
    switch (code) {
    case RestCode::Done: return Words::tr("Patroni says that it is done.");
    case RestCode::Scheduled: return Words::tr("Patroni has taken it up for its time.");
    case RestCode::StillRunning:
        return Words::tr("No end was seen in the time of the call; that is no failure. The cluster's page follows what comes of it.");
    case RestCode::Refused: return Words::tr("Patroni refused it; nothing was done.");
    case RestCode::NothingThere: return Words::tr("There was nothing scheduled to take back; nothing was done.");
    case RestCode::Busy: return Words::tr("The member is busy with another restart, copy or start. Nothing was done; try again later.");
    case RestCode::AuthenticationNeeded:
    case RestCode::NotInAllowlist:
    case RestCode::CertificateNeeded:
    case RestCode::Unreachable: return limitExplained(code);
    case RestCode::NotLoggedIn:
        return Words::tr(
            "The API server does not accept this account's credential (401): it is not logged in, or not any more. Nothing was "
            "done. Log in again, then ask again.");
    case RestCode::NotPermitted:
        return Words::tr(
            "The API server does not permit it: pods/proxy is missing. Nothing was done. The page Permissions has a Role to ask for.");
    case RestCode::TooOld: return Words::tr("This version of Patroni does not know it. Nothing was done.");
    case RestCode::Failed: return Words::tr("Patroni tried and says that it did not work. Look at the member's log.");
    case RestCode::Unknown: break;
    }
    return Words::tr("What came back does not tell whether it was done. Look at the cluster's page before you try again.");
}

QString answerText(const rules::RestAnswer &answer)
{
    const QString meaning = explained(answer.code);
    return answer.words.empty() ? meaning : Words::tr("%1 Its words: \"%2\"").arg(meaning, text(answer.words));
}

} // namespace switchyard::views
