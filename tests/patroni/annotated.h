// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Objects made by hand: a name and its annotations.
#include "models/patroni/records.h"

namespace switchyard::patroni {

using Annotations = std::map<std::string, std::string>;

inline KubeObject annotated(const std::string &name, Annotations annotations, Resource resource = Resource::Endpoints)
{
    KubeObject object;
    object.resource = resource;
    object.ns = "db";
    object.name = name;
    object.uid = "uid-" + name;
    object.annotations = std::move(annotations);
    return object;
}

// The fields that a decoder complained about, joined by blanks.
inline std::string fields(const std::vector<Defect> &defects)
{
    std::string result;
    for (const Defect &defect : defects)
        result += (result.empty() ? "" : " ") + defect.field;
    return result;
}

} // namespace switchyard::patroni
