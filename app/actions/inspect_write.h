// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts of inspectWrite(). nullopt: fit to be sent.
#include "app/actions/failover_write.h"

namespace switchyard::actions {

bool isCall(kube::WriteVerb verb);                                   // of a member's own server
std::optional<std::string> inspectCall(const PlannedWrite &planned); // of a member's own server
std::string verbText(const PlannedWrite &planned);                   // Kubernetes': create patch delete
std::string resourceText(const PlannedWrite &planned);               // "endpoints" "pods/proxy"
// About the write, with its verb and object.
Error refusedWrite(const PlannedWrite &planned, const std::string &message, const std::string &advice = {});

} // namespace switchyard::actions
