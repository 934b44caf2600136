// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An election's renewals and holders as values for the picture and the tables.
#include "models/election/election.h"
#include "views/charts/renew_stats.h"
#include "views/widgets/facts_table.h"

namespace switchyard::views {

RenewData electionRenewals(const election::Election &election, Now now);
QList<FactColumn> holderColumns();
QList<items::FactRow> holderRows(const election::Election &election); // newest first

} // namespace switchyard::views
