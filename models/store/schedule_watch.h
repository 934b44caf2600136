// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Is a scheduled request that waits still possible? Judged by the preflight on every live state of the cluster; said once when it has not been
// for a loop, and once when it has been again for two: a replica that restarts, or a lag that goes up and down, is no news. Nothing is judged on a stale view, nor while nobody leads or a leader is new: whoever
// takes the lock throws the request away.
#include "models/patroni/cluster.h"

namespace switchyard {

struct ScheduleNews
{
    bool possible = false;
    std::string rules; // what blocks, those of the candidate too: "candidate-unfit:acme-2,lag-over-limit=48234496"
    int turn = 0;      // counts the news of one request
};

class ScheduleWatch
{
public:
    std::optional<ScheduleNews> judge(const patroni::Cluster &cluster, Now now);

private:
    std::optional<patroni::FailoverRequest> m_request;
    bool m_possible = true;           // as it was said last
    std::optional<Boot> m_otherSince; // since when it is otherwise
    int m_turn = 0;
};

} // namespace switchyard
