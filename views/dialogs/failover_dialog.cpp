// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/failover_dialog.h"

#include "views/dialogs/loss_card.h"

namespace switchyard::views {

FailoverDialog::FailoverDialog(const patroni::Cluster &cluster, Now now, QWidget *parent)
    : FailoverDialog(cluster, now, new LossCard, parent)
{}

FailoverDialog::FailoverDialog(const patroni::Cluster &cluster, Now now, LossCard *loss, QWidget *parent)
    : RequestDialog(rules::ActionKind::Failover, cluster, now, loss, parent)
    , m_loss(loss)
{
    setCluster(cluster, now);
    fitToScreen();
}

void FailoverDialog::shown(Now now)
{
    m_loss->show(cluster(), wish().candidate, judged().loss, now);
}

} // namespace switchyard::views
