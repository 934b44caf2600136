// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Errors in recordings: what went wrong, never in whose words. "forbidden list 403".
#include "models/core/error.h"

#include <string_view>

namespace switchyard::recording {

std::string errorText(const Error &error);
std::optional<Error> errorFrom(std::string_view text);

} // namespace switchyard::recording
