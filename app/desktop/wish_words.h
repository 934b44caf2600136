// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a wish means, in the words of its confirmation.
#include "models/rules/action.h"
#include "views/dialogs/confirm_write_dialog.h"

namespace switchyard::desktop {

// Fills action, button, from, to, at, nowText and the further rows.
void describeWish(views::ConfirmFacts &facts, const rules::ActionWish &wish, const QString &name);
QString actionOnMany(rules::ActionKind kind, int clusters); // "Pause 3 clusters"

} // namespace switchyard::desktop
