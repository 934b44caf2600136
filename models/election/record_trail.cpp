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
    m_proofs.found(at);
}

void RecordTrail::missed(Boot at, Duration askAfter)
{
    m_proofs.missed(at, m_seen.firstSeen, m_seen.confirmedAt, askAfter);
}

void RecordTrail::unverify(Boot at)
{
    m_seen.changedNotBefore.reset();
    m_seen.changedNotAfter.reset();
    m_seen.firstSeen = at;
    m_seen.confirmedAt.reset();
}

} // namespace switchyard::election
