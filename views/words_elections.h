// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is said of elections.
#include "models/election/election.h"
#include "models/events/event.h"

#include <QString>

namespace switchyard::views {

// One sentence for an event of an election.
QString electionSentence(const Event &event);

} // namespace switchyard::views
