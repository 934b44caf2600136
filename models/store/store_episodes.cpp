// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What concerns all clusters of an API server at once: locks that are late together, and times in which we did not look.
#include "models/events/event_id.h"
#include "models/rules/episodes.h"
#include "models/store/store_impl.h"

namespace switchyard {

namespace {

std::string secondsSinceEpoch(Instant at)
{
    return std::to_string(at.time_since_epoch().count());
}

} // namespace

void ClusterStore::Impl::count(StoreContext &c, Slot &slot, bool held, bool late)
{
    if (slot.held == held && slot.late == late)
        return;
    c.held += static_cast<int>(held) - static_cast<int>(slot.held);
    c.late += static_cast<int>(late) - static_cast<int>(slot.late);
    slot.held = held;
    slot.late = late;
    c.lateMoved = true;
}

// Said once an episode.
void ClusterStore::Impl::judgeLate(StoreContext &c)
{
    const bool begins = !c.manyLate && rules::manyLate(c.late, c.held);
    const bool ends = c.manyLate && rules::manyLateIsOver(c.late, c.held);
    if (!begins && !ends)
        return;
    c.manyLate = begins;
    for (auto &[key, slot] : slots) {
        if (key.context == c.name)
            slot.track->setManyLate(begins ? std::optional(c.late) : std::nullopt);
    }
    if (!begins)
        return;
    Event event;
    event.type = EventCode::ManyLate;
    event.cluster.context = c.name;
    event.at = now.boot;
    event.wall = now.wall;
    event.id = hashParts({c.name, code(event.type), secondsSinceEpoch(now.wall)});
    event.detail = {{"count", std::to_string(c.late)}, {"of", std::to_string(c.held)}};
    changes.events.push_back(std::move(event));
}

// since: until then everything of the stream was known.
void ClusterStore::Impl::sayBlind(const StoreContext &c, const Stream &s, const std::optional<Boot> &since, const Now &at)
{
    if (!since || at.boot - *since < rules::blindAfter || s.state().resource == Resource::Leases)
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
