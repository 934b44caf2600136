// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The first thing on the page of a cluster that a time in its request has taken down: what it is, and the one write that ends it.
#include "views/pages/cluster/parts.h"

class QPushButton;

namespace switchyard::views {

bool needsRescue(const patroni::Cluster &cluster);
QString rescueText(const patroni::Cluster &cluster); // "The cluster is down because of ..."

class RescueBanner : public Banner
{
    Q_OBJECT
public:
    explicit RescueBanner(QWidget *parent = nullptr);
    // Hidden where nothing is to be repaired. whyNot: why it cannot be repaired from here.
    void show(const patroni::Cluster *cluster, const QString &whyNot);
    QPushButton *button() const { return m_repair; }

Q_SIGNALS:
    void repairRequested();

private:
    QPushButton *m_repair;
};

} // namespace switchyard::views
