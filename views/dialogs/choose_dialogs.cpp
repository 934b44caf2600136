// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/choose_dialogs.h"

#include "views/dialogs/demote_dialog.h"
#include "views/dialogs/edit_config_dialog.h"
#include "views/dialogs/failover_dialog.h"
#include "views/dialogs/member_dialogs.h"
#include "views/dialogs/restart_dialog.h"
#include "views/dialogs/switchover_dialog.h"

namespace switchyard::views {

using rules::ActionKind;

ChooseDialog *makeChooseDialog(ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent, const ConfigTools &tools)
{
    switch (kind) {
    case ActionKind::Switchover: return new SwitchoverDialog(cluster, now, parent);
    case ActionKind::Failover: return new FailoverDialog(cluster, now, parent);
    case ActionKind::EditConfig: return tools.complete() ? new EditConfigDialog(tools, cluster, now, parent) : nullptr;
    case ActionKind::Restart: return new RestartDialog(cluster, now, parent);
    case ActionKind::CancelRestart:
    case ActionKind::Reload: return new MembersDialog(kind, cluster, now, parent);
    case ActionKind::Reinitialize: return new ReinitializeDialog(cluster, now, parent);
    case ActionKind::DemoteCluster: return new DemoteDialog(cluster, now, parent);
    case ActionKind::PromoteCluster:
    case ActionKind::CancelRequest:
    case ActionKind::Repair:
    case ActionKind::Pause:
    case ActionKind::Resume: break;
    }
    return nullptr;
}

} // namespace switchyard::views
