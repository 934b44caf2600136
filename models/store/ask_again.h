// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// When a silent record is asked for once more. The watch tells of its return at once; a GET only finds a watch that has died. So what is
// dead for long is asked for less often: a thousand dead locks must not become load of an API server that may be the reason.
#include "models/core/time.h"

#include <algorithm>

namespace switchyard {

// silent: since its last change.
constexpr Duration askAgainAfter(Duration silent)
{
    return std::clamp<Duration>(silent / 6, std::chrono::seconds(5), std::chrono::minutes(1));
}

} // namespace switchyard
