// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The event that tells of locks that are late together, or of the end of that.
#include "models/events/event.h"
#include "models/store/late_locks.h"

namespace switchyard {

// what: "elections", or empty for Patroni's locks.
Event manyLateEvent(const LateLocks::News &news, std::string_view what, Now now);

} // namespace switchyard
