// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What was observed, and when: the only input of the store. Everything the program knows is a function of these.
#include "models/core/object.h"

#include <algorithm>
#include <variant>

namespace switchyard {

// What a list speaks of: an object that it does not hold is gone only if it is one of these. Empty: of all there are.
struct Coverage
{
    std::string labelKey;             // only objects that carry this label (a list with a selector)
    std::vector<std::string> names{}; // only objects of these names (read one by one): NAME, or NAMESPACE/NAME
    bool whole() const { return labelKey.empty() && names.empty(); }
    bool coversName(const std::string &ns, const std::string &object) const
    {
        return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string &name) {
                   return name == object || name == ns + '/' + object;
               });
    }
    bool covers(const KubeObject &object) const
    {
        return coversName(object.ns, object.name) && (labelKey.empty() || object.labels.contains(labelKey));
    }
    bool operator==(const Coverage &) const = default;
};
struct Listed // one whole list (all pages)
{
    std::string resourceVersion;
    std::vector<KubeObject> items;
    Coverage coverage{};
    Duration every{}; // the next list comes after so long, and until then nothing can be heard; 0: a watch follows
};
struct Changed // one watch event
{
    EventType type{}; // Added, Modified, Deleted
    KubeObject object;
};
struct Bookmarked
{
    std::string resourceVersion;
};
struct Confirmed // GET of one object by name, answered
{
    std::string name;
    std::optional<std::string> resourceVersion; // nullopt: 404, it does not exist
    std::string ns{};                           // the object's namespace; empty: the only object of that name in the stream
};
struct ProbeFailed // GET of one object by name, not answered (time-out, refused, 5xx)
{
    std::string name;
    Error error;
    std::string ns{}; // as in Confirmed
};
struct Resumed
{}; // a watch that was lost was taken up again from its last version; events of meanwhile follow
struct Contact
{};         // any byte of the API server for this watch, or a good probe
struct Lost // list or watch could not go on; Forbidden and Unauthorized are kinds of error
{
    Error error;
};
struct Undecodable // one line or item that could not be read
{
    Error error;
};

struct Observation
{
    std::string context; // label of the source; one per API server and user
    Resource resource{};
    std::string ns; // the watched namespace; empty: all namespaces
    Boot seen{};
    Instant wall{}; // wall clock when seen
    std::variant<Listed, Changed, Bookmarked, Confirmed, ProbeFailed, Resumed, Contact, Lost, Undecodable> what;
    // Seen by a request beside the stream (an object watched by name): tells of its objects, proves nothing of the stream.
    bool aside = false;
    // Of an answer: when it was asked for. What it says was so then or later, whenever it arrived. nullopt: just before it was seen.
    std::optional<Boot> asked{};
    // Of a watch with a selector: it tells only of objects that carry this label. Empty: as the list before it.
    std::string selector{};
};

} // namespace switchyard
