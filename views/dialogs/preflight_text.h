// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A preflight as text: every finding with the rule it comes from, and how far members could be asked.
#include "models/rules/preflight.h"

#include <QString>

namespace switchyard::views {

// "blocks  lags 46.0 MiB, more than a failover allows\n        lag-over-limit: patroni/ha.py is_failover_possible"
QString rulesText(const rules::Preflight &preflight);
// "Reachability is not known: pods/proxy is not permitted." or "2 of 3 members answered, 4 s ago; acme-0 did not."
QString reachText(const rules::LiveAnswers &answers, const QString &notAsked, Now now);
// One line: "Patroni would do it; acme-2 is fit, 1 warning."
QString preflightLine(const rules::Preflight &preflight, const std::optional<std::string> &candidate);

} // namespace switchyard::views
