// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sends one planned write, once.
//
//   idle ──send──► checked (read-only, freshness, bytes) ──► intent on disk ──► sent ──► done | not permitted | failed
//                     │ refused             │ audit failed                       ├─ 409, 404 ──► read again ──► conflict | vanished | failed
//                     ▼                     ▼                                    └─ no answer ─► read again ──► arrived | not arrived | unknown
//                  nothing was sent      nothing was sent
//
// A write is never repeated by itself: after a conflict the user looks at what changed and decides again.
#include "app/actions/audit.h"
#include "app/kube/watch.h"

namespace switchyard::actions {

enum class WriteCode {
    Done,         // the server answered that it is written
    Refused,      // by the program itself; nothing was sent
    AuditFailed,  // the audit file cannot be written; nothing was sent
    NotPermitted, // 401, 403: error names verb and resource
    Conflict,     // the object is not as it was when the write was planned; `current` and `differences` tell
    Vanished,     // the object to be changed does not exist any more
    Arrived,      // no answer, but the object now says what was written
    NotArrived,   // no answer, and the object is as before: it was not done up to now
    Unknown,      // no answer, and the object does not tell
    Failed,       // the server answered that it is not written, for another reason
};
std::string_view code(WriteCode c); // done refused audit-failed not-permitted conflict vanished arrived not-arrived unknown failed

// One of leader, member, scheduled_at; nullopt: not set.
struct Difference
{
    std::string key;
    std::optional<std::string> before, now;
    bool operator==(const Difference &) const = default;
};

struct WriteResult
{
    WriteCode code = WriteCode::Unknown;
    PlannedWrite planned;
    std::optional<Error> error;          // what was answered, or why it was refused
    std::optional<KubeObject> current;   // read again after a conflict or a lost answer; nullopt: not read, or it does not exist
    std::vector<Difference> differences; // Conflict: planned upon -> now
    std::optional<std::string> versionAfter;
    QString auditId;                 // empty: nothing was sent
    std::optional<Error> auditError; // the answer could not be added to the audit file
};

// The requests a writer makes; tests put their own here.
struct Transport
{
    std::function<void(const kube::Write &, QObject *, kube::Client::Done)> write;
    std::function<void(const kube::Path &, QObject *, kube::Client::Done)> get;
};
Transport transportOf(kube::Client *client);

class FailoverWriter : public QObject
{
    Q_OBJECT
public:
    // Asked at the last moment before the request is sent. An error refuses the write.
    using Check = std::function<std::optional<Error>(const PlannedWrite &)>;

    FailoverWriter(Transport transport, AuditLog audit, kube::Clock clock, QObject *parent = nullptr);
    ~FailoverWriter() override;
    // Both must be set, else every write is refused.
    void setReadOnly(std::function<bool()> readOnly);
    void setFreshness(Check check); // the view is still live, and the plan still based on what it shows

    bool busy() const { return m_flight.has_value(); }
    void send(const PlannedWrite &planned);

Q_SIGNALS:
    // Once for each send(), always from the event loop.
    void finished(const switchyard::actions::WriteResult &result);

private:
    struct Flight
    {
        WriteResult result;
        bool sent = false;
    };
    std::optional<Error> refusal(const PlannedWrite &planned) const;
    void answered(const kube::Response &response);
    void readAgain(const kube::Response &answer);
    void compare(const kube::Response &answer, const kube::Response &seen);
    void conclude(WriteCode code, int httpStatus);
    void reply(WriteResult result);

    Transport m_transport;
    AuditLog m_audit;
    kube::Clock m_clock;
    std::function<bool()> m_readOnly;
    Check m_freshness;
    std::optional<Flight> m_flight;
};

// Refuses when the failover object of the cluster is not what the plan was made upon, or the view is not live. For setFreshness().
std::optional<Error> checkStillCurrent(const patroni::Cluster *cluster, const PlannedWrite &planned);

} // namespace switchyard::actions
