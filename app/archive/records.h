// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the archive keeps, one value a row. Each has a key that is the same for all who see it, so that it is kept once.
#include "app/actions/audit_reader.h"
#include "models/events/event.h"

#include <variant>
#include <vector>

namespace switchyard::archive {

// Which API server: the uid of its namespace kube-system where that may be read. `alias`, a hash of its CA and its address, stands in
// for it until then, and is remembered as another name for it.
struct ServerId
{
    std::string uid{}, alias{};
    bool operator==(const ServerId &) const = default;
};

// Whose row it is. The names say who a cluster is, whoever looks; `context` is only what the one who looked calls the API server.
struct ClusterId
{
    ServerId server{};
    std::string context{};
    std::string ns{}, scope{}; // empty: of the connection as a whole; or of an election, whose name is the base
    std::optional<int> group{};
    std::string base{};        // as in ClusterKey
    std::string incarnation{}; // system identifier at that time; empty: not known. A cluster made anew under its name has another one
    std::optional<patroni::Mode> mode{};
    patroni::ClusterKey key() const { return {context, ns, scope, group, base}; }
    bool operator==(const ClusterId &) const = default;
};

struct EventRecord
{
    ClusterId cluster;
    Event event; // read back: Event::at is not known and 0
    bool operator==(const EventRecord &) const = default;
};

// Remembered more of each time it is written: what was known is never lost to an emptier copy.
struct TransitionRecord
{
    ClusterId cluster;
    patroni::Transition transition; // read back: fromArchive is set
    bool operator==(const TransitionRecord &) const = default;
};

// A request and its fate. Its Boot times mean nothing in another run: read back, they are the wall clock's microseconds.
struct RequestRecord
{
    ClusterId cluster;
    patroni::RequestReport request;
    Now now{}; // when it was told, to turn its Boot times into wall clock
    bool operator==(const RequestRecord &) const = default;
};

// One of the four objects after a change that was not a mere renewal. Credentials inside are masked.
struct SnapshotRecord
{
    ClusterId cluster;
    std::string object, resourceVersion;
    Instant seen{};
    std::map<std::string, std::string> annotations;
    bool operator==(const SnapshotRecord &) const = default;
};

// A text of the dynamic configuration that was in force. Credentials inside are masked.
struct ConfigRecord
{
    ClusterId cluster;
    std::string resourceVersion;
    Instant seen{};
    std::string text;
    bool operator==(const ConfigRecord &) const = default;
};

// An entry of the timeline history, kept when Patroni trims it.
struct TimelineRecord
{
    ClusterId cluster;
    patroni::HistoryEntry entry;
    Instant seen{};
    bool operator==(const TimelineRecord &) const = default;
};

// Renewals of a lock within one minute of our wall clock, as far as it was seen after which time they came.
struct RenewRecord
{
    ClusterId cluster;
    Instant minute{};
    std::int64_t count = 0;
    Duration mean{}, longest{}; // between one renewal and the one before
    bool operator==(const RenewRecord &) const = default;
};

// A copy of the audit file's entry: the file is what counts.
struct AuditRecord
{
    actions::AuditEntry entry;
    bool operator==(const AuditRecord &) const = default;
};

// A person's words on a transition. Notes are added, never changed.
struct NoteRecord
{
    ClusterId cluster;
    std::string id;         // of the note; unique
    std::string transition; // Transition::id; empty: on the cluster
    Instant at{};
    std::string author, text;
    bool operator==(const NoteRecord &) const = default;
};

using Record = std::variant<EventRecord, TransitionRecord, RequestRecord, SnapshotRecord, ConfigRecord, TimelineRecord, RenewRecord,
                            AuditRecord, NoteRecord>;
using Records = std::vector<Record>;

} // namespace switchyard::archive
