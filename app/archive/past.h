// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened to one cluster before this run, and when somebody looked at it at all.
#include "app/archive/archive_reader.h"
#include "models/core/renew_minute.h"

namespace switchyard::archive {

struct Past
{
    // By time; under the name that the cluster has now. With a BlindSpot for each time of which nothing at all was kept: nobody looked.
    std::vector<Event> events;
    std::vector<patroni::HistoryEntry> timelines{}; // all that Patroni's history ever told, by timeline
    std::optional<Instant> lookedSince{};           // the first sign that somebody looked; nullopt: nobody did
    std::vector<RenewMinute> renewals{};            // oldest first; those of this run too
    bool operator==(const Past &) const = default;
};

// Of one that was made anew under the same name there is another system identifier, where both are known.
bool isSameIncarnation(const ClusterId &a, const ClusterId &b);

RenewMinute minuteOf(const RenewRecord &record);
// As the archive does: of a minute that two tell of, who saw more is right. True: it is a minute of its own.
bool addMinute(std::vector<RenewMinute> &to, const RenewMinute &minute);

// When somebody looked, there is a sign of it each minute: a lock that is renewed, or what happened.
struct Watched
{
    std::vector<Instant> signs; // in any order
    Instant until{};            // this run's first look
};
// The times without a sign, for so long that nobody can have looked.
std::vector<std::pair<Instant, Instant>> unwatched(const Watched &watched);

// What is kept of `cluster` from `since` until this run's first look. `key`: its name now.
Result<Past> readPast(ArchiveReader &reader, const ClusterId &cluster, const patroni::ClusterKey &key, Instant since, Instant until);

} // namespace switchyard::archive
