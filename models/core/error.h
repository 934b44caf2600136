// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What went wrong, in parts: which request or file, what the other side said, what the user can do.
#include <optional>
#include <string>

#include <tl/expected.hpp>

namespace switchyard {

enum class ErrorKind {
    BadInput,       // file, command line, or a field of one: `where` names file:line, `field` the field
    NotSupported,   // understood, but this version cannot do it; named in message
    Unreachable,    // no connection, DNS, TLS, time-out before an answer
    Unauthorized,   // 401
    Forbidden,      // 403; verb and resource say which right is missing
    NotFound,       // 404
    Conflict,       // 409
    Gone,           // 410, or an Expired/Gone status
    Throttled,      // 429
    Server,         // 5xx, or an answer that is not Kubernetes
    OutcomeUnknown, // a write was sent, no answer came: it may or may not have been done
    Refused,        // the program itself refused (read-only, stale data, rule)
    Io,             // local file system
};

struct Error
{
    ErrorKind kind = ErrorKind::Server;
    std::string verb{};     // Kubernetes verb: get list watch patch create
    std::string resource{}; // endpoints configmaps pods ...
    std::string ns{};
    std::string name{};
    std::string where{}; // file:line:column, or server URL; never a secret
    std::string field{};
    int httpStatus = 0;    // 0: no answer
    std::string reason{};  // the server's Status.reason
    std::string message{}; // the server's own words, or ours
    std::string advice{};  // what to do next
    std::optional<int> retryAfterSeconds{};
    bool operator==(const Error &) const = default;
};

template<class T>
using Result = tl::expected<T, Error>;

// One line for stderr, logs and status bars: "patch endpoints db/acme-failover: 403 Forbidden: ... - ask for ...".
std::string describe(const Error &error);

} // namespace switchyard
