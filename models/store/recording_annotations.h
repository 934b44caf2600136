// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The annotations that may stand in a recording, without what is secret in them.
#include "models/core/object.h"
#include "models/store/recording_names.h"

namespace switchyard::recording {

std::map<std::string, std::string> allowedAnnotations(const KubeObject &object, Names &names);
std::map<std::string, std::string> allowedLabels(const KubeObject &object, Names &names);

// Who leads, or wants to, in an election.
std::string identityOf(const std::string &identity, Names &names);

} // namespace switchyard::recording
