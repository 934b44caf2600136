// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Parts of a transition as stable text, for exports. Words for people are made elsewhere.
#include "models/patroni/cluster.h"

namespace switchyard {

// "from=inferred;to=history;timeline=history;lsn=history;gained=history": where each cell that is known comes from
std::string sourcesText(const patroni::Transition &transition);
// "released subject=acme-0 at=2031-02-01T06:00:11.402917Z; late-before subject=acme-0 detail=24"
std::string evidenceText(const patroni::Transition &transition);
// "leader=acme-0 member=acme-2 scheduled_at=2031-02-03T01:30:00+00:00"; empty: no schedule was erased
std::string erasedText(const patroni::Transition &transition);

} // namespace switchyard
