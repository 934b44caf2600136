// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the configuration editor needs to know of its text, in words.
#include "views/dialogs/config_tools.h"

namespace switchyard::desktop {

views::ConfigTools configTools();

} // namespace switchyard::desktop
