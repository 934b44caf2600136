// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/election/record_trail.h"

#include <algorithm>

namespace switchyard::election {

void RecordTrail::changed(const Moment &moment)
{
    m_seen.firstSeen = m_seen.confirmedAt = moment.at();
    m_seen.changedNotBefore.reset();
    m_seen.changedNotAfter.reset();
    if (moment.first)
        return;
    m_seen.changedNotAfter = moment.at();
    m_seen.changedNotBefore = moment.since.value_or(moment.underWaySince.value_or(moment.at()));
}

void RecordTrail::confirm(Boot at)
{
    m_seen.confirmedAt = std::max(m_seen.confirmedAt.value_or(at), at);
}

void RecordTrail::found(Boot at)
{
    confirm(at);
    m_foundAt = std::max(m_foundAt.value_or(at), at);
}

// Close to a regular renewal the GET was just faster than the watch.
void RecordTrail::missed(Boot at, Duration askAfter)
{
    const auto known = std::max(m_seen.firstSeen, m_foundAt);
    if (known && at > *known + askAfter)
        m_missed = Gap{std::max(m_seen.confirmedAt.value_or(*known), *known), at};
}

void RecordTrail::unverify(Boot at)
{
    m_seen.changedNotBefore.reset();
    m_seen.changedNotAfter.reset();
    m_seen.firstSeen = at;
    m_seen.confirmedAt.reset();
}

bool RecordTrail::isFollowed(const Stream &stream) const
{
    return isFollowed(stream.gap()) && isFollowed(stream.silence()) && isFollowed(m_missed);
}

std::optional<Boot> RecordTrail::doubtfulSince(const std::optional<Gap> &gap) const
{
    const auto known = std::max(m_seen.firstSeen, m_foundAt);
    std::optional<Boot> since;
    for (const auto &hole : {gap, m_missed}) {
        if (hole && (!known || *known < hole->resumed))
            since = std::min(since.value_or(hole->since), std::max(hole->since, known.value_or(hole->since)));
    }
    return since;
}

std::optional<Boot> RecordTrail::underWaySince(const std::optional<Gap> &silence, Boot at, Duration askAfter) const
{
    if (isFollowed(silence))
        return std::nullopt;
    const Boot since = std::max({silence->since, m_seen.firstSeen.value_or(silence->since), m_foundAt.value_or(silence->since)});
    return at - since > askAfter ? std::optional(since) : std::nullopt;
}

} // namespace switchyard::election
