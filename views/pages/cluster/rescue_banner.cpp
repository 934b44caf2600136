// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/rescue_banner.h"

#include "views/words.h"
#include "views/words_actions.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace switchyard::views {

// patroni/dcs/__init__.py parses it while every member loads the cluster's view, in all versions from 2.1 to 4.1.
bool needsRescue(const patroni::Cluster &cluster)
{
    return cluster.failover && cluster.failover->schedule == patroni::FailoverRequest::Schedule::Unparsable;
}

QString rescueText(const patroni::Cluster &cluster)
{
    const QString raw = text(cluster.failover->scheduledAtRaw.value_or(""));
    const QString what = RescueBanner::tr("scheduled_at \"%1\" in %2").arg(raw, text(cluster.names.failoverName));
    const bool paused = cluster.config && cluster.config->config.paused;
    if (paused || (cluster.config && cluster.config->config.failsafeMode))
        return RescueBanner::tr("No member can read the cluster's state because of %1, which is not a time. Only %2 still keeps a primary "
                                "running; there is no failover. Clear it.")
            .arg(what, paused ? RescueBanner::tr("the pause") : RescueBanner::tr("failsafe mode"));
    return RescueBanner::tr("The cluster is down because of %1, which is not a time: no member can read the cluster's state, and a running "
                            "primary goes read-only until it is cleared.")
        .arg(what);
}

RescueBanner::RescueBanner(QWidget *parent)
    : Banner(parent)
    , m_repair(new QPushButton(actionTitle(rules::ActionKind::Repair), this))
{
    m_repair->setAutoDefault(false);
    connect(m_repair, &QPushButton::clicked, this, &RescueBanner::repairRequested);
    addAtEnd(m_repair);
}

void RescueBanner::show(const patroni::Cluster *cluster, const QString &whyNot)
{
    say(Tone::Bad, cluster && needsRescue(*cluster) ? rescueText(*cluster) : QString());
    m_repair->setEnabled(whyNot.isEmpty());
    m_repair->setToolTip(whyNot.isEmpty() ? explained(rules::ActionKind::Repair) : whyNot);
    m_repair->setAccessibleDescription(m_repair->toolTip());
}

} // namespace switchyard::views
