// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/pod_event_streams.h"

namespace switchyard {

using namespace Qt::StringLiterals;

PodEventStreams::PodEventStreams(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clock(std::move(clock))
    , m_times(times)
{}

PodEventStreams::~PodEventStreams() = default;

void PodEventStreams::start()
{
    m_running = true;
    for (const auto &[ns, watch] : m_watches) {
        if (watch)
            watch->start();
    }
}

void PodEventStreams::stop()
{
    m_running = false;
    for (const auto &[ns, watch] : m_watches) {
        if (watch)
            watch->stop();
    }
}

void PodEventStreams::relist()
{
    for (const auto &[ns, watch] : m_watches) {
        if (watch)
            watch->relist();
    }
}

void PodEventStreams::retryNow()
{
    for (const auto &[ns, watch] : m_watches) {
        if (watch)
            watch->retryNow();
    }
}

void PodEventStreams::setPermitted(const QString &ns, bool permitted)
{
    const auto known = m_watches.find(ns);
    if (known != m_watches.end() && (known->second != nullptr) == permitted)
        return;
    if (!permitted) {
        std::unique_ptr<kube::Watch> &watch = m_watches[ns];
        if (watch) {
            watch->disconnect(this);
            watch->stop();
            watch.release()->deleteLater(); // may be inside one of its signals
        }
        tellRefused(ns);
        return;
    }
    auto watch = std::make_unique<kube::Watch>(m_client, Resource::Events, ns, m_clock, m_times);
    watch->setScope({.labelKey = {}, .name = {}, .metadataOnly = false, .fields = u"involvedObject.kind=Pod"_s});
    connect(watch.get(), &kube::Watch::observed, this, [this](const Observation &o) {
        if (!std::holds_alternative<Contact>(o.what) && !std::holds_alternative<Bookmarked>(o.what))
            Q_EMIT observed(o);
    });
    if (m_running)
        watch->start();
    m_watches[ns] = std::move(watch);
}

void PodEventStreams::tellRefused(const QString &ns)
{
    Error error;
    error.kind = ErrorKind::Forbidden;
    error.httpStatus = 403;
    error.verb = "list";
    error.resource = code(Resource::Events);
    error.ns = ns.toStdString();
    const Now now = m_clock.now();
    Q_EMIT observed({m_client->config().name.toStdString(), Resource::Events, error.ns, now.boot, now.wall, Lost{error}});
}

} // namespace switchyard
