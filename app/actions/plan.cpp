// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan.h"

#include "app/actions/config_write.h"
#include "app/actions/inspect_write.h"
#include "app/actions/plan_parts.h"
#include "app/actions/rest_write.h"

namespace switchyard::actions {

using rules::ActionKind;

namespace {

Result<std::vector<PlannedWrite>> one(Result<PlannedWrite> planned)
{
    return planned.map([](const PlannedWrite &write) { return std::vector{write}; });
}

Result<std::vector<PlannedWrite>> planObject(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    switch (wish.kind) {
    case ActionKind::Switchover: return one(planSwitchover(cluster, wish));
    case ActionKind::Failover: return one(planFailover(cluster, wish));
    case ActionKind::CancelRequest: return one(planCancel(cluster));
    case ActionKind::Repair: return one(planRepair(cluster));
    case ActionKind::Pause: return one(planPause(cluster, true));
    case ActionKind::Resume: return one(planPause(cluster, false));
    case ActionKind::EditConfig: return one(planConfigEdit(cluster, wish));
    default: return refuse(cluster, cluster.names.key.base, "this action writes no object");
    }
}

void remember(PlannedWrite &planned, const patroni::Cluster &cluster)
{
    planned.leaderThen = cluster.leaderName;
    if (isCall(planned.write.verb))
        planned.slotThen = requestSlot(cluster);
}

} // namespace

Result<std::vector<PlannedWrite>> plan(const patroni::Cluster &cluster, const rules::ActionWish &wish)
{
    // Patroni's own API fails of what is to be repaired.
    const bool byRest = rules::needsRest(wish.kind) || (wish.byRest && wish.kind != ActionKind::Repair);
    if (const auto bar = viewBar(cluster, wish.kind))
        return refuse(cluster, cluster.names.key.base, barText(*bar), "wait until it is live again");
    const auto bar = rules::actionBar(cluster, wish.kind);
    if (bar)
        return refuse(cluster, cluster.names.key.base, barText(*bar));
    auto planned = byRest ? planRest(cluster, wish) : planObject(cluster, wish);
    if (planned && rules::writesRequest(wish.kind)) {
        for (PlannedWrite &write : *planned)
            remember(write, cluster);
    }
    return planned;
}

} // namespace switchyard::actions
