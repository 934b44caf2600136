// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/dialogs/choose_dialog.h"
#include "views/dialogs/config_tools.h"

namespace switchyard::views {

// The dialog in which one says what exactly; nullptr: there is nothing to say, the confirmation is enough (pause, resume, cancel, repair,
// promote). tools: for EditConfig; without them there is no dialog for it.
ChooseDialog *makeChooseDialog(rules::ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent,
                               const ConfigTools &tools = {});

} // namespace switchyard::views
