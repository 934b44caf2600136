// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writing the dynamic configuration: a PATCH of the annotation `config` of SCOPE-config, based on the version that was read. The object is
// never created, and its other annotations (initialize, history) are never touched. Rules: patroni/ctl.py edit_config, toggle_pause.
#include "app/actions/failover_write.h"

namespace switchyard::actions {

Result<PlannedWrite> planPause(const patroni::Cluster &cluster, bool pause);
// wish.configBase -> wish.configAfter, applied to what is there now. Refuses with the differences when both changed the same settings, and
// what checkConfig() calls an error unless it was there before.
Result<PlannedWrite> planConfigEdit(const patroni::Cluster &cluster, const rules::ActionWish &wish);

// Patroni's of the members that say so.
std::vector<std::string> patroniReleases(const patroni::Cluster &cluster);

} // namespace switchyard::actions
