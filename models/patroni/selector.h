// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which objects need not be watched: once the clusters are known, a label selector on their scope label leaves out the rest. It must
// not blind us, so from time to time all objects are looked at (by their metadata) for what the selector hides. And which objects
// make up a cluster that is known only by its name.
#include "models/patroni/discovery.h"

namespace switchyard::patroni {

// The label key that all clusters among these objects (of any namespaces; whole lists of what may be read) use, if a selector on it
// hides nothing of interest. nullopt: no cluster, several keys, or something would be hidden.
std::optional<std::string> selectorKey(const std::vector<const KubeObject *> &objects);

// Is any of these Endpoints and ConfigMaps of interest and without a selector's label? A cluster that uses another key; an object with
// the name of one of a visible cluster's four, of its kind.
bool hidesSomething(const std::vector<const KubeObject *> &objects, const std::string &labelKey);

// What the functions above look at: a copy that costs little.
KubeObject outline(const KubeObject &object);

// Names of the objects of one kind that a cluster of the given stem (SCOPE or SCOPE-GROUP) has.
std::vector<std::string> objectNames(Mode mode, const std::string &base);
// Names of Pods that such an object mentions: the leader, standbys, addresses.
std::set<std::string> membersNamedBy(const KubeObject &object);

} // namespace switchyard::patroni
