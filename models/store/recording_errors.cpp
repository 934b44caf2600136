// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/recording_errors.h"

#include <array>
#include <sstream>
#include <utility>

namespace switchyard::recording {

namespace {

constexpr std::array<std::pair<ErrorKind, std::string_view>, 13> kinds{{{ErrorKind::BadInput, "bad-input"},
                                                                        {ErrorKind::NotSupported, "not-supported"},
                                                                        {ErrorKind::Unreachable, "unreachable"},
                                                                        {ErrorKind::Unauthorized, "unauthorized"},
                                                                        {ErrorKind::Forbidden, "forbidden"},
                                                                        {ErrorKind::NotFound, "not-found"},
                                                                        {ErrorKind::Conflict, "conflict"},
                                                                        {ErrorKind::Gone, "gone"},
                                                                        {ErrorKind::Throttled, "throttled"},
                                                                        {ErrorKind::Server, "server"},
                                                                        {ErrorKind::OutcomeUnknown, "outcome-unknown"},
                                                                        {ErrorKind::Refused, "refused"},
                                                                        {ErrorKind::Io, "io"}}};

bool isVerb(const std::string &text)
{
    return text == "list" || text == "watch" || text == "get";
}

} // namespace

std::string errorText(const Error &error)
{
    std::string text;
    for (const auto &[kind, name] : kinds) {
        if (kind == error.kind)
            text = name;
    }
    if (isVerb(error.verb))
        text += ' ' + error.verb;
    return error.httpStatus == 0 ? text : text + ' ' + std::to_string(error.httpStatus);
}

std::optional<Error> errorFrom(std::string_view text)
{
    std::istringstream words{std::string(text)};
    std::string word;
    words >> word;
    std::optional<Error> error;
    for (const auto &[kind, name] : kinds) {
        if (name == word) {
            error.emplace();
            error->kind = kind;
        }
    }
    while (error && words >> word) {
        if (isVerb(word))
            error->verb = word;
        else if (word.size() == 3 && word.find_first_not_of("0123456789") == std::string::npos)
            error->httpStatus = std::stoi(word);
    }
    return error;
}

} // namespace switchyard::recording
