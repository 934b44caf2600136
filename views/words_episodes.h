// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/events/event.h"

#include <QString>

namespace switchyard::views {

// Of what lasts for a while: near-misses, pause and failsafe mode, synchronous sets, silent members, disagreement, rewritten history,
// many late locks, blind spots. Without a full stop.
QString episodeSentence(const Event &event);
// "1 min 15 s", as exactly as the event tells it: "less than 1 s" for 0 whole seconds. Empty when it is not known.
QString toldLength(const Event &event, const char *key);
// "... after 1 min 15 s", where the event tells how long it was until then.
QString afterSeconds(const QString &sentence, const Event &event);

} // namespace switchyard::views
