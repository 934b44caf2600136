// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What concerns all clusters of an API server at once: locks that are late together, and times in which we did not look.
#include "models/events/event_id.h"
#include "models/events/object_events.h"
#include "models/rules/episodes.h"
#include "models/store/many_late.h"
#include "models/store/store_impl.h"

namespace switchyard {

namespace {

std::string secondsSinceEpoch(Instant at)
{
    return std::to_string(at.time_since_epoch().count());
}

} // namespace

// Said once an episode, and once when it is over.
void ClusterStore::Impl::judgeLate()
{
    for (const LateLocks::News &news : lateLocks.judge(now.boot)) {
        for (const std::string &context : news.contexts) {
            for (auto &[key, slot] : slots) {
                if (key.context == context)
                    slot.track->setManyLate(news.lasted ? std::nullopt : std::optional(news.late));
            }
        }
        changes.events.push_back(manyLateEvent(news, {}, now));
    }
}

// since: until then everything of the stream was known.
void ClusterStore::Impl::sayBlind(const StoreContext &c, const Stream &s, const std::optional<Boot> &since, const Now &at)
{
    if (!since || at.boot - *since < rules::blindAfter)
        return;
    Event event;
    event.type = EventCode::BlindSpot;
    event.cluster.context = c.name;
    event.cluster.ns = s.state().ns;
    event.at = at.boot;
    event.wall = at.wall;
    event.notBefore = at.toWall(*since);
    event.detail = {{"from", formatUtc(*event.notBefore)},
                    {"to", formatUtc(at.wall)},
                    {"seconds", secondsText(at.boot - *since)},
                    {"resource", std::string(code(s.state().resource))}};
    event.id = hashParts({c.name, code(event.type), code(s.state().resource), s.state().ns, secondsSinceEpoch(at.wall)});
    changes.events.push_back(std::move(event));
}

} // namespace switchyard
