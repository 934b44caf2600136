// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long to wait before the next attempt. Pure: the random number is an argument.
#include "models/core/error.h"

#include <chrono>

namespace switchyard::kube {

// failures: attempts that failed in a row, 1 for the first. unit: a random number of [0, 1). Always within [min, max];
// the upper end doubles with each failure and the lower end is half of it, so that many watches do not come back together.
std::chrono::milliseconds backoff(int failures, std::chrono::milliseconds min, std::chrono::milliseconds max, double unit);

// As backoff(), but a server that says when to come back is obeyed (up to five minutes), and a refusal that only
// a human can change (401, 403, 404) waits the longest time.
std::chrono::milliseconds waitAfter(const Error &error, int failures, std::chrono::milliseconds min, std::chrono::milliseconds max,
                                    double unit);

} // namespace switchyard::kube
