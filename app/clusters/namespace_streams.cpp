// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/clusters/namespace_streams.h"

#include "app/kube/backoff.h"
#include "models/election/election_store.h"
#include "models/patroni/selector.h"

#include <QRandomGenerator>

#include <algorithm>

namespace switchyard {

using std::chrono::milliseconds;

namespace {

// Patroni's four objects and its members live in these three.
constexpr Resource watched[] = {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods};
constexpr Resource scanned[] = {Resource::Endpoints, Resource::ConfigMaps};

std::vector<const KubeObject *> pointers(const std::vector<KubeObject> &objects)
{
    std::vector<const KubeObject *> result;
    result.reserve(objects.size());
    for (const KubeObject &object : objects)
        result.push_back(&object);
    return result;
}

// Takes down what decides on a selector, and forgets the rest.
void outlineInto(std::vector<KubeObject> &outlines, std::vector<KubeObject> &locks, const KubeObject &object)
{
    outlines.push_back(patroni::outline(object));
    if (election::isOfInterest(object))
        locks.push_back(outlines.back());
}

bool hidesOneOf(const std::vector<KubeObject> &locks, const std::string &labelKey)
{
    return std::any_of(locks.begin(), locks.end(), [&](const KubeObject &lock) { return !lock.labels.contains(labelKey); });
}

kube::WatchTimes timesOf(Resource resource, kube::WatchTimes times)
{
    if (resource == Resource::Pods)
        times.pageSize = std::min(times.pageSize, 200); // a Pod is ten times the size of the others
    return times;
}

} // namespace

NamespaceStreams::NamespaceStreams(Setup setup, QObject *parent)
    : QObject(parent)
    , m_setup(std::move(setup))
{
    kube::WatchTimes pollTimes = m_setup.times;
    pollTimes.pollEvery = m_setup.namedEvery;
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        Stream &stream = m_streams.at(i);
        const Resource resource = watched[i];
        stream.watch = std::make_unique<kube::Watch>(m_setup.client, resource, m_setup.ns, m_setup.clock, timesOf(resource, m_setup.times));
        stream.watch->setScope({.labelKey = {}, .name = {}, .metadataOnly = resource == Resource::ConfigMaps});
        stream.poller = std::make_unique<NamedPoller>(m_setup.client, resource, m_setup.ns, m_setup.clock, pollTimes);
        connect(stream.watch.get(), &kube::Watch::observed, this, [this, &stream](const Observation &o) { onObserved(stream, o); });
        connect(stream.watch.get(), &kube::Watch::stateChanged, this, &NamespaceStreams::stateChanged);
        connect(stream.poller.get(), &NamedPoller::observed, this, [this](const Observation &o) {
            learn(o);
            Q_EMIT observed(o);
        });
    }
    for (const NamedCluster &cluster : m_setup.named) {
        for (const auto mode : {patroni::Mode::Endpoints, patroni::Mode::ConfigMaps}) {
            for (const std::string &name : patroni::objectNames(mode, cluster.base().toStdString()))
                m_stateNames[static_cast<std::size_t>(mode)].insert({cluster.ns, QString::fromStdString(name)});
        }
    }
    m_streams[0].poller->setPlaces(m_stateNames[0]);
    m_streams[1].poller->setPlaces(m_stateNames[1]);
    m_scanTimer.setSingleShot(true);
    connect(&m_scanTimer, &QTimer::timeout, this, &NamespaceStreams::scan);
}

NamespaceStreams::~NamespaceStreams()
{
    stop();
}

void NamespaceStreams::start()
{
    for (const Stream &stream : m_streams)
        stream.watch->start();
    if (!m_labelKey.empty())
        scanLater();
}

void NamespaceStreams::stop()
{
    m_scanTimer.stop();
    delete m_scan;
    for (const Stream &stream : m_streams) {
        stream.watch->stop();
        stream.poller->stop();
    }
}

void NamespaceStreams::relist()
{
    for (const Stream &stream : m_streams) {
        stream.watch->relist();
        if (stream.poller->running())
            stream.poller->start();
    }
    if (!m_labelKey.empty())
        scan();
}

void NamespaceStreams::retryNow()
{
    for (const Stream &stream : m_streams) {
        stream.watch->retryNow();
        if (stream.poller->running())
            stream.poller->start();
    }
}

