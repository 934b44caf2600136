// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who held one election, and how it was renewed, as far as an archive remembers.
#include "app/archive/archive_reader.h"
#include "models/core/renew_minute.h"
#include "models/election/election.h"

namespace switchyard::archive {

struct ElectionPast
{
    std::vector<election::HolderChange> changes;          // oldest first; of other runs, their Boot times are not known and 0
    std::map<std::size_t, std::vector<NoteRecord>> notes; // by the place of their change, oldest first
    std::vector<RenewMinute> renewals;                    // oldest first
};

// nullopt: the event tells of no change of this election's holder.
std::optional<election::HolderChange> holderChange(const Event &event, const election::Key &key);

// Since then, until now. `id`: as the collector identifies it; of Patroni's own lock, its cluster.
Result<ElectionPast> readElectionPast(ArchiveReader &reader, const election::Key &key, const ClusterId &id, Instant since);

} // namespace switchyard::archive
