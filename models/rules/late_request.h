// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A leader that has looked at a request already steps down even when it is taken away meanwhile. Whether it had looked shows within two of its
// renewals: until then "refused" for no reason to be seen is not the last word.
#include "models/patroni/cluster.h"

namespace switchyard::rules {

// report: as its tracker has it. In a cluster's own list such a one is pending and held back (`heldBack`).
bool mayStillBeCarriedOut(const patroni::Cluster &cluster, const patroni::RequestReport &report);

} // namespace switchyard::rules
