// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/named_poller.h"

#include "app/kube/backoff.h"
#include "app/kube/call.h"

#include <QRandomGenerator>

namespace switchyard {

using std::chrono::milliseconds;

NamedPoller::NamedPoller(kube::Client *client, Resource resource, QString ns, kube::Clock clock, kube::WatchTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_resource(resource)
    , m_ns(std::move(ns))
    , m_clock(std::move(clock))
    , m_times(times)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &NamedPoller::round);
}

void NamedPoller::setPlaces(const std::set<Place> &places)
{
    const bool none = m_places.empty();
    m_places = places;
    if (m_running && none && !places.empty())
        round();
}

void NamedPoller::start()
{
    m_running = true;
    m_failures = 0;
    round();
}

void NamedPoller::stop()
{
    m_running = false;
    m_timer.stop();
    ++m_round;
}

std::optional<milliseconds> NamedPoller::retryIn() const
{
    if (!m_running || m_failures == 0 || !m_timer.isActive())
        return std::nullopt;
    return std::max(milliseconds(0), milliseconds(m_timer.remainingTime()));
}

void NamedPoller::round()
{
    m_timer.stop();
    const quint64 mine = ++m_round;
    m_asked = m_places;
    m_askedAt = m_clock.now().boot;
    m_found.clear();
    m_error.reset();
    m_open = m_asked.size();
    if (!m_client)
        return;
    for (const Place &place : m_asked) {
        kube::Path path{.resource = m_resource, .ns = place.ns, .name = place.name};
        path.metadataOnly = m_resource == Resource::ConfigMaps;
        m_client->get(
            path, {}, this,
            [this, mine, place](const kube::Response &response) {
                if (mine == m_round)
                    onAnswer(place, response);
            },
            m_times.listLimit);
    }
}

void NamedPoller::onAnswer(const Place &place, const kube::Response &response)
{
    if (response.ok()) {
        auto object = decodeObject(m_resource, {response.body.constData(), static_cast<std::size_t>(response.body.size())});
        if (object) {
            object->ns = place.ns.toStdString();
            m_found.push_back(std::move(*object));
        } else if (!m_error) {
            m_error = kube::addressed(object.error(), QStringLiteral("get"), {.resource = m_resource, .ns = place.ns, .name = place.name});
        }
    } else if (response.status != 404 && !m_error) {
        m_error = response.error;
    }
    if (--m_open > 0)
        return;
    if (m_error)
        fail(*m_error);
    else
        finish();
}

// A round has no version of its own.
void NamedPoller::finish()
{
    m_failures = 0;
    Listed list;
    list.every = m_times.pollEvery;
    list.items = std::move(m_found);
    for (const Place &place : m_asked) // of a stream of all namespaces, a name alone would speak of each of them
        list.coverage.names.push_back((m_ns.isEmpty() ? place.ns + u'/' + place.name : place.name).toStdString());
    m_timer.start(m_times.pollEvery);
    tell(std::move(list));
}

// Refusals wait the longest: they end with rights that a human gives.
void NamedPoller::fail(const Error &error)
{
    ++m_failures;
    const bool refused = error.kind == ErrorKind::Unauthorized || error.kind == ErrorKind::Forbidden;
    const double unit = QRandomGenerator::global()->generateDouble();
    const milliseconds wait = refused && !error.retryAfterSeconds
        ? kube::backoff(m_failures, m_times.refusedMin, m_times.refusedMax, unit)
        : kube::waitAfter(error, m_failures, m_times.backoffMin, m_times.backoffMax, unit);
    m_timer.start(std::max(wait, m_times.pollEvery));
    tell(Lost{error});
}

void NamedPoller::tell(decltype(Observation::what) what)
{
    const Now now = m_clock.now();
    Q_EMIT observed(Observation{.context = m_client ? m_client->config().name.toStdString() : std::string(),
                                .resource = m_resource,
                                .ns = m_ns.toStdString(),
                                .seen = now.boot,
                                .wall = now.wall,
                                .what = std::move(what),
                                .aside = false,
                                .asked = m_askedAt});
}

} // namespace switchyard
