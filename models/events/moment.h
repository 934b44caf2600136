// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// When a change was seen, and what is known of when it happened.
#include "models/core/time.h"

#include <optional>
#include <string>

namespace switchyard {

struct Moment
{
    Now seen{};
    std::string version;               // resourceVersion of the object, or of the list that no longer had it
    std::optional<Boot> since;         // set: happened somewhere between then and `seen`, while we did not look
    std::optional<Boot> underWaySince; // set: nothing was missed, but it may be as old as that
    bool first = false;                // first sight of the object: a state, not news

    Boot at() const { return seen.boot; }
    std::optional<Instant> sinceWall() const { return since ? std::optional(seen.toWall(*since)) : std::nullopt; }
};

} // namespace switchyard
