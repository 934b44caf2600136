// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From a wish to the exact bytes, for every kind of action. Pure. One write for what goes through an object; one call a member for what goes
// through Patroni's REST API, to be sent one after the other.
#include "app/actions/failover_write.h"

namespace switchyard::actions {

// Refuses (Error::Refused) what actionBar() names, and what Patroni would refuse whatever the members' health.
Result<std::vector<PlannedWrite>> plan(const patroni::Cluster &cluster, const rules::ActionWish &wish);

// The same by hand, correct to paste into a POSIX shell. patronictl: empty where it has no such command, or would do something else. kubectl:
// with --context and -n; for a REST call `kubectl ... --raw` where it has no body, as kubectl sends one in a way that Patroni does not read,
// else empty.
std::string patronictlLine(const patroni::Cluster &cluster, const rules::ActionWish &wish);
std::string kubectlLine(const PlannedWrite &planned);

} // namespace switchyard::actions