kube::Watch *NamespaceStreams::watch(Resource resource) const
{
    for (const Stream &stream : m_streams) {
        if (stream.watch->resource() == resource)
            return stream.watch.get();
    }
    return nullptr;
}

std::optional<milliseconds> NamespaceStreams::retryIn() const
{
    std::optional<milliseconds> longest;
    for (const Stream &stream : m_streams) {
        const auto wait = stream.poller->running() ? stream.poller->retryIn() : stream.watch->retryIn();
        if (wait && (!longest || *wait > *longest))
            longest = wait;
    }
    return longest;
}

std::vector<Resource> NamespaceStreams::listedInstead() const
{
    std::vector<Resource> resources;
    for (const Stream &stream : m_streams) {
        if (stream.watch->listsInstead())
            resources.push_back(stream.watch->resource());
    }
    return resources;
}

// ---- named clusters ---------------------------------------------------------------------------------------------------------------

// True: the loss of the list is known already, and something better is told instead of it.
bool NamespaceStreams::pollsInstead(Stream &stream, const Observation &observation)
{
    if (std::holds_alternative<Listed>(observation.what) && !observation.aside) {
        stream.poller->stop();
        return false;
    }
    const auto *lost = std::get_if<Lost>(&observation.what);
    if (!lost || m_setup.named.empty())
        return false;
    if (stream.poller->running())
        return true; // it tells for itself what cannot be reached
    if (lost->error.kind != ErrorKind::Forbidden || lost->error.verb != "list")
        return false;
    Q_EMIT observed(observation); // first: what is refused
    stream.poller->start();
    return true;
}

// The Pods of a named cluster are known by what its objects say.
void NamespaceStreams::learnMembers(const KubeObject &object)
{
    const std::size_t kind = object.resource == Resource::Endpoints ? 0 : 1;
    const QString ns = QString::fromStdString(object.ns);
    if (object.resource == Resource::Pods || !m_stateNames[kind].contains({ns, QString::fromStdString(object.name)}))
        return;
    const std::size_t before = m_memberNames.size();
    for (const std::string &name : patroni::membersNamedBy(object))
        m_memberNames.insert({ns, QString::fromStdString(name)});
    if (m_memberNames.size() != before)
        m_streams[2].poller->setPlaces(m_memberNames);
}

void NamespaceStreams::learn(const Observation &observation)
{
    if (m_setup.named.empty())
        return;
    if (const auto *list = std::get_if<Listed>(&observation.what)) {
        for (const KubeObject &object : list->items)
            learnMembers(object);
    } else if (const auto *change = std::get_if<Changed>(&observation.what)) {
        learnMembers(change->object);
    }
}

// ---- selectors --------------------------------------------------------------------------------------------------------------------

void NamespaceStreams::onObserved(Stream &stream, const Observation &observation)
{
    learn(observation);
    if (pollsInstead(stream, observation))
        return;
    Q_EMIT observed(observation);
    if (const auto *list = std::get_if<Listed>(&observation.what)) {
        if (observation.aside)
            return;
        stream.unreadable = false;
        if (!list->coverage.whole())
            return;
        auto &outlines = stream.outlines.emplace();
        outlines.reserve(list->items.size());
        stream.locks.clear();
        for (const KubeObject &object : list->items)
            outlineInto(outlines, stream.locks, object);
        choose();
    } else if (const auto *lost = std::get_if<Lost>(&observation.what)) {
        const bool was = std::exchange(stream.unreadable, lost->error.kind == ErrorKind::Forbidden && lost->error.verb == "list");
        if (stream.unreadable && !was)
            choose();
    } else if (std::holds_alternative<Resumed>(observation.what)) {
        stream.unreadable = false; // it goes on without a list
    } else if (const auto *change = std::get_if<Changed>(&observation.what)) {
        // Lost its label, or a first cluster came: whether it matters, the scan tells.
        const bool unlabelled = !m_labelKey.empty() && change->type != EventType::Deleted && !change->object.labels.contains(m_labelKey);
        const bool came = m_labelKey.empty() && change->type == EventType::Added && patroni::selectorKey({&change->object});
        if (unlabelled || came)
            scan();
    }
}

