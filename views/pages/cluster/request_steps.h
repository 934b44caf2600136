// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A request as the steps it went through, in words. Times are those at which we saw the objects change; no timer decides a step.
#include "models/patroni/cluster.h"

#include <QString>

#include <vector>

namespace switchyard::views {

enum class StepState { Done, Current, Ahead, Failed, Warned };

struct ShownStep
{
    StepState state = StepState::Ahead;
    QString text, time; // time: wall clock with zone, empty while it has not happened
    bool operator==(const ShownStep &) const = default;
};

std::vector<ShownStep> requestSteps(const patroni::RequestReport &report, Now now);

} // namespace switchyard::views
