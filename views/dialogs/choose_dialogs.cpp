// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/choose_dialogs.h"

namespace switchyard::views {

using rules::ActionKind;

ChooseDialog *makeChooseDialog(ActionKind kind, const patroni::Cluster &cluster, Now now, QWidget *parent)
{
    Q_UNUSED(cluster);
    Q_UNUSED(now);
    Q_UNUSED(parent);
    switch (kind) {
    case ActionKind::Switchover:
    case ActionKind::Failover:
    case ActionKind::EditConfig:
    case ActionKind::Restart:
    case ActionKind::CancelRestart:
    case ActionKind::Reload:
    case ActionKind::Reinitialize:
    case ActionKind::DemoteCluster:
    case ActionKind::PromoteCluster:
    case ActionKind::CancelRequest:
    case ActionKind::Repair:
    case ActionKind::Pause:
    case ActionKind::Resume: break;
    }
    return nullptr;
}

} // namespace switchyard::views
