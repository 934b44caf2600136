// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one table that turns codes into words, and values into text, for the window. Every text through tr(); every number with its unit,
// every time with its zone; unknown is said as "unknown", never as 0 or blank.
#include "models/events/event.h"
#include "models/rules/preflight.h"

#include <QString>

namespace switchyard::views {

QString words(patroni::Health h);
QString words(patroni::LockState s, bool late);
QString words(patroni::Role r);
QString words(patroni::Freshness f);
QString words(const patroni::Reason &reason);
QString words(patroni::Outcome o);
QString words(patroni::Refusal r); // the rule that refused and what to change
QString words(patroni::RequestStep s);
QString words(patroni::RequestKind k);
QString words(patroni::TransitionKind k);
QString words(EventCode c);
QString words(patroni::Mode m);
QString words(patroni::SyncMode m);
QString words(const rules::Finding &finding);
QString words(rules::Severity severity);
QString explained(patroni::Outcome o); // one sentence: what that outcome means
QString eventSentence(const Event &event);
QString requestSentence(const patroni::RequestReport &report, Now now);
// "switchover from acme-1 to acme-2", "failover; Patroni decides": what was asked, without its fate
QString requestWish(const patroni::FailoverRequest &request);
// First line of a cluster page: "acme-1 leads for 3 h 12 min; lock renewed 4 s ago; nothing pending."
QString headline(const patroni::Cluster &cluster, Now now);
// The lock alone: "renewed 4 s ago", "expired 12 s ago, nobody leads"
QString lockPhrase(const patroni::Cluster &cluster, Now now);
// First line of the fleet: "5 clusters: 1 unhealthy, 2 degraded, 2 healthy. payments/ledger: lock expired 12 s ago."
QString fleetSentence(const std::vector<const patroni::Cluster *> &clusters, Now now);
QString syncText(const patroni::Cluster &cluster);          // "off", "1 of 1: acme-2", "unknown"
QString staleText(const patroni::ViewState &view, Now now); // "as of 14:02:11 CET, 48 s ago"; empty when live

QString durationText(Duration d);                    // "3 h 12 min", "4.2 s", "350 ms"
QString secondsText(Duration d);                     // whole seconds below a minute: "4 s"; for counters that tick once a second
QString agoText(std::optional<Boot> t, Now now);     // "4 s ago", "unknown"
QString coarseText(Duration d);                      // the largest unit only, for narrow columns: "3 h"
QString untilText(Duration d);                       // "in 2 h 14 min", "12 s ago" when it is past
QString bytesText(std::uint64_t bytes);              // "12.4 MiB"
QString bytesExactText(std::uint64_t bytes);         // "13,002,342 bytes"
QString lagText(std::optional<std::uint64_t> bytes); // "0 B", "1.9 GiB", "unknown"
QString timeText(Instant t);                         // local, with zone: "14:02:11 CET" today, "2031-02-01 14:02:11 CET" else
QString timeTextUtc(Instant t);                      // "2031-02-01 13:02:11 UTC"
QString zoneText();                                  // "UTC+02:00 (CEST)": the zone that local times are shown in
QString unknownText();                               // "unknown"

inline QString text(const std::string &s)
{
    return QString::fromStdString(s);
}
// One of an event's details; empty: not told.
QString detail(const Event &event, const char *key);
// How long the present leader leads; nullopt: unknown. By our own observation where we saw it, else by the leader's acquireTime.
std::optional<Duration> inOffice(const patroni::Cluster &cluster, Now now);

} // namespace switchyard::views
