// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words for what Patroni's REST API answered through the API server.
#include "models/rules/rest_answer.h"

#include <QString>

namespace switchyard::views {

QString words(rules::RestCode code);     // "needs a password, which cannot be sent this way"
QString explained(rules::RestCode code); // a sentence or two: what it means, and what to do instead
// Both, with Patroni's own words where there are any.
QString answerText(const rules::RestAnswer &answer);

} // namespace switchyard::views
