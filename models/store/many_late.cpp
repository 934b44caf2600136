// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/store/many_late.h"

#include "models/events/event_id.h"
#include "models/events/object_events.h"

namespace switchyard {

Event manyLateEvent(const LateLocks::News &news, std::string_view what, Now now)
{
    std::string names;
    for (const std::string &context : news.contexts)
        names += (names.empty() ? "" : ",") + context;
    Event event;
    event.type = EventCode::ManyLate;
    event.cluster.context = news.contexts.front();
    event.at = now.boot;
    event.wall = now.wall;
    const std::string &context = event.cluster.context, when = std::to_string(now.wall.time_since_epoch().count());
    event.id = what.empty() ? hashParts({context, code(event.type), when}) : hashParts({context, code(event.type), what, when});
    event.detail = {{"count", std::to_string(news.late)}, {"of", std::to_string(news.of)}};
    if (!what.empty())
        event.detail["what"] = what;
    if (news.contexts.size() > 1)
        event.detail["contexts"] = names;
    if (!news.server.empty())
        event.detail["server"] = news.server;
    if (news.lasted)
        event.detail["seconds"] = secondsText(*news.lasted);
    return event;
}

} // namespace switchyard
