// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An object that a store wants read by name, with the version it holds.
#include "models/core/object.h"

namespace switchyard {

struct Probe
{
    std::string context;
    Resource resource{};
    std::string ns, name, resourceVersion;
    bool whole = false; // a ConfigMap with its data, not its metadata alone: what is found is told as seen aside
};

} // namespace switchyard
