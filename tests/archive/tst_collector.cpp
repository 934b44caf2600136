// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of a real cluster, as it goes into the archive.
#include "app/archive/collector.h"
#include "app/clusters/recording_file.h"
#include "models/store/recording.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::archive;

namespace {

std::vector<Observation> recording(const char *name)
{
    const QString path = QStringLiteral(TEST_DATA_DIR "/recordings/") + QString::fromLatin1(name) + QStringLiteral("/stream.ndjson.gz");
    const auto bytes = readRecordingFile(path);
    if (!bytes)
        qFatal("%s", describe(bytes.error()).c_str());
    return *decodeRecording({bytes->constData(), static_cast<std::size_t>(bytes->size())}, "replay", path.toStdString());
}

struct Collected
{
    Records records;
    template<class T>
    std::vector<T> of() const
    {
        std::vector<T> all;
        for (const Record &record : records) {
            if (const T *one = std::get_if<T>(&record))
                all.push_back(*one);
        }
        return all;
    }
};

Collected collectAll(const char *name)
{
    ClusterStore store;
    Collector collector([](const std::string &context) { return ServerId{"", "alias of " + context}; });
    Collected all;
    replay(store, recording(name), {}, [&](const StoreChanges &changes) {
        for (Record &record : collector.collect(store, changes, store.now()))
            all.records.push_back(std::move(record));
    });
    // The same state once more is no news
    StoreChanges again;
    for (const patroni::Cluster *cluster : store.clusters())
        again.clusters.insert(cluster->names.key);
    if (!collector.collect(store, again, store.now()).empty())
        qFatal("what was told is told again");
    return all;
}

} // namespace

class TestCollector : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSwitchover();
};

void TestCollector::aSwitchover()
{
    const Collected all = collectAll("4.0.7-endpoints/switchover_now");
    const auto events = all.of<EventRecord>();
    QVERIFY(std::any_of(events.begin(), events.end(), [](const EventRecord &r) { return r.event.type == EventCode::LeaderChanged; }));
    for (const EventRecord &record : events) {
        QCOMPARE(record.cluster.server.alias, std::string("alias of replay"));
        QVERIFY(!record.event.id.empty());
    }
    const auto transitions = all.of<TransitionRecord>();
    QVERIFY(std::any_of(transitions.begin(), transitions.end(),
                        [](const TransitionRecord &r) { return r.transition.kind == patroni::TransitionKind::Switchover; }));
    const auto requests = all.of<RequestRecord>();
    QVERIFY(!requests.empty());
    QCOMPARE(requests.back().request.outcome, patroni::Outcome::Done);
    QVERIFY(!all.of<TimelineRecord>().empty());
    QVERIFY(!all.of<archive::ConfigRecord>().empty());
    QVERIFY(all.of<archive::ConfigRecord>().front().text.find("ttl") != std::string::npos);
    const auto snapshots = all.of<SnapshotRecord>();
    std::set<std::string> versions;
    for (const SnapshotRecord &record : snapshots)
        QVERIFY2(versions.insert(record.cluster.scope + record.object + record.resourceVersion).second, record.object.c_str()); // each once
    QVERIFY(versions.size() > 3);
    QVERIFY(!snapshots.back().cluster.incarnation.empty());
    const auto renewals = all.of<RenewRecord>();
    QVERIFY(!renewals.empty());
    for (const RenewRecord &record : renewals) {
        QVERIFY(record.count > 0 && record.mean <= record.longest);
        QCOMPARE(record.minute.time_since_epoch() % std::chrono::minutes(1), Duration(0));
    }
}

QTEST_GUILESS_MAIN(TestCollector)
#include "tst_collector.moc"
