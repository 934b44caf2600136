// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Objects, lists and events straight from their text, for the ordinary case. nullopt: something is out of the ordinary, and
// object_decode.cpp looks at it through the tree; what comes of it is the same.
#include "models/core/object.h"

namespace switchyard {

std::string_view kindOf(Resource resource);
// Metadata-only answers name their own kind.
bool isKind(Resource resource, std::string_view kind);
bool isListKind(Resource resource, std::string_view kind);
std::optional<EventType> eventTypeOf(std::string_view text); // "ADDED" ...

std::optional<KubeObject> readObject(Resource resource, std::string_view text);
std::optional<WatchEvent> readWatchEvent(Resource resource, std::string_view text);

struct ReadList
{
    ObjectList list;                                                     // without the items below
    std::vector<std::pair<std::size_t, std::string_view>> outOfOrdinary; // index and text, in order; `list.items` lacks them
};
std::optional<ReadList> readList(Resource resource, std::string_view text);

} // namespace switchyard
