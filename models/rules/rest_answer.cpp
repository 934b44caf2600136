// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rules/rest_answer.h"

#include "models/core/proxy_status.h"
#include "models/patroni/mask.h"

#include <algorithm>
#include <array>

namespace switchyard::rules {

namespace {

constexpr std::size_t longestWords = 400;

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

// These wait in Patroni until it is done, so that an answer that is lost tells nothing about the action.
bool blocks(ActionKind kind)
{
    return kind == ActionKind::Switchover || kind == ActionKind::Failover || kind == ActionKind::Restart;
}

RestCode withoutAnswer(ActionKind kind)
{
    return blocks(kind) ? RestCode::StillRunning : RestCode::Unknown;
}

// Python's error pages (http.server send_error) say the one thing that matters as "Message: ...".
std::string withoutMarkup(std::string_view text)
{
    std::string out;
    bool inTag = false;
    for (const char c : text) {
        if (c == '<') {
            inTag = true;
            out += ' ';
        } else if (c == '>' && inTag) {
            inTag = false;
        } else if (!inTag) {
            out += c;
        }
    }
    if (const auto at = out.find("Message: "); at != std::string::npos) {
        const auto begin = at + std::string_view("Message: ").size();
        return out.substr(begin, out.find('\n', begin) - begin);
    }
    return out;
}

std::string oneLine(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
        if (!blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    }
    while (!out.empty() && out.back() == ' ')
        out.pop_back();
    if (out.size() > longestWords) {
        out.resize(longestWords);
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80)
            out.pop_back();
        if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0)
            out.pop_back();
        out += "...";
    }
    return out;
}

std::string wordsOf(std::string_view body)
{
    const auto first = body.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || body[first] == '{' || body[first] == '[')
        return {}; // a document, such as the configuration after a PATCH: not words
    return oneLine(patroni::maskCredentials(body[first] == '<' ? withoutMarkup(body) : std::string(body)));
}

RestCode ofApiServer(ActionKind kind, int status, std::string_view message)
{
    switch (proxyTrouble(message)) {
    case ProxyTrouble::NoRoute: return RestCode::Unreachable;
    case ProxyTrouble::Tls:
        return contains(message, "remote error: tls: ") || contains(message, "certificate") ? RestCode::CertificateNeeded
                                                                                            : RestCode::Unreachable;
    case ProxyTrouble::LostAnswer: return withoutAnswer(kind);
    case ProxyTrouble::None: break;
    }
    switch (status) {
    case 401: return RestCode::NotLoggedIn;
    case 403: return RestCode::NotPermitted;
    case 400: // a Pod without an address, or with one that is not allowed
    case 404:
    case 503: return RestCode::Unreachable;
    case 429: return RestCode::Busy;
    default: return withoutAnswer(kind);
    }
}

// 503 is Patroni's for everything that did not work; the words tell them apart.
RestCode ofUnavailable(ActionKind kind, std::string_view words)
{
    static constexpr std::array refusals{
        std::string_view("conditions are not satisfied"), // ha.py restart
        std::string_view("can not reinitialize"),         // ha.py reinitialize
    };
    if (contains(words, "status unknown") || contains(words, "still starting"))
        return RestCode::StillRunning;
    if (contains(words, "already in progress"))
        return RestCode::Busy;
    if (std::any_of(refusals.begin(), refusals.end(), [&](std::string_view part) { return contains(words, part); }))
        return RestCode::Refused;
    if (contains(words, "failed"))
        return RestCode::Failed;
    const bool config = kind == ActionKind::Pause || kind == ActionKind::Resume || kind == ActionKind::EditConfig
        || kind == ActionKind::DemoteCluster || kind == ActionKind::PromoteCluster;
    return config ? RestCode::Failed : withoutAnswer(kind); // do_PATCH_config: there is no configuration
}

RestCode ofForbidden(std::string_view words)
{
    if (contains(words, "client certificate required"))
        return RestCode::CertificateNeeded;
    return contains(words, "Access is denied") ? RestCode::NotInAllowlist : RestCode::Refused;
}

RestCode ofPatroni(ActionKind kind, int status, std::string_view words)
{
    switch (status) {
    case 200: return RestCode::Done;
    case 202: return kind == ActionKind::Reload ? RestCode::Done : RestCode::Scheduled;
    case 401: return RestCode::AuthenticationNeeded;
    case 403: return ofForbidden(words);
    case 404: return kind == ActionKind::CancelRequest || kind == ActionKind::CancelRestart ? RestCode::NothingThere : RestCode::Unknown;
    case 409: return RestCode::Busy;
    case 400:
    case 411:
    case 412:
    case 422: return RestCode::Refused;
    case 500: return contains(words, "paused state") ? RestCode::Refused : RestCode::Failed;
    case 501: return RestCode::TooOld;
    case 503: return ofUnavailable(kind, words);
    default: return withoutAnswer(kind);
    }
}

} // namespace

std::string_view code(RestCode c)
{
    switch (c) {
    case RestCode::Done: return "done";
    case RestCode::Scheduled: return "scheduled";
    case RestCode::StillRunning: return "still-running";
    case RestCode::Refused: return "refused";
    case RestCode::NothingThere: return "nothing-there";
    case RestCode::Busy: return "busy";
    case RestCode::AuthenticationNeeded: return "authentication-needed";
    case RestCode::NotInAllowlist: return "not-in-allowlist";
    case RestCode::CertificateNeeded: return "certificate-needed";
    case RestCode::Unreachable: return "unreachable";
    case RestCode::NotLoggedIn: return "not-logged-in";
    case RestCode::NotPermitted: return "not-permitted";
    case RestCode::TooOld: return "too-old";
    case RestCode::Failed: return "failed";
    case RestCode::Unknown: return "unknown";
    }
    return "unknown";
}

bool isLimit(RestCode c)
{
    return c == RestCode::AuthenticationNeeded || c == RestCode::NotInAllowlist || c == RestCode::CertificateNeeded
        || c == RestCode::Unreachable;
}

RestAnswer readRestAnswer(ActionKind kind, int status, std::string_view body)
{
    if (status == 0)
        return {withoutAnswer(kind), 0, wordsOf(body)};
    if (const auto told = status >= 400 ? decodeStatus(body) : std::nullopt)
        return {ofApiServer(kind, status, told->message), status, oneLine(patroni::maskCredentials(told->message))};
    const std::string words = wordsOf(body);
    return {ofPatroni(kind, status, words), status, words};
}

} // namespace switchyard::rules
