// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The health verdict of a cluster: unknown wins, then the worst. One case in the test for each reason. Not among them: failsafe mode at
// work. A primary that lives by it cannot write to the objects; their `failsafe` annotation only names the members to ask.
#include "models/rules/absurd_schedule.h"

namespace switchyard::rules {

// What only time brings about (lock gone for more than two loops, holder not running for more than ttl, a schedule long past).
struct HealthClock
{
    std::optional<Boot> lockGoneSince;      // released, absent or expired since
    std::optional<Boot> holderDownSince;    // the holder's Pod not running, or its role not primary, since
    std::optional<AbsurdSchedule> absurd{}; // by the wall clock
};

patroni::Verdict verdict(const patroni::Cluster &cluster, const HealthClock &clock, Boot now);

} // namespace switchyard::rules
