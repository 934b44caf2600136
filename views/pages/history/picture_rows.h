// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables beside the pictures: what each of them shows, row by row.
#include "models/events/leadership.h"
#include "views/charts/lag_chart.h"
#include "views/charts/renew_stats.h"
#include "views/widgets/facts_table.h"

namespace switchyard::views {

QList<FactColumn> leadershipColumns();
// Newest first. What was seen before `archived` is marked as from the archive.
QList<items::FactRow> leadershipRows(const Leadership &data, std::optional<Instant> archived = {});
QList<FactColumn> renewColumns();
QList<items::FactRow> renewRows(const RenewData &data, const TimeRange &range); // newest first
QString renewSummary(const RenewStats &stats);
QList<FactColumn> lagColumns();
QList<items::FactRow> lagRows(const LagData &data); // newest first

} // namespace switchyard::views
