// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one table that turns codes into words, and values into text, for the window. Every text through tr(); every number with its unit,
// every time with its zone; unknown is said as "unknown", never as 0 or blank.
#include "models/events/event.h"
#include "models/rules/fitness.h"

#include <QString>

namespace switchyard::views {

QString words(patroni::Health h);
QString words(patroni::LockState s, bool late);
QString words(patroni::Role r);
QString words(patroni::Freshness f);
QString words(const patroni::Reason &reason);
QString words(patroni::Outcome o);
QString words(patroni::Refusal r);         // the rule that refused and what to change
QString words(patroni::RequestStep s);
QString words(patroni::TransitionKind k);
QString words(EventCode c);
QString words(const rules::Finding &finding);
QString words(const rules::Problem &problem);
QString eventSentence(const Event &event);
QString requestSentence(const patroni::RequestReport &report, Now now);
// First line of a cluster page: "acme-1 leads for 3 h 12 min; lock renewed 4 s ago; nothing pending."
QString headline(const patroni::Cluster &cluster, Now now);

QString durationText(Duration d);          // "3 h 12 min", "4.2 s", "350 ms"
QString bytesText(std::uint64_t bytes);    // "12.4 MiB"
QString timeText(Instant t);               // local, with zone: "14:02:11 CET" today, "2031-02-01 14:02:11 CET" else
QString timeTextUtc(Instant t);            // "2031-02-01 13:02:11 UTC"
QString unknownText();                     // "unknown"

} // namespace switchyard::views
