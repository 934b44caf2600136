// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/events/event.h"

#include <optional>

namespace switchyard {

// What the event tells by that name; nullopt: nothing, or an empty text.
inline std::optional<std::string> detailOf(const Event &event, const char *key)
{
    const auto found = event.detail.find(key);
    return found == event.detail.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
}

} // namespace switchyard
