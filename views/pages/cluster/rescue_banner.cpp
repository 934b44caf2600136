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
    const patroni::FailoverRequest *request = cluster.seenFailover();
    return request && request->schedule == patroni::FailoverRequest::Schedule::Unparsable;
}

namespace {

QString unreadable(const patroni::Cluster &cluster)
{
    const QString raw = text(cluster.failover->scheduledAtRaw.value_or(""));
    return RescueBanner::tr("scheduled_at \"%1\" in %2").arg(raw, text(cluster.names.failoverName));
}

// It lacks the label; whoever adds that takes the cluster down.
bool isAboutToHarm(const patroni::Cluster &cluster)
{
    return cluster.failover && cluster.failoverUnseen && cluster.failover->schedule == patroni::FailoverRequest::Schedule::Unparsable;
}

} // namespace

QString rescueText(const patroni::Cluster &cluster)
{
    const QString what = unreadable(cluster);
    if (isAboutToHarm(cluster))
        return RescueBanner::tr("%1 is not a time. Patroni cannot see that object, because it lacks the label that Patroni looks for: the "
                                "cluster is not down because of it, but would be with the label. Clear it.")
            .arg(what);
    const bool paused = cluster.config && cluster.config->config.paused;
    if (paused || (cluster.config && cluster.config->config.failsafeMode))
        return RescueBanner::tr("No member can read the cluster's state because of %1, which is not a time. Only %2 still keeps a primary "
                                "running; there is no failover. Clear it.")
            .arg(what, paused ? RescueBanner::tr("the pause") : RescueBanner::tr("failsafe mode"));
    return RescueBanner::tr("The cluster is down because of %1, which is not a time: no member can read the cluster's state, and a running "
                            "primary goes read-only until it is cleared.")
        .arg(what);
}

QString absurdText(const patroni::Cluster &cluster, rules::AbsurdSchedule absurd, Now now)
{
    const Instant due = cluster.failover->scheduledAt.value_or(now.wall);
    const bool ahead = absurd == rules::AbsurdSchedule::FarAhead;
    const QString when = ahead
        ? RescueBanner::tr("The pending request is for %1: is that meant?").arg(timeText(due))
        : RescueBanner::tr("The pending request was for %1 and is still there: no leader has looked at it.").arg(timeText(due));
    const auto *report = cluster.pendingRequest();
    if (report && report->invisible)
        return RescueBanner::tr("%1 Patroni cannot see it, so it does nothing; the cluster is not down because of it.").arg(when);
    const QString whom = cluster.failover->member ? text(*cluster.failover->member) : QString();
    const QString effect = whom.isEmpty()
        ? RescueBanner::tr("an unplanned failover does not look at the lag limit")
        : RescueBanner::tr("an unplanned failover prefers %1 and does not look at the lag limit").arg(whom);
    return RescueBanner::tr("%1 The cluster is not down because of it. But as long as it is there, %2, and a new request would replace it.")
        .arg(when, effect);
}

RescueBanner::RescueBanner(QWidget *parent)
    : Banner(parent)
    , m_repair(new QPushButton(this))
{
    m_repair->setAutoDefault(false);
    connect(m_repair, &QPushButton::clicked, this, [this] { Q_EMIT actionRequested(m_kind); });
    addAtEnd(m_repair);
}

void RescueBanner::show(const patroni::Cluster *cluster, Now now, const std::function<QString(rules::ActionKind)> &whyNot)
{
    const bool down = cluster && needsRescue(*cluster), aboutToHarm = cluster && isAboutToHarm(*cluster);
    const auto absurd = cluster ? rules::absurdSchedule(*cluster, now.wall) : std::nullopt;
    m_kind = down || aboutToHarm ? rules::ActionKind::Repair : rules::ActionKind::CancelRequest; // the same write
    if (down)
        say(Tone::Bad, rescueText(*cluster));
    else if (aboutToHarm)
        say(Tone::Warning, rescueText(*cluster));
    else
        say(Tone::Warning, absurd ? absurdText(*cluster, *absurd, now) : QString());
    const QString why = whyNot(m_kind);
    m_repair->setText(actionTitle(m_kind).remove(u'&')); // the page's own button has the key
    m_repair->setEnabled(why.isEmpty());
    m_repair->setToolTip(why.isEmpty() ? explained(m_kind) : why);
    m_repair->setAccessibleDescription(m_repair->toolTip());
}

} // namespace switchyard::views
