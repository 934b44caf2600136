// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/patroni/records.h"

namespace switchyard::patroni {

struct ScheduleTime
{
    FailoverRequest::Schedule kind = FailoverRequest::Schedule::Unparsable;
    std::optional<Instant> utc;       // Valid only
    std::optional<int> offsetSeconds; // Valid only
};

// How Patroni, which reads scheduled_at with Python's dateutil, takes this text. dateutil reads far more than ISO 8601, and a text it
// cannot read stops every member, so the two must not be confused: what dateutil reads but has no date or offset that can be told
// without the leader's clock is NoOffset.
ScheduleTime readScheduleTime(std::string_view text);

} // namespace switchyard::patroni
