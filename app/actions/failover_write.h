// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writing SCOPE-failover, the only object that a switchover or its cancellation needs. The body is a pure function; sending it is
// one small class. Rules: patroni/dcs/kubernetes.py manual_failover, and the write rules in ARCHITECTURE.md.
#include "app/kube/client.h"
#include "models/rules/fitness.h"

#include <QObject>

namespace switchyard::actions {

// What is to be written, complete and reviewable before it is sent.
struct PlannedWrite
{
    patroni::ClusterKey cluster;
    kube::Write write;                     // exact bytes
    std::string summary;                   // machine-readable one-liner for the audit trail
    std::optional<std::string> basedOnVersion; // resourceVersion of the failover object it replaces; nullopt: it creates it
};

// Labels: those common to the config object, the leader object and all member Pods, plus citus-group. All three annotations always
// (null where unused in a PATCH, left out in a create). PATCH with resourceVersion when the object exists, else POST.
// Refuses (Error::Refused) on stale data, an unknown mode, or when no common label carries the scope.
Result<PlannedWrite> planSwitchover(const patroni::Cluster &cluster, const rules::SwitchoverWish &wish);
Result<PlannedWrite> planCancel(const patroni::Cluster &cluster);

} // namespace switchyard::actions
