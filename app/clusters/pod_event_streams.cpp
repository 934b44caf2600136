// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/pod_event_streams.h"

#include "app/kube/retire.h"

namespace switchyard {

using namespace Qt::StringLiterals;

PodEventStreams::PodEventStreams(kube::Client *client, kube::Clock clock, kube::WatchTimes times, QObject *parent)
    : QObject(parent)
    , m_client(client)
    , m_clock(std::move(clock))
    , m_times(times)
{}

PodEventStreams::~PodEventStreams() = default;

template<class Do>
void PodEventStreams::each(Do action)
{
    for (const auto &[ns, pair] : m_watches) {
        for (kube::Watch *watch : {pair.pods.get(), pair.electors.get()}) {
            if (watch)
                action(*watch);
        }
    }
}

void PodEventStreams::start()
{
    m_running = true;
    each([](kube::Watch &watch) { watch.start(); });
}

void PodEventStreams::stop()
{
    m_running = false;
    each([](kube::Watch &watch) { watch.stop(); });
}

void PodEventStreams::relist()
{
    each([](kube::Watch &watch) { watch.relist(); });
}

void PodEventStreams::retryNow()
{
    each([](kube::Watch &watch) { watch.retryNow(); });
}

std::unique_ptr<kube::Watch> PodEventStreams::make(const QString &ns, const QString &fields)
{
    auto watch = std::make_unique<kube::Watch>(m_client, Resource::Events, ns, m_clock, m_times);
    watch->setScope({.labelKey = {}, .name = {}, .metadataOnly = false, .fields = fields});
    if (m_running)
        watch->start();
    return watch;
}

void PodEventStreams::setPermitted(const QString &ns, bool permitted)
{
    const auto known = m_watches.find(ns);
    if (known != m_watches.end() && known->second.permitted() == permitted)
        return;
    Pair &pair = m_watches[ns];
    if (!permitted) {
        kube::retire(pair.pods, this);
        kube::retire(pair.electors, this);
        tellRefused(ns);
        return;
    }
    pair.pods = make(ns, u"involvedObject.kind=Pod"_s);
    connect(pair.pods.get(), &kube::Watch::observed, this, [this](const Observation &o) {
        if (!std::holds_alternative<Contact>(o.what) && !std::holds_alternative<Bookmarked>(o.what))
            Q_EMIT observed(o);
    });
    if (!m_electors)
        return;
    pair.electors = make(ns, u"reason=LeaderElection"_s); // client-go tools/leaderelection/resourcelock
    connect(pair.electors.get(), &kube::Watch::observed, this, &PodEventStreams::tellOne);
}

// One by one: a list of these is no list of the Events about Pods, and their loss is no loss of the others.
void PodEventStreams::tellOne(const Observation &observation)
{
    if (std::holds_alternative<Changed>(observation.what))
        return Q_EMIT observed(observation);
    const auto *list = std::get_if<Listed>(&observation.what);
    for (std::size_t i = 0; list && i < list->items.size(); ++i) {
        Observation one = observation;
        one.what = Changed{EventType::Added, list->items[i]};
        Q_EMIT observed(one);
    }
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
