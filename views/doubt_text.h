// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/time.h"

#include <QString>

namespace switchyard::views {

// How far a time or a duration may be off. What is doubtful is never made less: durationText() cuts, this rounds up.
QString doubtText(Duration d);

} // namespace switchyard::views