// Once all that may be read was listed without a selector.
void NamespaceStreams::choose()
{
    std::vector<const KubeObject *> all;
    for (const Stream &stream : m_streams) {
        if (!stream.outlines && !stream.unreadable)
            return;
        if (stream.outlines) {
            const auto own = pointers(*stream.outlines);
            all.insert(all.end(), own.begin(), own.end());
        }
    }
    const auto key = m_mayNotGet ? std::nullopt : patroni::selectorKey(all);
    bool hides = false;
    for (Stream &stream : m_streams) {
        hides = hides || (key && hidesOneOf(stream.locks, *key));
        stream.outlines.reset();
        stream.locks.clear();
    }
    if (key && !hides)
        use(*key);
}

// What a selector leaves out can be told from what is deleted only by a GET.
void NamespaceStreams::doWithoutSelector()
{
    m_mayNotGet = true;
    if (!m_labelKey.empty())
        use({});
}

// Empty: no selector.
void NamespaceStreams::use(const std::string &labelKey)
{
    m_labelKey = labelKey;
    for (Stream &stream : m_streams) {
        stream.outlines.reset();
        kube::WatchScope scope = stream.watch->scope();
        scope.labelKey = labelKey;
        stream.watch->setScope(scope);
    }
    if (labelKey.empty())
        m_scanTimer.stop();
    else
        scanLater();
}

// A little sooner than allowed: several namespaces and contexts are not to scan at the same moment.
void NamespaceStreams::scanLater()
{
    const double part = 1.0 - 0.1 * QRandomGenerator::global()->generateDouble();
    m_scanTimer.start(milliseconds(static_cast<qint64>(static_cast<double>(m_setup.times.scanEvery.count()) * part)));
}

void NamespaceStreams::scan()
{
    scanLater(); // whatever becomes of this one
    if (m_scan)
        return;
    m_scanned.clear();
    m_scannedLocks.clear();
    m_scanStep = 0;
    scanNext();
}

// A scan that fails or is refused makes nothing stale: the watches speak for themselves.
void NamespaceStreams::scanNext()
{
    const auto skip = [this] { return m_streams.at(static_cast<std::size_t>(m_scanStep)).unreadable; };
    while (m_scanStep < static_cast<int>(std::size(scanned)) && skip())
        ++m_scanStep;
    if (m_scanStep == static_cast<int>(std::size(scanned))) {
        m_scanFailures = 0;
        decide(pointers(m_scanned));
        m_scanned.clear();
        m_scannedLocks.clear();
        return;
    }
    const kube::Path path{.resource = scanned[m_scanStep++], .ns = m_setup.ns, .name = {}};
    m_scan = new kube::ListJob(m_setup.client, path, {.labelKey = {}, .name = {}, .metadataOnly = true}, m_setup.times, this);
    connect(m_scan, &kube::ListJob::done, this, &NamespaceStreams::onScanned);
    connect(m_scan, &kube::ListJob::failed, this, &NamespaceStreams::onScanFailed);
    m_scan->start();
}

void NamespaceStreams::decide(const std::vector<const KubeObject *> &scannedObjects)
{
    if (!m_labelKey.empty()) {
        if (patroni::hidesSomething(scannedObjects, m_labelKey) || hidesOneOf(m_scannedLocks, m_labelKey))
            use({});
    } else if (const auto key = m_mayNotGet ? std::nullopt : patroni::selectorKey(scannedObjects);
               key && !hidesOneOf(m_scannedLocks, *key)) {
        use(*key);
    } else {
        m_scanTimer.stop();
    }
}

// Refusals end with rights that a human gives; all else may be over soon.
void NamespaceStreams::onScanFailed(const Error &error)
{
    m_scan->deleteLater();
    m_scan.clear();
    if (error.kind == ErrorKind::Unauthorized || error.kind == ErrorKind::Forbidden)
        return;
    const kube::WatchTimes &times = m_setup.times;
    const milliseconds soon = kube::waitAfter(error, ++m_scanFailures, times.backoffMin, times.backoffMax,
                                              QRandomGenerator::global()->generateDouble());
    if (soon < milliseconds(m_scanTimer.remainingTime()))
        m_scanTimer.start(soon);
}

void NamespaceStreams::onScanned(const ObjectList &list)
{
    for (const KubeObject &object : list.items)
        outlineInto(m_scanned, m_scannedLocks, object);
    m_scan->deleteLater();
    m_scan.clear();
    scanNext();
}

} // namespace switchyard
