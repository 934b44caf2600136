// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The values of one row of the fleet, by column: raw, for sorting, as code. Pure.
#include "models/patroni/cluster.h"

#include <QString>
#include <QVariant>

namespace switchyard::items {

// Raw values: Health code; Context, Namespace, Scope ("scope" or "scope:group"), Leader text; InOffice and Lock (to expiry, negative
// when past) qint64 microseconds; Timeline qint64; Members qint64 up; WorstLag qulonglong; Sync code; Paused bool;
// Request code of the pending one; LastChange qint64 boot-time microseconds. Invalid where unknown or none.
QVariant fleetRaw(const patroni::Cluster &cluster, int column, Now now);
// Ascending order puts first what deserves a look first: worst health, nearest expiry, most members missing, most lag.
QVariant fleetSort(const patroni::Cluster &cluster, int column, Now now);
// Health: healthy degraded unhealthy unknown. Lock: lock state code, or "late". Leader: known none unknown.
// Members: all some none-known. Sync: off on quorum unknown. Paused: yes no unknown. Request: outcome code, or none.
QString fleetCode(const patroni::Cluster &cluster, int column);
QString fleetFilter(const patroni::Cluster &cluster);
// How long the present leader leads; nullopt: unknown. By our own observation where we saw it, else by the leader's acquireTime.
std::optional<Duration> inOffice(const patroni::Cluster &cluster, Now now);
int healthRank(patroni::Health h); // 0: deserves a look first
// By more than time alone.
bool fleetCellDiffers(const patroni::Cluster &a, const patroni::Cluster &b, int column);

} // namespace switchyard::items
