// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sends one planned write, once.
//
//   idle ──send──► checked (read-only, freshness, bytes) ──► intent on disk ──► sent ──► done | not permitted | failed
//                     │ refused             │ audit failed                       ├─ 409, 404 ──► read again ──► conflict | vanished | failed
//                     ▼                     ▼                                    ├─ no answer ─► read again ──► arrived | not arrived | unknown
//                  nothing was sent      nothing was sent                        └─ of a member's server: as it says, or still running | unknown
//
// A write is never repeated by itself: after a conflict the user looks at what changed and decides again. No object tells what became of a
// call of a member's server, so that none is read after it: the watch tells.
#include "app/actions/audit.h"
#include "app/kube/watch.h"
#include "models/rules/rest_answer.h"

namespace switchyard::actions {

enum class WriteCode {
    Done,           // the server answered that it is written; Patroni, that it is done or scheduled
    Refused,        // by the program itself; nothing was sent
    AuditFailed,    // the audit file cannot be written; nothing was sent
    NotPermitted,   // 401, 403: error names verb and resource
    Conflict,       // the object is not as it was when the write was planned; `current` and `differences` tell
    Vanished,       // the object to be changed does not exist any more
    Arrived,        // no answer, but the object now says what was written. Never of one that empties it: Patroni does so too
    NotArrived,     // no answer, and the object was as before when it was read: not written up to now. It may still arrive
    Unknown,        // no answer, and the object does not tell
    Failed,         // the server answered that it is not written, or Patroni that it did not work
    PatroniRefused, // Patroni answered that it will not do it; `rest` has its words
    Limited,        // the way to Patroni's server does not carry it (authentication, allowlist, certificate, address); `rest` tells which
    StillRunning,   // Patroni had not come to an end when the answer was given up: look at the cluster
};
// done refused audit-failed not-permitted conflict vanished arrived not-arrived unknown failed patroni-refused limited still-running
std::string_view code(WriteCode c);

// One of leader, member, scheduled_at; or config. nullopt: not set.
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
    std::optional<Error> error;              // what was answered, or why it was refused
    std::optional<KubeObject> current;       // read again after a conflict or a lost answer; nullopt: not read, or it does not exist
    std::vector<Difference> differences;     // Conflict: planned upon -> now
    std::optional<std::string> versionAfter; // that this write made; nullopt: not known. What was read again has its own, in `current`
    std::optional<rules::RestAnswer> rest{}; // of a call of a member's server; its words are masked
    QString auditId;                         // empty: nothing was sent
    std::optional<Error> auditError;         // the answer could not be added to the audit file
};

// What the API server says of a write that it is asked to check and not to store.
enum class DryRunCode {
    Accepted,
    Refused,      // by the server: its words in error
    NotPermitted, // 401, 403
    Conflict,     // 409
    NotSupported, // there is no such try of a call; or something between refuses tries as such
    NoAnswer,     // nothing is known
    NotSent,      // refused by the program itself
};
std::string_view code(DryRunCode c); // accepted refused not-permitted conflict not-supported no-answer not-sent

struct DryRunResult
{
    DryRunCode code = DryRunCode::NoAnswer;
    PlannedWrite planned; // with `dryRun` filled in, to be sent as it is
    std::optional<Error> error;
};

// The requests a writer makes; tests put their own here.
struct Transport
{
    std::function<void(const kube::Write &, QObject *, kube::Client::Done)> write;
    std::function<void(const kube::Path &, QObject *, kube::Client::Done)> get;
    bool triesSafely = false; // see triesSafely(): nothing is tried on a server that is not known to understand it
};
Transport transportOf(kube::Client *client);
// dryRun=All is on since Kubernetes 1.13; a server before 1.12 ignores the word and would do what it is only to try. "v1.31.2"; empty: not known.
bool triesSafely(std::string_view serverVersion);

class ActionWriter : public QObject
{
    Q_OBJECT
public:
    // Asked at the last moment before the request is sent. An error refuses the write.
    using Check = std::function<std::optional<Error>(const PlannedWrite &)>;

    ActionWriter(Transport transport, AuditLog audit, kube::Clock clock, QObject *parent = nullptr);
    ~ActionWriter() override;
    // Both must be set, else every write is refused.
    void setReadOnly(std::function<bool()> readOnly);
    void setFreshness(Check check); // the view is still live, and the plan still based on what it shows

    bool busy() const { return m_flight.has_value(); }
    void send(const PlannedWrite &planned);
    // The same bytes with dryRun=All. Refused by the program where the write would be; not in the audit file, as nothing is written.
    void dryRun(const PlannedWrite &planned);

Q_SIGNALS:
    // Once for each send(), always from the event loop.
    void finished(const switchyard::actions::WriteResult &result);
    // Once for each dryRun(), likewise.
    void dryRunFinished(const switchyard::actions::DryRunResult &result);

private:
    struct Flight
    {
        WriteResult result;
        bool sent = false;
    };
    std::optional<Error> refusal(const PlannedWrite &planned) const;
    void answered(const kube::Response &response);
    void called(const kube::Response &response);
    void readAgain(const kube::Response &answer);
    void compare(const kube::Response &answer, const kube::Response &seen);
    void conclude(WriteCode code, int httpStatus);
    void reply(WriteResult result);
    void replyDryRun(DryRunResult result);

    Transport m_transport;
    AuditLog m_audit;
    kube::Clock m_clock;
    std::function<bool()> m_readOnly;
    Check m_freshness;
    std::optional<Flight> m_flight;
};

// Refuses when the object is not what the plan was made upon, somebody else leads since a failover was planned, the member to be called is
// gone, another request is pending than a call would have replaced, or the view is not live. For setFreshness().
std::optional<Error> checkStillCurrent(const patroni::Cluster *cluster, const PlannedWrite &planned);

} // namespace switchyard::actions
