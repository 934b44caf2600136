// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A planned write, and the plans for SCOPE-failover, the only object that a switchover, a failover or their cancellation needs. The body is
// a pure function; sending it is one small class. Rules: patroni/dcs/kubernetes.py manual_failover, and the write rules in ARCHITECTURE.md.
#include "app/kube/client.h"
#include "models/rules/action.h"

#include <QObject>

namespace switchyard::actions {

// The three keys of a request as text; a key that is missing or empty is not in the map.
using RequestKeys = std::map<std::string, std::string>;

// As whom, and to which API server: what was confirmed.
struct Sender
{
    std::string server; // of the kubeconfig or --server, without a password
    std::string user;   // the kubeconfig's user entry
    std::string asUser; // impersonated; empty: nobody
    std::vector<std::string> asGroups{};
    bool operator==(const Sender &) const = default;
};

// What stands in the failover object. There is one for each cluster, and Patroni's REST API replaces it unasked.
struct RequestSlot
{
    std::optional<std::string> version; // resourceVersion; nullopt: there is no such object
    RequestKeys keys{};
    bool operator==(const RequestSlot &) const = default;
};

// What is to be written, complete and reviewable before it is sent.
struct PlannedWrite
{
    patroni::ClusterKey cluster;
    rules::ActionKind action{};
    kube::Write write;                         // exact bytes
    std::string summary;                       // machine-readable one-liner for the audit trail
    std::optional<std::string> basedOnVersion; // resourceVersion of the failover object it replaces; nullopt: it creates it
    // The annotations that are written, as seen now and as they will be: leader, member, scheduled_at; or config. Empty for a REST call.
    RequestKeys before, after;
    std::optional<std::string> member{}; // of a REST call: whose server
    std::string preflight{};             // rules::summary() of what was shown; for the audit trail
    std::string dryRun{};                // what the server said to a try of it, see DryRunCode; empty: not tried
    std::optional<Sender> sender{};      // set when it is shown for confirmation
    // Upon what it was decided, where the bytes do not say it; not sent, filled by plan(). checkStillCurrent() compares.
    std::optional<std::string> leaderThen{}; // of a request: who led; nullopt: nobody
    std::optional<RequestSlot> slotThen{};   // of a request by a REST call, which has no precondition
};

// Labels: those common to the config object, the leader object and all member Pods, plus citus-group. All three annotations always
// (null where unused in a PATCH, left out in a create). PATCH with resourceVersion when the object exists, else POST.
// Refuses (Error::Refused) on stale or forbidden data, when both object kinds exist and no renewal proves which one is in use, when no
// common label carries the scope, when the object of that name is another cluster's lock, and a wish that Patroni would refuse whatever
// the members' health.
Result<PlannedWrite> planSwitchover(const patroni::Cluster &cluster, const rules::ActionWish &wish);
// To the named candidate, without a leader: also where none is known. Never scheduled.
Result<PlannedWrite> planFailover(const patroni::Cluster &cluster, const rules::ActionWish &wish);
// Asks for less: no leader, no config object, only the object to be cleared.
Result<PlannedWrite> planCancel(const patroni::Cluster &cluster);
// Clears a scheduled_at that no member can read, also where it stands alone. The cluster is down because of it, so that its lock need not
// be seen to move; the objects must be seen live.
Result<PlannedWrite> planRepair(const patroni::Cluster &cluster);

// The last look at the bytes before they leave: only the object or the call that the action is for, all keys, resourceVersion, strict
// times; of the config object only `config`. Everything else is refused. nullopt: fit to be sent.
std::optional<Error> inspectWrite(const PlannedWrite &planned);

// For refusals and the audit trail.
std::string barText(patroni::WriteBar bar);

// yyyy-MM-ddTHH:mm:ss+00:00, a real date, and nothing else.
bool isStrictSchedule(std::string_view text);

// leader, member and scheduled_at of the annotations of a failover object.
RequestKeys requestKeys(const std::map<std::string, std::string> &annotations);

} // namespace switchyard::actions
