// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/transition_id.h"

#include "models/events/event_id.h"

namespace switchyard {

std::string takenId(const patroni::ClusterKey &key, const std::string &leaderUid, const std::string &holder, Instant takeTime)
{
    return hashParts({"taken", key.text(), leaderUid, holder, std::to_string(takeTime.time_since_epoch().count())});
}

std::string timelineId(const patroni::ClusterKey &key, const std::string &systemId, std::int64_t timeline, Lsn lsn)
{
    return hashParts({"timeline", key.text(), systemId, std::to_string(timeline), std::to_string(lsn)});
}

} // namespace switchyard
