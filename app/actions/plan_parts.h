// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the planners of object writes share.
#include "app/actions/failover_write.h"

namespace switchyard::actions {

QString text(const std::string &utf8);

using Labels = std::map<std::string, std::string>;

// A refusal about the object that would be written.
tl::unexpected<Error> refuse(const patroni::Cluster &cluster, const std::string &object, const std::string &message,
                             const std::string &advice = {});

const KubeObject *objectOf(const patroni::Cluster &cluster, const std::string &role); // nullptr: there is none

RequestSlot requestSlot(const patroni::Cluster &cluster);

// That another cluster's lock has the name of this object ("failover", "config"): a lock is never written.
std::optional<Error> foreignLock(const patroni::Cluster &cluster, const std::string &role);

// Whether the view is good enough for this action. A repair is made because the cluster is down: it asks only that the objects are seen
// live, not that the lock moves.
std::optional<patroni::WriteBar> viewBar(const patroni::Cluster &cluster, rules::ActionKind kind);
// Both kinds of objects, and no renewal that proves which one Patroni reads.
bool modeUnclear(const patroni::Cluster &cluster);
std::string barText(rules::ActionBar bar);

// Common to the config object, the leader object and all member Pods, plus citus-group: Patroni's selector lies within what all its
// objects carry; Helm and friends add labels to some of them only.
Labels commonLabels(const patroni::Cluster &cluster);
bool carriesScope(const Labels &labels, const patroni::Cluster &cluster);

// "switchover context=prod cluster=db/acme leader=... based_on=90388"
std::string summaryOf(const patroni::Cluster &cluster, const PlannedWrite &planned, const std::string &details);

} // namespace switchyard::actions
