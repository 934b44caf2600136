// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Patroni's state as decoded from the annotations of its Kubernetes objects: plain values, unknown is nullopt.
// Rules: patroni/dcs/kubernetes.py, patroni/dcs/__init__.py, patroni/global_config.py (2.0 - 4.1).
#include "models/core/lsn.h"
#include "models/core/object.h"
#include "models/core/time.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace switchyard::patroni {

enum class Mode { Endpoints, ConfigMaps };
std::string_view code(Mode m); // "endpoints" "configmaps"

// A field that could not be decoded: becomes an event and leaves the field unknown.
struct Defect
{
    std::string object; // object name
    std::string field;  // annotation, or annotation.path
    std::string detail; // what is wrong, without secrets
    bool operator==(const Defect &) const = default;
};

// The leader object. The record proper = leader, acquireTime, ttl, renewTime, transitions as raw text (nullopt: key missing):
// only a change of these five counts as a renewal.
struct LeaderRecord
{
    std::optional<std::string> leader, acquireTimeRaw, ttlRaw, renewTimeRaw, transitionsRaw;

    std::optional<Instant> acquireTime, renewTime;
    std::optional<std::int64_t> ttl; // seconds as int(); missing, unparsable or 0: nullopt (config's ttl, else 30, is in force)
    std::optional<std::int64_t> transitions;
    std::optional<Lsn> optime;
    std::map<std::string, Lsn> slots;
    std::vector<std::string> retainSlots;
    std::optional<std::map<std::string, std::string>> failsafe; // may be stale: not removed when the mode is turned off
    std::optional<std::vector<EndpointAddress>> addresses;      // Endpoints mode

    bool hasRecord() const { return ttlRaw || renewTimeRaw || acquireTimeRaw || transitionsRaw || leader; }
    bool sameRecord(const LeaderRecord &o) const
    {
        return leader == o.leader && acquireTimeRaw == o.acquireTimeRaw && ttlRaw == o.ttlRaw && renewTimeRaw == o.renewTimeRaw
            && transitionsRaw == o.transitionsRaw;
    }
    bool operator==(const LeaderRecord &) const = default;
};

enum class SyncMode { Off, On, Quorum };

// Dynamic configuration with Patroni's defaults filled in; `present` says whether there was a usable one.
struct DynamicConfig
{
    bool present = false;                                    // annotation `config` is a non-empty JSON object
    std::string raw;                                         // annotation text, for the tree view and for edits
    std::int64_t ttl = 30, loopWait = 10, retryTimeout = 10; // seconds
    std::optional<Lsn> maximumLagOnFailover = 1048576;       // bytes; nullopt: present but not a number
    bool checkTimeline = false;
    SyncMode syncMode = SyncMode::Off;
    bool syncStrict = false;
    std::int64_t syncNodeCount = 1;
    bool paused = false;
    bool standbyCluster = false;              // active: has a truthy host, port or restore_command
    std::optional<std::string> standbySource; // "host:port" or "restore_command"
    bool failsafeMode = false;
    bool operator==(const DynamicConfig &) const = default;
};

enum class InitializeState { Absent, InProgress, Done }; // no key, empty, a system identifier

struct HistoryEntry
{
    std::int64_t timeline = 0;             // the timeline that ENDED
    Lsn lsn = 0;                           // where it ended
    std::string reason;                    // PostgreSQL's comment, not a cause
    std::optional<Instant> endedAt;        // about the promotion time on the new primary
    std::optional<std::string> endedAtRaw; // with its original offset
    std::optional<std::string> newLeader;  // member that became leader with the new timeline (2.1.1 and later)
    bool operator==(const HistoryEntry &) const = default;
};

struct TimelineHistory
{
    bool readable = true;              // false: unparsable, the timeline is unknown
    std::vector<HistoryEntry> entries; // Patroni's order, as stored
    // last (highest) ended timeline + 1; 1 for an empty or missing history on an existing config object; nullopt when unreadable
    std::optional<std::int64_t> currentTimeline;
    bool operator==(const TimelineHistory &) const = default;
};

