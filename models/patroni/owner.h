// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who made the cluster, by the labels and owner references of its objects: an operator may revert what is changed behind its back.
#include "models/patroni/cluster.h"

namespace switchyard::patroni {

enum class Operator { None, Zalando, CrunchyPgo, Percona, StackGres, Other };
std::string_view code(Operator o); // none zalando crunchy-pgo percona stackgres other

struct Ownership
{
    Operator by = Operator::None;
    std::string resourceKind, resourceName; // its custom resource: "postgresql" "acme", "PostgresCluster" "hippo" ...; empty: not known
    std::string evidence;                   // the label or owner reference it was seen by
    bool operator==(const Ownership &) const = default;
};
Ownership ownership(const Cluster &cluster);

// What the operator may do to such a change.
enum class OwnerEffect { None, Reverts /* sets it back from its custom resource */, MayRevert, Unknown };
std::string_view code(OwnerEffect e); // none reverts may-revert unknown
enum class OwnedChange { Pause, Config, Restart, Switchover };
OwnerEffect effectOf(Operator by, OwnedChange change);

} // namespace switchyard::patroni
