// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/events/event.h"

#include <QString>

namespace switchyard::views {

QString podSentence(const Event &event); // of EventCode::PodEvidence

} // namespace switchyard::views
