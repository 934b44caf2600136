// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Renewals of a lock within one minute, as an archive keeps them: no single ones.
#include "models/core/time.h"

namespace switchyard {

struct RenewMinute
{
    static constexpr Duration length = std::chrono::minutes(1);
    Instant from{};
    std::int64_t count = 0;
    Duration mean{}, longest{}; // between one renewal and the one before
    Instant to() const { return from + length; }
    bool operator==(const RenewMinute &) const = default;
};

} // namespace switchyard
