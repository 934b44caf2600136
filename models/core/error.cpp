// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"

namespace switchyard {

namespace {

std::string_view words(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::BadInput: return "bad input";
    case ErrorKind::NotSupported: return "not supported";
    case ErrorKind::Unreachable: return "unreachable";
    case ErrorKind::Unauthorized: return "Unauthorized";
    case ErrorKind::Forbidden: return "Forbidden";
    case ErrorKind::NotFound: return "NotFound";
    case ErrorKind::Conflict: return "Conflict";
    case ErrorKind::Gone: return "Gone";
    case ErrorKind::Throttled: return "TooManyRequests";
    case ErrorKind::Server: return "server error";
    case ErrorKind::OutcomeUnknown: return "outcome unknown";
    case ErrorKind::Refused: return "refused";
    case ErrorKind::Io: return "input/output error";
    }
    return "error";
}

std::string joined(std::string_view separator, std::initializer_list<std::string> parts)
{
    std::string result;
    for (const auto &part : parts) {
        if (part.empty())
            continue;
        if (!result.empty())
            result += separator;
        result += part;
    }
    return result;
}

// Server text may hold line breaks; logs and status bars want one line.
std::string oneLine(std::string text)
{
    for (char &c : text) {
        if (static_cast<unsigned char>(c) < 0x20)
            c = ' ';
    }
    return text;
}

} // namespace

std::string describe(const Error &error)
{
    const std::string object = error.ns.empty() || error.name.empty() ? error.ns + error.name : error.ns + '/' + error.name;
    const std::string request = joined(" ", {error.verb, error.resource, object});
    const std::string status = joined(" ",
                                      {error.httpStatus ? std::to_string(error.httpStatus) : std::string(),
                                       error.reason.empty() ? std::string(words(error.kind)) : error.reason});
    // A local defect speaks for itself: its kind adds nothing to "file:line: field: message".
    const bool local = error.httpStatus == 0 && error.reason.empty() && !error.message.empty()
        && (error.kind == ErrorKind::BadInput || error.kind == ErrorKind::Io || error.kind == ErrorKind::NotSupported);
    std::string line = joined(": ", {request, error.where, error.field, local ? std::string() : status, error.message});
    if (!error.advice.empty())
        line += " - " + error.advice;
    return oneLine(std::move(line));
}

} // namespace switchyard
