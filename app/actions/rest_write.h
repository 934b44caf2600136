// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Calls of Patroni's REST API through the API server's pods/proxy: which member, method, path and body. Pure; for plan().
// Rules: patroni/api.py do_POST_*, do_DELETE_*, do_PATCH_config (2.0 - 4.1), and what patronictl sends.
#include "app/actions/failover_write.h"

namespace switchyard::actions {

// One call a member for Restart, CancelRestart, Reload and Reinitialize; one call to the leader for the others (without a leader: to the
// candidate, else to any member that has an address). Refuses what Patroni would refuse whatever the members' health, a member without an
// address of its API, and what its Patroni is too old for.
Result<std::vector<PlannedWrite>> planRest(const patroni::Cluster &cluster, const rules::ActionWish &wish);

// Where the member's REST API is, by its own word (api_url). nullopt: it does not say, or not in a way that is understood.
std::optional<kube::PodProxy> restAddress(const patroni::MemberRecord &member);

// What a PATCH /config of `before` must say to make it `after`: only the differences, null for what is gone.
Result<std::string> configPatch(std::string_view before, std::string_view after);

} // namespace switchyard::actions
