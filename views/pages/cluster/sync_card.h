// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Synchronous replication: mode, who is synchronous, of how many.
#include "views/pages/cluster/parts.h"

#include "models/patroni/cluster.h"

namespace switchyard::views {

class SyncCard : public Card
{
    Q_OBJECT
public:
    explicit SyncCard(QWidget *parent = nullptr);
    void show(const patroni::Cluster &cluster);

private:
    StateLabel *m_head;
    QLabel *m_names, *m_note;
};

} // namespace switchyard::views
