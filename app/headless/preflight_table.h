// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Would Patroni do it? The findings of a preflight as rows: those of the request (member is empty), then those of each member; a line without
// a rule where nothing was found. Pure.
#include "app/headless/report.h"
#include "models/rules/preflight.h"

namespace switchyard::headless {

struct PreflightTable
{
    Table table;
    bool fit = false; // of every cluster that was asked for
};

rules::ActionWish wishOf(const Options &options, const patroni::Cluster &cluster);
PreflightTable preflightTable(const Options &options, const Known &known);

} // namespace switchyard::headless