struct ConfigRecord
{
    InitializeState initialize = InitializeState::Absent;
    std::optional<std::string> systemId; // exact text: exceeds 2^53
    DynamicConfig config;
    TimelineHistory history;
    bool hasAnnotations = false; // any of initialize, config, history present
    bool operator==(const ConfigRecord &) const = default;
};

// SCOPE-failover. Pending: leader or member non-empty.
struct FailoverRequest
{
    std::optional<std::string> leader, member; // non-empty only
    std::optional<std::string> scheduledAtRaw; // non-empty only
    std::optional<Instant> scheduledAt;        // valid: parsable with an offset
    std::optional<int> offsetSeconds;          // the original offset
    enum class Schedule { None, Valid, NoOffset, Unparsable } schedule = Schedule::None;
    bool pending() const { return leader || member; }
    bool isSwitchover() const { return leader.has_value(); }
    bool operator==(const FailoverRequest &) const = default;
};

// SCOPE-sync
struct SyncState
{
    std::optional<std::string> leader; // absent: synchronous mode inactive, rest ignored
    std::vector<std::string> standbys;
    std::optional<std::int64_t> quorum; // nullopt: missing
    bool unreadable = false;            // non-integer quorum: 4.x reads the whole object as empty
    bool operator==(const SyncState &) const = default;
};

struct ScheduledRestart
{
    std::optional<std::string> schedule, role, postgresVersion;
    bool operator==(const ScheduledRestart &) const = default;
};

// A Pod of the cluster with its `status` annotation.
struct MemberRecord
{
    std::string name, uid;
    PodFacts pod;
    bool deleting = false;
    std::optional<std::string> roleLabel; // value of the role label key, when known
    bool reported = false;                // has a usable status annotation
    std::optional<std::string> state, role, version, connUrl /* credentials masked */, apiUrl, replicationState;
    std::optional<Lsn> xlogLocation, receiveLsn, replayLsn;
    std::optional<std::int64_t> timeline;
    bool pendingRestart = false;
    std::map<std::string, std::pair<std::string, std::string>> pendingRestartReason; // guc -> old, new
    std::optional<ScheduledRestart> scheduledRestart;
    std::map<std::string, std::string> tags; // scalars as text: true -> "true"
    std::optional<bool> noFailoverTag;       // truth of the tag as Python sees it ("false" as text is true); nullopt: judge by `tags`
    bool pauseSeen = false;
    std::string statusRaw; // for "did it change", credentials masked
    // nofailover truthy, or (3.2.0 and later) failover_priority <= 0 when nofailover is not set
    bool noFailover() const;
    bool operator==(const MemberRecord &) const = default;
};

LeaderRecord decodeLeader(const KubeObject &object, std::vector<Defect> &defects);
ConfigRecord decodeConfig(const KubeObject &object, std::vector<Defect> &defects);
FailoverRequest decodeFailover(const KubeObject &object, std::vector<Defect> &defects);
SyncState decodeSync(const KubeObject &object, std::vector<Defect> &defects);
MemberRecord decodeMember(const KubeObject &pod, std::vector<Defect> &defects);
// Pieces with their own tables of cases
// Paths of the settings that differ between two texts of the dynamic configuration: "loop_wait", "postgresql.parameters.work_mem".
// A setting that is null is not set, as for Patroni.
std::vector<std::string> changedSettings(const std::string &before, const std::string &now);
DynamicConfig decodeDynamicConfig(const std::string &text, std::vector<Defect> &defects, const std::string &object);
TimelineHistory decodeHistory(const std::optional<std::string> &text, std::vector<Defect> &defects, const std::string &object);
// Patroni's boolean reading: JSON booleans, numbers, on/off true/false yes/no 1/0 in any case; nullopt: none of these
std::optional<bool> parseBoolean(std::string_view text);
// Compares "4.0.7" style versions number by number; nullopt when one is not of that form.
std::optional<std::strong_ordering> compareReleases(std::string_view a, std::string_view b);

} // namespace switchyard::patroni
