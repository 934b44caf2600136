// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An election's renewals and holders as values for the picture and the tables.
#include "models/election/election.h"
#include "views/charts/renew_stats.h"
#include "views/widgets/facts_table.h"

namespace switchyard::views {

// What an archive remembers of one.
struct ElectionPast
{
    std::vector<election::HolderChange> changes{}; // oldest first
    std::map<std::size_t, QStringList> notes{};    // of people, by the place of their change
    QList<RenewMinute> renewals{};                 // oldest first
};

RenewData electionRenewals(const election::Election &election, Now now, const ElectionPast &past = {});
// Those of the past that are older than all that this run still knows.
std::vector<election::HolderChange> changesBefore(const election::Election &election, const ElectionPast &past);
QList<FactColumn> holderColumns();
QList<items::FactRow> holderRows(const election::Election &election, const ElectionPast &past = {}); // newest first

} // namespace switchyard::views
