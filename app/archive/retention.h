// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is too old, or too much, is taken out: a little at a time, so that writing goes on. Notes stay, and so does the transition that
// a note is on.
#include "app/archive/database.h"
#include "models/core/time.h"

namespace switchyard::archive {

struct Limits
{
    std::chrono::hours keep{0}; // 0: for ever
    std::int64_t most = 0;      // bytes; 0: no limit
};

// True: there is more to take out, call again.
Result<bool> tidy(Database &database, const Limits &limits, Instant now);

} // namespace switchyard::archive
