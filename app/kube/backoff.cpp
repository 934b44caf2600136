// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kube/backoff.h"

#include <algorithm>
#include <cstdint>

namespace switchyard::kube {

using std::chrono::milliseconds;

milliseconds backoff(int failures, milliseconds min, milliseconds max, double unit)
{
    const int doublings = std::clamp(failures, 1, 20);
    const milliseconds top = std::min(max, min * (std::int64_t{1} << doublings));
    const milliseconds bottom = std::min(top, std::max(min, top / 2));
    const double spread = static_cast<double>((top - bottom).count()) * std::clamp(unit, 0.0, 1.0);
    return bottom + milliseconds(static_cast<std::int64_t>(spread));
}

milliseconds waitAfter(const Error &error, int failures, milliseconds min, milliseconds max, double unit)
{
    constexpr int longestSeconds = 300;
    if (error.retryAfterSeconds && *error.retryAfterSeconds > 0) {
        const milliseconds told = std::chrono::seconds(std::min(*error.retryAfterSeconds, longestSeconds));
        return told + milliseconds(static_cast<std::int64_t>(static_cast<double>(min.count()) * std::clamp(unit, 0.0, 1.0)));
    }
    switch (error.kind) {
    case ErrorKind::Unauthorized:
    case ErrorKind::Forbidden:
    case ErrorKind::NotFound: return max;
    default: return backoff(failures, min, max, unit);
    }
}

} // namespace switchyard::kube
