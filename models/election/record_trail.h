// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was seen of one record: when it last changed, as an interval, and until when it certainly was the same. As LockTrail is for
// Patroni's.
#include "models/election/election_clock.h"
#include "models/events/moment.h"
#include "models/events/proofs.h"
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
    bool isMissed() const { return m_proofs.isMissed(); }

    // See Proofs.
    bool isFollowed(const Stream &stream) const { return m_proofs.isFollowed(m_seen.firstSeen, stream.gap(), stream.silence()); }
    std::optional<Boot> doubtfulSince(const std::optional<Gap> &gap) const { return m_proofs.doubtfulSince(m_seen.firstSeen, gap); }
    std::optional<Boot> underWaySince(const std::optional<Gap> &silence, Boot at, Duration askAfter) const
    {
        return m_proofs.underWaySince(m_seen.firstSeen, silence, at, askAfter);
    }

private:
    Observed m_seen;
    Proofs m_proofs;
};

} // namespace switchyard::election
