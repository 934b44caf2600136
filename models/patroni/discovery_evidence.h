// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Inside of discovery: what one object says of a cluster, by its name, annotations and labels.
#include "models/patroni/records.h"

namespace switchyard::patroni {

inline constexpr const char *groupLabel = "citus-group";

std::optional<std::string> label(const KubeObject &object, const std::string &key);

bool isLeaderRecord(const KubeObject &object);
// Who holds the lock that this object looks to be, by any of the annotations that no other of Patroni's objects has; "": nobody.
// nullopt: it looks like none. With Endpoints the lock of the scope pg-failover has the name of the failover object of pg.
std::optional<std::string> lockHolder(const KubeObject &object);
// SCOPE or SCOPE-GROUP of an object that Patroni, and not only a manifest, has written; nullopt: it is none such.
std::optional<std::string> configBase(const KubeObject &object);
std::optional<std::string> leaderBase(const KubeObject &object);
std::string leaderNameOf(Mode mode, const std::string &base);

// A label that names the scope of the object called `base`.
struct ScopeMatch
{
    std::string labelKey, scope;
    std::optional<int> group;
};
std::vector<ScopeMatch> scopeMatches(const KubeObject &object, const std::string &base);

} // namespace switchyard::patroni
