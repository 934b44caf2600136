// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is to be done to one cluster: as it was wished, and as it was planned.
#include "app/actions/failover_write.h"
#include "app/clusters/connection.h"

#include <QPointer>

namespace switchyard::desktop {

struct WriteJob
{
    patroni::ClusterKey key;
    rules::ActionWish wish;
    std::vector<actions::PlannedWrite> writes{}; // one, or one for each member
    QPointer<Connection> target{};               // of the confirmation
    QString leftOut{};                           // why nothing is written to it; empty: it is
};

} // namespace switchyard::desktop
