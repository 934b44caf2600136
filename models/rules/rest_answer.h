// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an answer of Patroni's REST API means when it came through the API server's pods/proxy: Patroni's own word, a limit of that way
// (authentication is stripped, allowlist, client certificates, a member that listens on its own loopback), or the API server's refusal.
// Rules: patroni/api.py (check_access, do_POST_*), 2.0 - 4.1; kube-apiserver's proxy.
#include "models/rules/action.h"

namespace switchyard::rules {

enum class RestCode {
    Done,                 // done
    Scheduled,            // scheduled: 202
    StillRunning,         // still-running: "status unknown", or a time limit of the way; look at the objects
    Refused,              // refused: by Patroni, in its own words
    NothingThere,         // nothing-there: 404, no schedule to delete
    Busy,                 // busy: 409 or 503, another action is running
    AuthenticationNeeded, // authentication-needed: 401; the API server strips the Authorization header
    NotInAllowlist,       // not-in-allowlist: 403 of Patroni
    CertificateNeeded,    // certificate-needed: 403 "client certificate required", or TLS refused
    Unreachable,          // unreachable: the API server could not connect to the Pod
    NotLoggedIn,          // not-logged-in: 401 of the API server: it does not accept the account's credential
    NotPermitted,         // not-permitted: 403 of the API server: pods/proxy
    TooOld,               // too-old: this Patroni does not know it
    Failed,               // failed: Patroni tried and says that it did not work
    Unknown,              // unknown: none of these; outcome not known
};
std::string_view code(RestCode c);
bool isLimit(RestCode c); // of the way, not of the request: AuthenticationNeeded, NotInAllowlist, CertificateNeeded, Unreachable

struct RestAnswer
{
    RestCode code = RestCode::Unknown;
    int status = 0;    // HTTP
    std::string words; // Patroni's or the API server's own, one line, no markup
    bool operator==(const RestAnswer &) const = default;
};
// status 0: no answer came (StillRunning for what blocks, else Unknown).
RestAnswer readRestAnswer(ActionKind kind, int status, std::string_view body);

} // namespace switchyard::rules
