// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The audit trail: one JSON object a line, only ever appended to, mode 0600. The intent, with the exact bytes of the request, is on the
// disk before the request is sent; the answer follows with the same id, and later what became of it. An intent without an answer means:
// outcome not known. audit_reader.h reads it.
#include "app/actions/failover_write.h"

#include <QByteArray>
#include <QString>

namespace switchyard::actions {

struct AuditAnswer
{
    std::string result;                      // code(WriteCode), but outcome-unknown for unknown; abandoned: the program ended
    int httpStatus = 0;                      // 0: no answer
    std::optional<std::string> versionAfter; // resourceVersion that this write gave the object, when known
    std::string detail;                      // the server's or Patroni's words, and the version that was read again; never a secret
};

// What became of it, as seen later in the cluster.
struct AuditOutcome
{
    std::string outcome; // code(patroni::Outcome), or of a call what was seen
    std::string detail;  // never a secret
};

// Pure: the lines, with their line end.
QByteArray intentLine(const QString &id, const QString &user, Instant at, const PlannedWrite &planned);
QByteArray answerLine(const QString &id, Instant at, const AuditAnswer &answer);
QByteArray outcomeLine(const QString &id, Instant at, const AuditOutcome &outcome);

class AuditLog
{
public:
    explicit AuditLog(QString path);
    const QString &path() const { return m_path; }

    // Written and fsynced when it returns; the id ties the answer to it.
    Result<QString> writeIntent(Instant at, const PlannedWrite &planned) const;
    Result<void> writeAnswer(const QString &id, Instant at, const AuditAnswer &answer) const;
    // May be written more than once: the last one counts.
    Result<void> writeOutcome(const QString &id, Instant at, const AuditOutcome &outcome) const;

private:
    Result<void> append(const QByteArray &line) const;

    QString m_path;
};

} // namespace switchyard::actions
