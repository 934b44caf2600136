// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/events/proofs.h"

#include <algorithm>

namespace switchyard {

void Proofs::found(Boot at)
{
    m_foundAt = std::max(m_foundAt.value_or(at), at);
}

// Close to a regular renewal the GET was just faster than the watch.
void Proofs::missed(Boot at, std::optional<Boot> firstSeen, std::optional<Boot> confirmedAt, Duration askAfter)
{
    const auto known = std::max(firstSeen, m_foundAt);
    if (known && at > *known + askAfter)
        m_missed = Gap{std::max(confirmedAt.value_or(*known), *known), at};
}

std::optional<Boot> Proofs::doubtfulSince(std::optional<Boot> firstSeen, const std::optional<Gap> &gap) const
{
    const auto known = std::max(firstSeen, m_foundAt);
    std::optional<Boot> since;
    for (const auto &hole : {gap, m_missed}) {
        if (hole && (!known || *known < hole->resumed))
            since = std::min(since.value_or(hole->since), std::max(hole->since, known.value_or(hole->since)));
    }
    return since;
}

std::optional<Boot> Proofs::underWaySince(std::optional<Boot> firstSeen, const std::optional<Gap> &silence, Boot at,
                                          Duration askAfter) const
{
    if (isFollowed(firstSeen, silence))
        return std::nullopt;
    const Boot since = std::max({silence->since, firstSeen.value_or(silence->since), m_foundAt.value_or(silence->since)});
    return at - since > askAfter ? std::optional(since) : std::nullopt;
}

} // namespace switchyard
