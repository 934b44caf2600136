// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the program records: enough to show the same again, and nothing that is nobody's business.
#include "made_world.h"
#include "models/store/recording.h"
#include "models/store/recording_mask.h"
#include "models/store/recording_names.h"
#include "models/store/recording_writer.h"
#include "recorded.h"
#include "secret_texts.h"

#include <QtTest>

using namespace switchyard;
using namespace switchyard::test;

namespace {

Observation again(const Observation &o, RecordingOptions options = {})
{
    RecordingWriter writer(options);
    const auto read = decodeRecordingLine(writer.line(o), "other", "file", 1);
    return read ? *read : Observation{};
}

Observation observation(Resource resource, decltype(Observation::what) what)
{
    Observation o{"ctx", resource, "db", Boot(0s), day, std::move(what)};
    o.asked = Boot(-1s);
    return o;
}

// Everything that a store says at the end: whatever names there are left out.
std::string story(const std::vector<Observation> &observations)
{
    ClusterStore store;
    replay(store, observations, std::nullopt, {});
    std::string text;
    for (const Event &e : store.events())
        text += std::string(code(e.type)) + ' ' + formatUtc(e.wall) + '\n';
    std::multiset<std::string> clusters; // their order goes by their names
    for (const patroni::Cluster *cluster : store.clusters()) {
        std::string own;
        own += "cluster of " + std::to_string(cluster->members.size()) + ' ' + std::string(patroni::code(cluster->lock.state)) + '\n';
        for (const patroni::Transition &t : cluster->transitions)
            own += std::string(patroni::code(t.kind)) + ' ' + formatUtc(t.gainedAt.value_or(Instant{})) + '\n';
        for (const patroni::Member &m : cluster->members)
            own += std::string(m.record.state.value_or("?")) + ' ' + std::to_string(m.record.xlogLocation.value_or(0)) + '\n';
        clusters.insert(std::move(own));
    }
    for (const std::string &cluster : clusters)
        text += cluster;
    return text;
}

std::string rewritten(const std::vector<Observation> &observations, RecordingOptions options)
{
    RecordingWriter writer(options);
    std::string text;
    for (const Observation &o : observations)
        text += writer.line(o) + '\n';
    return text;
}

} // namespace

class RecordingWriterTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void objectsComeBackTheSame()
    {
        World w;
        w.pods[0].pod->podIp = "10.0.0.1";
        w.pods[0].pod->conditions = {{"Ready", "True", "x", day}};
        w.pods[0].pod->ready = true;
        w.pods[0].pod->containers = {{"postgres", 3, true, {}, "OOMKilled", 137, day},
                                     {"other", {}, false, "CrashLoopBackOff", {}, {}, {}}};
        w.pods[0].pod->restarts = 3;
        w.pods[0].pod->notRunning = "CrashLoopBackOff";
        w.pods[0].deletedAt = day;
        w.pods[0].owners = {{"StatefulSet", "acme", "u-9"}};
        w.leader.addresses = std::vector<EndpointAddress>{{"10.0.0.1", "acme-0"}, {"fd00::1", {}}};
        w.config.addresses = std::vector<EndpointAddress>{};
        for (const KubeObject &object : {w.leader, w.config, w.failover, w.pods[0], w.pods[1]}) {
            const Observation o = observation(object.resource, Changed{EventType::Added, object});
            const Observation back = again(o);
            QCOMPARE(back.context, o.context);
            QCOMPARE(back.ns, o.ns);
            QVERIFY(back.wall == o.wall && back.asked == o.asked);
            KubeObject expected = object;
            if (object.pod && expected.annotations.contains("status")) // the keys come in another order
                expected.annotations["status"] = std::get<Changed>(back.what).object.annotations.at("status");
            QVERIFY(std::get<Changed>(back.what).object.name == object.name);
            if (object.name == "acme-config")
                expected.annotations = std::get<Changed>(back.what).object.annotations;
            QVERIFY(std::get<Changed>(back.what).object == expected);
        }
    }

    // What elections are read from.
    void electionsComeBackTheSame()
    {
        const char *texts[] = {
            "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"planner\",\"namespace\":\"db\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":"
            "{\"holderIdentity\":\"p-1_x\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2031-02-01T06:00:00.123456Z\",\"renewTime\":"
            "\"2031-02-01T06:00:02.000001Z\",\"leaseTransitions\":0,\"strategy\":\"OldestEmulationVersion\",\"preferredHolder\":\"p-2_y\"}"
            "}",
            "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"planner\",\"namespace\":\"db\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":"
            "{\"holderIdentity\":\"\"}}",
            "{\"kind\":\"Lease\",\"metadata\":{\"name\":\"planner\",\"namespace\":\"db\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"spec\":"
            "{}}",
        };
        for (const char *text : texts) {
            const auto lease = decodeObject(Resource::Leases, text);
            QVERIFY(lease && lease->lease);
            const Observation back = again(observation(Resource::Leases, Changed{EventType::Modified, *lease}));
            LeaseFacts expected = *lease->lease;
            const LeaseFacts read = *std::get<Changed>(back.what).object.lease;
            expected.raw = read.raw; // the keys come in another order
            QVERIFY2(read == expected, text);
        }
        for (const char *status : {"True", "False"}) {
            const std::string text =
                "{\"kind\":\"Node\",\"metadata\":{\"name\":\"w-1\"},\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\""
                + std::string(status) + "\"}]}}";
            const auto node = decodeObject(Resource::Nodes, text);
            QVERIFY(node && node->nodeReady);
            QVERIFY(std::get<Changed>(again(observation(Resource::Nodes, Changed{EventType::Added, *node})).what).object == *node);
        }
    }

    // A holder's identity is made of its Pod's name, which has to stay so.
    void electionsUnderOtherNames()
    {
        KubeObject pod;
        pod.resource = Resource::Pods;
        pod.ns = "db";
        pod.name = "planner-7f9c-abcde";
        pod.pod.emplace();
        pod.pod->nodeName = "worker-1.corp";
        KubeObject lease;
        lease.resource = Resource::Leases;
        lease.ns = "db";
        lease.name = "planner";
        lease.lease.emplace();
        lease.lease->holder = pod.name + "_0c1d-secretary";
        lease.lease->preferredHolder = pod.name;
        KubeObject lock = lease;
        lock.resource = Resource::ConfigMaps;
        lock.lease.reset();
        lock.annotations["control-plane.alpha.kubernetes.io/leader"] = "{\"holderIdentity\":\"" + *lease.lease->holder + "\"}";
        lock.owners = {{"Pod", pod.name, "u-1"}};
        KubeObject said = lock;
        said.resource = Resource::Events;
        said.annotations.clear();
        said.owners.clear();
        said.event.emplace();
        said.event->reason = "LeaderElection";
        said.event->involvedKind = "Lease";
        said.event->involvedName = "planner";
        said.event->source = *lease.lease->holder;

        RecordingWriter writer({true});
        std::vector<Observation> read;
        std::string file;
        for (const KubeObject &object : {pod, lease, lock, said}) {
            const std::string line = writer.line(observation(object.resource, Changed{EventType::Added, object}));
            file += line;
            read.push_back(decodeRecordingLine(line, "x", "f", 1).value());
        }
        for (const char *name : {"planner", "secretary", "corp"})
            QVERIFY2(file.find(name) == std::string::npos, file.c_str());
        const auto object = [&](std::size_t i) { return std::get<Changed>(read[i].what).object; };
        const std::string other = object(0).name, identity = object(1).lease->holder.value();
        QVERIFY(identity.starts_with(other + '_'));
        QCOMPARE(object(1).lease->preferredHolder.value(), other);
        QCOMPARE(object(2).annotations.at("control-plane.alpha.kubernetes.io/leader"), "{\"holderIdentity\":\"" + identity + "\"}");
        QCOMPARE(object(2).owners.front().name, other);
        QCOMPARE(object(3).event->involvedName, object(1).name);
        QCOMPARE(object(3).event->source, identity);
    }

    void statesComeBackTheSame()
    {
        const Error refused{ErrorKind::Forbidden, "list",  "pods", "db", {}, "https://api.example:6443", {}, 403,
                            "Forbidden",          "words", {},     {}};
        const Observation lost = again(observation(Resource::Pods, Lost{refused}));
        const Error &error = std::get<Lost>(lost.what).error;
        QVERIFY(error.kind == ErrorKind::Forbidden && error.verb == "list" && error.httpStatus == 403 && error.ns == "db");
        QVERIFY(error.message.empty() && error.where.empty());
        QVERIFY(std::holds_alternative<Contact>(again(observation(Resource::Pods, Contact{})).what));
        QVERIFY(std::holds_alternative<Resumed>(again(observation(Resource::Pods, Resumed{})).what));
        QVERIFY(std::holds_alternative<Undecodable>(again(observation(Resource::Pods, Undecodable{refused})).what));
        QCOMPARE(std::get<Bookmarked>(again(observation(Resource::Pods, Bookmarked{"7"})).what).resourceVersion, std::string("7"));
        const auto there = std::get<Confirmed>(again(observation(Resource::Pods, Confirmed{"a", "8", "db"})).what);
        QVERIFY(there.name == "a" && there.resourceVersion == "8" && there.ns == "db");
        QVERIFY(!std::get<Confirmed>(again(observation(Resource::Pods, Confirmed{"a", {}, "db"})).what).resourceVersion);
        const auto failed = std::get<ProbeFailed>(again(observation(Resource::Pods, ProbeFailed{"a", refused, "db"})).what);
        QVERIFY(failed.error.kind == ErrorKind::Forbidden && failed.ns == "db");
        Observation list = observation(Resource::Pods, Listed{"9", {}, {"cluster-name", {"db/acme"}}, Duration(5s)});
        list.aside = true;
        list.selector = "cluster-name";
        const Observation back = again(list);
        QVERIFY(back.aside && back.selector == "cluster-name");
        const auto &read = std::get<Listed>(back.what);
        QVERIFY(read.resourceVersion == "9" && read.every == Duration(5s) && read.coverage == std::get<Listed>(list.what).coverage);
    }

    void aRecordingOfARecordingTellsTheSame_data()
    {
        QTest::addColumn<bool>("replaceNames");
        QTest::newRow("as it is") << false;
        QTest::newRow("with other names") << true;
    }
    void aRecordingOfARecordingTellsTheSame()
    {
        QFETCH(bool, replaceNames);
        const std::string text = readGzip(recordingPath("4.0.7-endpoints/switchover_now", "stream.ndjson.gz"));
        const auto first = decodeRecording(text, "ctx", "file");
        QVERIFY(first);
        const std::string copy = rewritten(*first, {replaceNames});
        const auto second = decodeRecording(copy, "ctx", "file");
        QVERIFY(second);
        QVERIFY(story(*first).size() > 200);
        QCOMPARE(QString::fromStdString(story(*second)), QString::fromStdString(story(*first)));
        QVERIFY(copy.find("managedFields") == std::string::npos);
    }

    // Planted in everything a cluster's objects may carry.
    void noSecretGetsOut_data()
    {
        QTest::addColumn<bool>("replaceNames");
        QTest::newRow("as it is") << false;
        QTest::newRow("with other names") << true;
    }
    void noSecretGetsOut()
    {
        QFETCH(bool, replaceNames);
        RecordingWriter writer({replaceNames});
        std::string file;
        for (const secrets::Line &planted : secrets::lines()) {
            const auto event = decodeWatchEvent(planted.resource, planted.text);
            QVERIFY2(event, planted.text.c_str());
            file += writer.line(observation(planted.resource, Changed{event->type, event->object})) + '\n';
            file += writer.line(observation(planted.resource, Listed{"1", {event->object}})) + '\n';
        }
        const Error error{ErrorKind::Server, "get", "pods",      "db",        "acme", "https://u:hunter-01@api",
                          "field",           500,   "hunter-02", "hunter-03", {},     {}};
        file += writer.line(observation(Resource::Pods, Lost{error})) + writer.line(observation(Resource::Pods, Undecodable{error}));
        QVERIFY(secrets::count() >= 30);
        for (int i = 1; i <= secrets::count(); ++i) {
            const std::string secret = secrets::secret(i);
            QVERIFY2(file.find(secret) == std::string::npos, qPrintable(QString::fromStdString(secret)));
        }
        if (replaceNames) {
            for (const char *name : {"acme", "10.9.0.1", "payroll"})
                QVERIFY2(file.find(name) == std::string::npos, (std::string(name) + " in " + file).c_str());
        }
        QVERIFY(file.find("loop_wait") != std::string::npos); // and yet it tells something
        QVERIFY(file.find("max_connections") != std::string::npos);
    }

    void masks_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("nothing") << QByteArray("host=h port=5432 user=u") << QByteArray("host=h port=5432 user=u");
        QTest::newRow("parameter") << QByteArray("host=h password=x port=1") << QByteArray("host=h password=*** port=1");
        QTest::newRow("blanks and quotes") << QByteArray("Password = 'a b''c\\'d' port=1") << QByteArray("Password = *** port=1");
        QTest::newRow("variable") << QByteArray("PGPASSWORD=x pg_dump") << QByteArray("PGPASSWORD=*** pg_dump");
        QTest::newRow("option") << QByteArray("tool --secret-key x y") << QByteArray("tool --secret-key *** y");
        QTest::newRow("header") << QByteArray("curl -H 'Authorization: Bearer x.y.z'") << QByteArray("curl -H 'Authorization: ***'");
        QTest::newRow("never ends") << QByteArray("password='x y") << QByteArray("password=***");
        QTest::newRow("at the end") << QByteArray("password=") << QByteArray("password=***");
        QTest::newRow("a word alone") << QByteArray("password_encryption") << QByteArray("password_encryption");
    }
    void masks()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const std::string masked = recording::maskSecrets(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(masked), expected);
    }

    void namesAreTheSameEverywhere()
    {
        recording::Names names(true);
        const std::string member = names.name("acme-0");
        QCOMPARE(names.name("acme-0"), member);
        QVERIFY(member.ends_with("-0") && member.find("acme") == std::string::npos);
        const std::string scope = names.name("acme");
        QCOMPARE(member, scope + "-0");
        QCOMPARE(names.name("acme-config"), scope + "-config");
        QCOMPARE(names.memberList("acme-0, acme-2"), scope + "-0, " + scope + "-2");
        QCOMPARE(names.slot("acme_0"), scope + "_0");
        QVERIFY(names.name("ledger") != scope);
        QCOMPARE(names.url("http://10.9.0.1:8008/patroni"), "http://" + names.address("10.9.0.1") + ":8008/patroni");
        QCOMPARE(names.url("postgres://acme-0.acme.db.svc:5432/postgres"), "postgres://" + member + ".example:5432/postgres");
        QCOMPARE(names.name("primary"), std::string("primary"));
        recording::Names same(false);
        QCOMPARE(same.name("acme-0") + same.address("10.9.0.1") + same.url("http://h/x"), std::string("acme-010.9.0.1http://h/x"));
    }

    void hostileTextsAreHidden()
    {
        World w;
        w.config.annotations["config"] = std::string(100'000, '[') + std::string(100'000, ']');
        w.config.annotations["history"] = "not JSON hunter";
        w.pods[0].annotations["status"] = "[1,";
        for (const KubeObject &object : {w.config, w.pods[0]}) {
            RecordingWriter writer;
            const std::string line = writer.line(observation(object.resource, Changed{EventType::Added, object}));
            QVERIFY(line.size() < 1500 && line.find("hunter") == std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(RecordingWriterTest)
#include "tst_recording_writer.moc"
