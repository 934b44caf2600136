// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of a real cluster, as it goes into the archive.
#include "app/archive/collector.h"
#include "app/archive/database.h"
#include "app/archive/row_writer.h"
#include "app/clusters/recording_file.h"
#include "models/store/recording.h"
#include "tests/election/made_locks.h"
#include "tests/store/secret_texts.h"

#include <QDir>
#include <QTemporaryDir>
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

// Objects full of secrets, as a watch brings them: seen, changed, and with another leader and a request in the end.
Records collectSecrets()
{
    const Instant start = *parseInstant("2031-02-01T06:00:00Z");
    ClusterStore store;
    Collector collector([](const std::string &context) { return ServerId{"", "alias of " + context}; });
    Records all;
    Duration t{};
    const auto apply = [&](Resource resource, decltype(Observation::what) what) {
        t += std::chrono::seconds(1);
        const StoreChanges changes = store.apply({"ctx", resource, "db", Boot(t), start + t, std::move(what)});
        for (Record &record : collector.collect(store, changes, store.now()))
            all.push_back(std::move(record));
    };
    for (const Resource resource : {Resource::Endpoints, Resource::ConfigMaps, Resource::Pods, Resource::Events})
        apply(resource, Listed{"1", {}});
    int version = 1;
    for (int round = 0; round < 3; ++round) {
        for (const test::secrets::Line &line : test::secrets::lines()) {
            KubeObject object = decodeWatchEvent(line.resource, line.text)->object;
            object.ns = "db";
            object.uid = "uid-" + object.name;
            object.resourceVersion = std::to_string(++version);
            object.labels["application"] = "patroni";
            if (object.name == "acme")
                object.annotations["leader"] = round < 2 ? "acme-0" : "acme-1";
            if (object.name == "acme-config" && round > 0)
                object.annotations["config"].insert(1, "\"pause\":true,");
            if (object.event)
                object.event->lastAt = start + t + std::chrono::hours(round);
            apply(line.resource, Changed{round == 0 ? EventType::Added : EventType::Modified, object});
        }
    }
    return all;
}

QByteArray bytesOf(const QString &folder)
{
    QByteArray all; // with what SQLite keeps beside it
    for (const QFileInfo &entry : QDir(folder).entryInfoList(QDir::Files)) {
        QFile file(entry.filePath());
        if (file.open(QIODevice::ReadOnly))
            all += file.readAll();
    }
    return all;
}

} // namespace

class TestCollector : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void aSwitchover();
    void noSecretOfAnObjectIsKept();
    void electionsAreCountedByTheMinute();
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

void TestCollector::noSecretOfAnObjectIsKept()
{
    const Records records = collectSecrets();
    QTemporaryDir folder;
    const auto database = Database::open(*parseLocation(folder.filePath(QStringLiteral("a.sqlite"))), Database::Access::Write,
                                         std::chrono::seconds(3));
    QVERIFY(database);
    const auto written = (*database)->transaction([&]() -> Result<void> {
        RowWriter writer(**database);
        for (const Record &record : records) {
            if (auto done = writer.write(record); !done)
                return done;
        }
        return {};
    });
    QVERIFY(written);
    const QByteArray all = bytesOf(folder.path());
    for (const char *there : {"acme-config", "max_connections", "pod-evidence", "config-changed", "Unhealthy", "acme-1"})
        QVERIFY2(all.contains(there), there);
    const std::set<int> unmarked{6, 17, 18, 20}; // values that nothing around them tells to be secrets
    QStringList found;
    for (int i = 1; i <= test::secrets::count(); ++i) {
        const QByteArray secret = QByteArray::fromStdString(test::secrets::secret(i));
        if (const auto at = all.indexOf(secret); at >= 0 && !unmarked.contains(i))
            found << QString::fromLatin1(all.mid(at - 60, 80));
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

// A client-go lock that changes hands, a heartbeat beside it, and a leader for life: only the first has minutes.
void TestCollector::electionsAreCountedByTheMinute()
{
    using namespace std::chrono_literals;
    test::Locks w;
    Collector collector([](const std::string &context) { return ServerId{"", "alias of " + context}; });
    Collected all;
    const auto keep = [&](const election::Changes &changes) {
        Records records = collector.collect(w.store, changes, w.now());
        all.records.insert(all.records.end(), records.begin(), records.end());
    };
    KubeObject lease = w.lease("planner"), beat = w.lease("node-1", "node-1", "kube-node-lease"), owner = w.pod("owner");
    KubeObject life = w.lifeLock("queue", owner);
    keep(w.list(Resource::Pods, {owner}));
    keep(w.list(Resource::ConfigMaps, {life}));
    keep(w.list(Resource::Leases, {beat}, "kube-node-lease"));
    keep(w.list(Resource::Leases, {lease})); // 06:00:00
    for (int i = 0; i < 5; ++i) {
        keep(w.renew(lease)); // 06:00:02, after an unknown time, to 06:00:10
        keep(w.renew(beat, "node-1", 0s));
    }
    QVERIFY(w.store.find({"ctx", "kube-node-lease", "node-1"})->noise);
    w.flow(4s);
    keep(w.renew(lease, "pod-a_1", 1s)); // 06:00:15
    w.flow(18s);
    keep(w.renew(lease, "pod-b_2", 2s, 60, 4)); // 06:00:35, taken over: no renewal
    w.flow(38s);
    keep(w.renew(lease, "pod-b_2", 2s, 60, 4)); // 06:01:15
    std::map<Instant, RenewRecord> minutes;     // the last word on each
    for (const RenewRecord &record : all.of<RenewRecord>()) {
        QCOMPARE(record.cluster.base, std::string("planner"));
        QVERIFY(record.cluster.scope.empty() && record.cluster.ns == "db" && record.cluster.server.alias == "alias of ctx");
        minutes[record.minute] = record;
    }
    QCOMPARE(minutes.size(), std::size_t(2));
    const RenewRecord &first = minutes.begin()->second, &second = minutes.rbegin()->second;
    QVERIFY(first.minute == test::day && second.minute == test::day + 1min);
    QCOMPARE(first.count, std::int64_t(5)); // what the first came after is not known
    QVERIFY(first.longest == Duration(5s) && first.mean == Duration(13s) / 5);
    QCOMPARE(second.count, std::int64_t(1));
    QVERIFY(second.longest == Duration(40s));
    const auto events = all.of<EventRecord>();
    QVERIFY(std::any_of(events.begin(), events.end(), [](const EventRecord &r) { return r.event.type == EventCode::ElectionLeader; }));
    // The same once more is no news; one that is made anew begins anew
    election::Changes again;
    again.elections.insert(election::Key{"ctx", "db", "planner"});
    QVERIFY(collector.collect(w.store, again, w.now()).empty());
}

QTEST_GUILESS_MAIN(TestCollector)
#include "tst_collector.moc"
