// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What tests of lists and watches that speak of a part have in common.
#include "made_world.h"

#include <QtTest>

namespace switchyard::test {

inline const std::string key = "cluster-name";

inline StoreChanges aside(World &w, decltype(Observation::what) what, Resource resource = Resource::Endpoints)
{
    return w.store.apply({"ctx", resource, "db", w.now().boot, w.now().wall, std::move(what), true});
}

inline QString parts(const World &w)
{
    if (!w.any())
        return QStringLiteral("none");
    QStringList names;
    for (const auto &[name, object] : w.cluster().objects)
        names.append(QString::fromStdString(name));
    return names.join(QLatin1Char(' '));
}

inline StreamState stream(const World &w, Resource resource = Resource::Endpoints)
{
    const ContextState state = w.store.contexts().front();
    for (const StreamState &s : state.streams) {
        if (s.resource == resource)
            return s;
    }
    return {};
}

inline World withRequest()
{
    World w;
    w.stateItems = {w.leader, w.config, w.failover};
    w.listState();
    w.listPods();
    return w;
}

} // namespace switchyard::test
