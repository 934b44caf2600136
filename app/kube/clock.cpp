// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/watch.h"

#include <ctime>

namespace switchyard::kube {

Clock systemClock()
{
    return Clock{[] {
        timespec boot{};
        clock_gettime(CLOCK_BOOTTIME, &boot);
        const auto sinceBoot = std::chrono::seconds(boot.tv_sec) + std::chrono::nanoseconds(boot.tv_nsec);
        return Now{Boot(std::chrono::duration_cast<Duration>(sinceBoot)),
                   std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now())};
    }};
}

} // namespace switchyard::kube
