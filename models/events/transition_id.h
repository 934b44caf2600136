// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ids of transitions: two observers of one transition make the same one.
#include "models/patroni/discovery.h"

namespace switchyard {

// Of a taking of the lock that was seen: the leader object, who took it, and when by its own clock.
std::string takenId(const patroni::ClusterKey &key, const std::string &leaderUid, const std::string &holder, Instant takeTime);
// Of a timeline that ended, as the history tells: for those that were not seen. Who merges logs may compute it for seen ones, too.
std::string timelineId(const patroni::ClusterKey &key, const std::string &systemId, std::int64_t timeline, Lsn lsn);

} // namespace switchyard
