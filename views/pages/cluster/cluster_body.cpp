// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pages/cluster/cluster_body.h"

#include "views/pages/cluster/config_view.h"
#include "views/pages/cluster/lock_card.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/cluster/members_view.h"
#include "views/pages/cluster/objects_view.h"
#include "views/pages/cluster/request_card.h"
#include "views/pages/cluster/sync_card.h"
#include "views/style/metrics.h"
#include "views/words.h"
#include "views/words_actions.h"

#include <QHBoxLayout>
#include <QTabWidget>
#include <QVBoxLayout>

namespace switchyard::views {

using namespace Qt::StringLiterals;
using patroni::Cluster;

namespace {

QString capital(const QString &text)
{
    return text.left(1).toUpper() + text.mid(1);
}

// Said once, by a band of its own.
bool saidByBanner(patroni::HealthReason reason)
{
    return reason == patroni::HealthReason::ViewStale || reason == patroni::HealthReason::ViewForbidden
        || reason == patroni::HealthReason::Connecting || reason == patroni::HealthReason::Paused;
}

QString reasonLines(const Cluster &cluster)
{
    QStringList lines;
    for (const auto &reason : cluster.health.reasons)
        if (!saidByBanner(reason.code))
            lines << u"\u2022 "_s + words(reason);
    return lines.join(u'\n');
}

} // namespace

ClusterBody::ClusterBody(QWidget *parent)
    : QWidget(parent)
    , m_headline(new StateLabel(this))
    , m_reasons(new StateLabel(this))
    , m_owner(new CaptionLabel({}, this))
    , m_paused(new Banner(this))
    , m_lock(new LockCard(this))
    , m_request(new RequestCard(this))
    , m_sync(new SyncCard(this))
    , m_members(new MembersView(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid);
    m_headline->label()->setFont(strongFont(font()));
    column->addWidget(m_headline);
    m_owner->setWordWrap(true);
    column->addWidget(m_owner);
    column->addWidget(m_reasons);
    column->addWidget(m_paused);
    auto *cards = new QHBoxLayout;
    cards->setSpacing(grid);
    cards->addWidget(m_lock, 5);
    cards->addWidget(m_request, 5);
    cards->addWidget(m_sync, 3);
    column->addLayout(cards);
    column->addWidget(m_members);
    column->addWidget(buildTabs(), 1);
}

QWidget *ClusterBody::buildTabs()
{
    auto *tabs = new QTabWidget(this);
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("Details of the cluster"));
    m_config = new ConfigView(tabs);
    m_objects = new ObjectsView(tabs);
    m_requests = new RequestsTable(tabs);
    m_transitions = new TransitionsTable(tabs);
    tabs->addTab(m_config, tr("Con&figuration"));
    tabs->addTab(m_objects, tr("&Objects"));
    tabs->addTab(m_transitions, tr("&Transitions"));
    tabs->addTab(m_requests, tr("Re&quests"));
    tabs->setMinimumHeight(26 * grid);
    return tabs;
}

void ClusterBody::showTop(const Cluster &cluster, Now now)
{
    m_headline->setState(toneOf(cluster.health.health), u"%1. %2"_s.arg(capital(words(cluster.health.health)), headline(cluster, now)));
    m_paused->say(Tone::Paused, pauseSentence(cluster, now));
    m_lock->show(cluster, now);
    m_request->show(cluster, now);
}

void ClusterBody::show(const Cluster &cluster, Now now)
{
    showTop(cluster, now);
    const QString reasons = reasonLines(cluster);
    m_reasons->setState(Tone::Neutral, reasons);
    m_reasons->setVisible(!reasons.isEmpty());
    const patroni::Ownership owner = patroni::ownership(cluster);
    m_owner->setText(capital(ownerText(owner)));
    m_owner->setToolTip(owner.evidence.empty() ? QString() : tr("Seen by %1").arg(text(owner.evidence)));
    m_owner->setVisible(!m_owner->text().isEmpty());
    m_sync->show(cluster);
    m_members->showCluster(cluster, now);
    m_config->show(cluster);
    m_objects->show(cluster);
    m_requests->show(cluster, now);
    m_transitions->show(cluster);
}

void ClusterBody::tick(const Cluster &cluster, Now now)
{
    showTop(cluster, now);
    m_members->tick(now);
}

void ClusterBody::setSkew(const std::optional<ClockSkew> &skew)
{
    m_lock->setSkew(skew);
}

} // namespace switchyard::views
