// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dialogs/choose_dialog.h"

namespace switchyard::views {

// The dialog in which one says what exactly; nullptr: there is nothing to say, the confirmation is enough (pause, resume, cancel, repair).
ChooseDialog *makeChooseDialog(rules::ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent);

} // namespace switchyard::views
