// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/event_permits.h"

#include "app/kube/access_review.h"

#include <algorithm>

namespace switchyard {

EventPermits::EventPermits(Monitor *monitor, std::chrono::milliseconds again, QObject *parent)
    : QObject(parent)
    , m_monitor(monitor)
{
    m_again.setInterval(again);
    connect(&m_again, &QTimer::timeout, this, [this] {
        for (std::size_t i = 0; i < m_places.size(); ++i)
            ask(i);
    });
    connect(monitor, &Monitor::observed, this, &EventPermits::observed);
}

void EventPermits::ask()
{
    for (Connection *connection : m_monitor->connections()) {
        for (const QString &ns : connection->namespaces()) {
            const bool known = std::any_of(m_places.begin(), m_places.end(),
                                           [&](const Place &place) { return place.connection == connection && place.ns == ns; });
            if (known)
                continue;
            m_places.push_back({.connection = connection, .ns = ns});
            ask(m_places.size() - 1);
        }
    }
    m_again.start();
}

void EventPermits::ask(std::size_t place)
{
    Place &of = m_places[place];
    if (!of.connection || of.permitted || of.unanswered > 0)
        return;
    of.denied = of.unknown = false;
    of.unanswered = 2;
    for (const char *verb : {"list", "watch"}) {
        const kube::AccessQuestion question{verb, {}, std::string(code(Resource::Events)), of.ns.toStdString(), {}};
        of.connection->client()->ask(
            kube::accessReviewPath(), kube::accessReviewBody(question), this,
            [this, place](const kube::Response &response) { answered(place, kube::readAccessReview(response).allowed); });
    }
}

void EventPermits::answered(std::size_t place, std::optional<bool> allowed)
{
    Place &of = m_places[place];
    of.denied = of.denied || allowed == false;
    of.unknown = of.unknown || !allowed;
    if (--of.unanswered > 0)
        return;
    of.permitted = of.listing = !of.denied && !of.unknown;
    if (of.connection && (of.permitted || of.denied)) // what is not known changes nothing
        of.connection->setEventsPermitted(of.ns, of.permitted);
    Q_EMIT changed();
}

void EventPermits::observed(const Observation &observation)
{
    const bool ends = std::holds_alternative<Listed>(observation.what) || std::holds_alternative<Lost>(observation.what);
    if (observation.resource != Resource::Events || !ends)
        return;
    bool moved = false;
    for (Place &place : m_places) {
        const bool of = place.listing && place.connection && place.connection->context().toStdString() == observation.context
            && place.ns.toStdString() == observation.ns;
        moved = moved || of;
        place.listing = place.listing && !of;
    }
    if (moved)
        Q_EMIT changed();
}

bool EventPermits::settled() const
{
    return std::none_of(m_places.begin(), m_places.end(), [](const Place &place) { return place.unanswered > 0 || place.listing; });
}

} // namespace switchyard
