// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The first thing on the page of a cluster whose request has a time that nobody means: one that cannot be read and has taken it down, or
// one that can and is absurd. What it does, and the one write that ends it.
#include "models/rules/absurd_schedule.h"
#include "models/rules/action.h"
#include "views/pages/cluster/parts.h"

#include <functional>

class QPushButton;

namespace switchyard::views {

bool needsRescue(const patroni::Cluster &cluster);
QString rescueText(const patroni::Cluster &cluster); // "The cluster is down because of ...", or why it is not
QString absurdText(const patroni::Cluster &cluster, rules::AbsurdSchedule absurd, Now now);

class RescueBanner : public Banner
{
    Q_OBJECT
public:
    explicit RescueBanner(QWidget *parent = nullptr);
    // Hidden where nothing is to be repaired. whyNot: why an action cannot be asked for from here.
    void show(const patroni::Cluster *cluster, Now now, const std::function<QString(rules::ActionKind)> &whyNot);
    QPushButton *button() const { return m_repair; }

Q_SIGNALS:
    void actionRequested(switchyard::rules::ActionKind kind);

private:
    rules::ActionKind m_kind = rules::ActionKind::Repair;
    QPushButton *m_repair;
};

} // namespace switchyard::views
