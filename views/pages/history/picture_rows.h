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
// Newest first: those seen one by one, and the minutes of which an archive tells. Keeps the rows of these, of which there may be many.
class RenewRows
{
public:
    QList<items::FactRow> of(const RenewData &data, const TimeRange &range);

private:
    QList<RenewMinute> m_minutes;
    std::optional<double> m_inTime;
    QList<items::FactRow> m_kept;
};
QString noIntervalText(); // one renewal may have been seen: only two have an interval
QString renewSummary(const RenewStats &single, const MinuteStats &archived, bool lease = false);
QList<FactColumn> lagColumns();
QList<items::FactRow> lagRows(const LagData &data); // newest first

} // namespace switchyard::views
