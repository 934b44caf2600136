// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/switchover_dialog.h"

#include "views/dialogs/when_box.h"

namespace switchyard::views {

SwitchoverDialog::SwitchoverDialog(const patroni::Cluster &cluster, Now now, QWidget *parent)
    : SwitchoverDialog(cluster, now, new WhenBox(now), parent)
{}

SwitchoverDialog::SwitchoverDialog(const patroni::Cluster &cluster, Now now, WhenBox *when, QWidget *parent)
    : RequestDialog(rules::ActionKind::Switchover, cluster, now, when, parent)
    , m_when(when)
{
    connect(when, &WhenBox::changed, this, [this] { check(); });
    setCluster(cluster, now);
    fitToScreen();
}

void SwitchoverDialog::tick(Now now)
{
    m_when->tick(now);
    RequestDialog::tick(now);
}

std::optional<Instant> SwitchoverDialog::at() const
{
    return m_when->scheduled() ? m_when->time().instant : std::nullopt;
}

QString SwitchoverDialog::timeProblem() const
{
    return m_when->scheduled() ? explained(m_when->time()) : QString();
}

void SwitchoverDialog::setAt(Instant at)
{
    m_when->choose(at);
}

} // namespace switchyard::views
