// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What stands in the failover object, and how patronictl would write or clear it.
#include "models/rules/action.h"

#include <QString>

namespace switchyard::views {

// Something that can be cleared: also a lone time, and one that cannot be read, on which the whole cluster stops.
bool hasRequest(const patroni::Cluster &cluster);
// The command that asks for the same; nullopt: the one that clears a request.
QString patronictlCommand(const patroni::ClusterKey &key, const std::optional<rules::ActionWish> &wish);

} // namespace switchyard::views
