// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far a watch's word about one record is good: what confirming GETs have found, and which holes there are in what it told. The same
// for Patroni's leader record (LockTrail) and for those of other elections. firstSeen: when the present record was first seen.
#include "models/core/time.h"

namespace switchyard {

// A time without a good watch, or without a byte of it, that ended without a list: what happened in it may still come, piece by
// piece.
struct Gap
{
    Boot since, resumed;
};

class Proofs
{
public:
    // A GET or a list found this very record.
    void found(Boot at);
    // A GET found another one that the watch should have told of. confirmedAt: until then it certainly was the same.
    void missed(Boot at, std::optional<Boot> firstSeen, std::optional<Boot> confirmedAt, Duration askAfter);
    void settle() { m_missed.reset(); } // what was missed has come
    bool isMissed() const { return m_missed.has_value(); }

    // The watch told all of the record since the hole: the record itself has changed after that. A GET is not enough: a later change
    // may still be behind other news.
    static bool isFollowed(std::optional<Boot> firstSeen, const std::optional<Gap> &hole)
    {
        return !hole || (firstSeen && *firstSeen >= hole->resumed);
    }
    bool isFollowed(std::optional<Boot> firstSeen, const std::optional<Gap> &gap, const std::optional<Gap> &silence) const
    {
        return isFollowed(firstSeen, gap) && isFollowed(firstSeen, silence) && isFollowed(firstSeen, m_missed);
    }
    // Since when the record may have changed unseen: after a gap of its watch only a list, a GET or a change of the record itself
    // makes the watch's word good for it again. nullopt: the watch tells all.
    std::optional<Boot> doubtfulSince(std::optional<Boot> firstSeen, const std::optional<Gap> &gap) const;
    // Since when the news of a change that comes now may have been under way: nothing was heard for as long as only a probe can tell
    // why, and none was answered. nullopt: it just happened.
    std::optional<Boot> underWaySince(std::optional<Boot> firstSeen, const std::optional<Gap> &silence, Boot at, Duration askAfter) const;

private:
    std::optional<Boot> m_foundAt;
    std::optional<Gap> m_missed;
};

} // namespace switchyard
