// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Parts of the command line's grammar: single values, and what does not go together.
#include "app/headless/options.h"

namespace switchyard::headless {

std::optional<std::chrono::milliseconds> parseSeconds(const QString &text); // 0 to 10^7, decimals allowed
// kubectl's: 30, 5s, 1m, 1h30m, 1.5h, 500ms; 0: none. At most a week.
std::optional<std::chrono::milliseconds> parseTimeout(const QString &text);
std::optional<std::chrono::hours> parseAge(const QString &text); // 400d, 36h, 0; at most 100 years
std::optional<std::int64_t> parseBytes(const QString &text);     // 500MiB, 2GiB, 1TiB, 0
std::optional<QSize> parseSize(const QString &text);             // "1400x900"

// Options that contradict each other or that do not belong to the command (or to the window); nullopt: none.
std::optional<QString> findClash(const Options &options);

} // namespace switchyard::headless
