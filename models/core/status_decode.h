// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the decoders: a Status already parsed.
#include "models/core/error.h"
#include "models/core/json_access.h"

namespace switchyard {

bool isStatus(const json::Json &value);
Error errorFromStatus(const json::Json &status);

} // namespace switchyard
