// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads the audit file from its end: the newest writes, each with its answer and what became of it. Lines that are cut or foreign are
// counted and left out; a file of any size is read in pieces, and no further back than is asked for.
#include "models/core/error.h"
#include "models/core/time.h"

#include <QString>

#include <vector>

namespace switchyard::actions {

struct AuditEntry
{
    std::string id;
    std::optional<Instant> at;   // nullopt: the line of the intent is missing, or its time cannot be read
    bool hasIntent = false;      // false: an answer or an outcome without the line that came before the request
    std::string osUser, context; // of the intent, as are all up to body
    std::string ns, scope;
    std::optional<int> group;
    std::string server, user, asUser; // of the kubeconfig; empty: not told
    std::string action;               // code(ActionKind); of lines before there was such a field: the first word of the summary
    std::string verb, resource, name, path, member;
    std::optional<std::string> versionBefore;
    std::string summary, preflight, dryRun, body;

    std::string result; // of the answer; empty: none came into the file, the outcome of the request is not known
    std::optional<Instant> answeredAt;
    int httpStatus = 0;
    std::optional<std::string> versionAfter;
    std::string detail;

    std::string outcome; // what was seen later; empty: nothing yet
    std::optional<Instant> outcomeAt;
    std::string outcomeDetail;
    bool operator==(const AuditEntry &) const = default;
};

struct AuditPage
{
    std::vector<AuditEntry> entries; // newest first
    int unreadable = 0;              // lines that were left out
    bool more = false;               // there are older ones
};

// A file that does not exist is an empty one. Errors name the file.
Result<AuditPage> readAudit(const QString &path, std::size_t most = 1000);

} // namespace switchyard::actions
