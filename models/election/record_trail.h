// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was seen of one record: when it last changed, as an interval, and until when it certainly was the same. As LockTrail is for
// Patroni's.
#include "models/election/election_clock.h"
#include "models/events/moment.h"
#include "models/store/stream.h"

namespace switchyard::election {

class RecordTrail
{
public:
    void changed(const Moment &moment);
    void confirm(Boot at);
    void found(Boot at);                     // a GET or a list found this very record
    void missed(Boot at, Duration askAfter); // a GET found another one, that the watch should have told of
    void unverify(Boot at);
    void setViewStale(bool stale) { m_seen.viewStale = stale; }
    const Observed &seen() const { return m_seen; }
    bool isMissed() const { return m_missed.has_value(); }

    // Its watch told all of it since the last hole: the record itself has changed after that.
    bool isFollowed(const Stream &stream) const;
    // Since when it may have changed unseen; nullopt: the watch tells all.
    std::optional<Boot> doubtfulSince(const std::optional<Gap> &gap) const;
    // Since when the news of a change that comes now may have been under way.
    std::optional<Boot> underWaySince(const std::optional<Gap> &silence, Boot at, Duration askAfter) const;

private:
    bool isFollowed(const std::optional<Gap> &hole) const { return !hole || (m_seen.firstSeen && *m_seen.firstSeen >= hole->resumed); }
    Observed m_seen;
    std::optional<Boot> m_foundAt;
    std::optional<Gap> m_missed;
};

} // namespace switchyard::election
