// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one record, one object, one Pod says: each row of the rules for client-go locks and leaders for life by its name.
#include "made_locks.h"
#include "models/election/holder_pods.h"
#include "models/election/lock_record.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::election;
using namespace switchyard::test;

namespace {

constexpr const char *key = "control-plane.alpha.kubernetes.io/leader";

KubeObject annotated(const std::string &text, Resource resource = Resource::Endpoints)
{
    Locks w;
    KubeObject o = w.object(resource, "op");
    o.annotations[key] = text;
    return o;
}

KubeObject leased(const std::string &spec)
{
    Locks w;
    KubeObject o = w.object(Resource::Leases, "op");
    Locks::setSpec(o, spec);
    return o;
}

std::string shown(const std::optional<std::string> &text)
{
    return text ? '"' + *text + '"' : "-";
}
std::string shown(const std::optional<std::int64_t> &number)
{
    return number ? std::to_string(*number) : "-";
}
std::string shown(const std::optional<Instant> &at)
{
    return at ? formatUtc(*at) : "-";
}

std::string shown(const Record &r)
{
    std::string text = shown(r.holder) + ' ' + shown(r.durationSeconds) + ' ' + shown(r.acquireTime) + ' ' + shown(r.renewTime) + ' '
        + shown(r.transitions) + ' ' + shown(r.strategy) + ' ' + shown(r.preferredHolder);
    for (const patroni::Defect &defect : r.defects)
        text += " !" + defect.field;
    return text;
}

// The state of a Lease or annotation as it is first seen, then confirmed for long.
State stateOfRecord(KubeObject o)
{
    Locks w;
    w.list(o.resource, {o});
    w.t += 10min;
    w.confirm(o);
    return w.state("op");
}

} // namespace

class TestElectionRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void recordsAreDecoded_data()
    {
        QTest::addColumn<bool>("lease");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>(
            "expected"); // holder duration acquired renewed transitions strategy preferred !defects; empty: no record
        const auto row = [](const char *name, bool lease, const char *text, const char *expected) {
            QTest::newRow(name) << lease << QByteArray(text) << QByteArray(expected);
        };
        row("12.1 annotation: whole seconds, leaderTransitions", false,
            "{\"holderIdentity\":\"h_1\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2031-02-01T06:00:00Z\",\"renewTime\":"
            "\"2031-02-01T06:00:02Z\",\"leaderTransitions\":3}",
            "\"h_1\" 15 2031-02-01T06:00:00.000000Z 2031-02-01T06:00:02.000000Z 3 - -");
        row("12.1 Lease: MicroTime, leaseTransitions", true,
            "{\"holderIdentity\":\"h_1\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2031-02-01T06:00:00.000001Z\",\"renewTime\":"
            "\"2031-02-01T06:00:02.123456Z\",\"leaseTransitions\":3}",
            "\"h_1\" 15 2031-02-01T06:00:00.000001Z 2031-02-01T06:00:02.123456Z 3 - -");
        row("12.1 the names of the transitions differ: annotation", false, "{\"holderIdentity\":\"h\",\"leaseTransitions\":3}",
            "\"h\" - - - - - -");
        row("12.1 the names of the transitions differ: Lease", true, "{\"holderIdentity\":\"h\",\"leaderTransitions\":3}",
            "\"h\" - - - - - -");
        row("12.1 strategy and preferredHolder of newer servers", true,
            "{\"holderIdentity\":\"h\",\"strategy\":\"OldestEmulationVersion\",\"preferredHolder\":\"p\"}",
            "\"h\" - - - - \"OldestEmulationVersion\" \"p\"");
        row("12.1 all Lease spec fields are nullable", true,
            "{\"holderIdentity\":null,\"leaseDurationSeconds\":null,\"acquireTime\":null,\"renewTime\":null,\"leaseTransitions\":null,"
            "\"strategy\":null,\"preferredHolder\":null}",
            "- - - - - - -");
        row("12.1 an empty Lease spec", true, "{}", "- - - - - - -");
        row("12.1 annotation times may be null", false,
            "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":0,\"acquireTime\":null,\"renewTime\":null}", "\"\" 0 - - - - -");
        row("14 {} on Patroni's own objects", false, "{}", "");
        row("14 a blank {}", false, " { } ", "");
        row("null", false, "null", "");
        row("14 negative numbers", false, "{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":-15,\"leaderTransitions\":-1}",
            "\"h\" -15 - - -1 - - !leaseDurationSeconds !leaderTransitions");
        row("14 negative numbers in a Lease", true, "{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":-15,\"leaseTransitions\":-1}",
            "\"h\" -15 - - -1 - - !leaseDurationSeconds !leaseTransitions");
        row("wrong types, annotation", false,
            "{\"holderIdentity\":7,\"leaseDurationSeconds\":\"15\",\"acquireTime\":1,\"renewTime\":\"soon\",\"leaderTransitions\":[]}",
            "- - - - - - - !holderIdentity !leaseDurationSeconds !acquireTime !renewTime !leaderTransitions");
        row("wrong types, Lease", true,
            "{\"holderIdentity\":7,\"leaseDurationSeconds\":\"15\",\"acquireTime\":1,\"renewTime\":\"soon\",\"leaseTransitions\":[]}",
            "- - - - - - - !holderIdentity !leaseDurationSeconds !acquireTime !renewTime !leaseTransitions");
        row("broken JSON", false, "{\"holderIdentity\":\"h\"", "- - - - - - - !leader");
        row("no object", false, "[1]", "- - - - - - - !leader");
        row("empty text", false, "", "- - - - - - - !leader");
        row("14 a Lease as leader for life: no duration, no renewTime", true,
            "{\"holderIdentity\":\"h\",\"acquireTime\":\"2031-02-01T06:00:00Z\"}", "\"h\" - 2031-02-01T06:00:00.000000Z - - - -");
    }
    void recordsAreDecoded()
    {
        QFETCH(bool, lease);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        if (lease) {
            QCOMPARE(QByteArray::fromStdString(shown(decodeLease(leased(text.toStdString())))), expected);
            return;
        }
        const auto record = decodeAnnotation(annotated(text.toStdString()));
        QCOMPARE(record ? QByteArray::fromStdString(shown(*record)) : QByteArray(), expected);
    }

    void statesOfRecords_data()
    {
        QTest::addColumn<bool>("lease");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, bool lease, const char *text, const char *expected) {
            QTest::newRow(name) << lease << QByteArray(text) << QByteArray(expected);
        };
        row("12.1 released, as now: duration 1, both times", true,
            "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1,\"acquireTime\":\"2031-02-01T06:00:00.000000Z\",\"renewTime\":\"2031-02-"
            "01T06:00:00.000000Z\",\"leaseTransitions\":3}",
            "released");
        row("12.1 released, older: the configured duration, null times", false,
            "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":15,\"acquireTime\":null,\"renewTime\":null,\"leaderTransitions\":3}",
            "released");
        row("12.1 released, older: duration 0, null times", false,
            "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":0,\"acquireTime\":null,\"renewTime\":null,\"leaderTransitions\":3}",
            "released");
        row("14 released by hand: empty holder, all else null", true,
            "{\"holderIdentity\":\"\",\"leaseDurationSeconds\":null,\"acquireTime\":null,\"renewTime\":null,\"leaseTransitions\":null}",
            "released");
        row("14 released by hand: empty holder, all else absent", true, "{\"holderIdentity\":\"\"}", "released");
        row("12.1 nobody ever had it", true, "{}", "released");
        row("12.1 beyond duration + tolerance: stuck", true, "{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":15}", "stuck");
        row("12.1 the record's own duration counts", true, "{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":585}", "expired");
        row("14 no duration: it cannot be judged", true, "{\"holderIdentity\":\"h\"}", "unverified");
        row("14 CloudNativePG's primary Lease", true,
            "{\"holderIdentity\":\"pg-1\",\"acquireTime\":\"2031-02-01T06:00:00.000000Z\",\"leaseTransitions\":0}", "unverified");
        row("14 a negative duration is none", false, "{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":-1}", "unverified");
        row("broken JSON", false, "{\"holderIdentity\"", "invalid");
        row("a holder of a wrong type is not a free lock", false, "{\"holderIdentity\":5,\"leaseDurationSeconds\":15}", "stuck");
    }
    void statesOfRecords()
    {
        QFETCH(bool, lease);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        const State state = stateOfRecord(lease ? leased(text.toStdString()) : annotated(text.toStdString()));
        QCOMPARE(QByteArray::fromStdString(std::string(code(state))), expected);
    }

    void objectsThatAreLocks_data()
    {
        QTest::addColumn<QByteArray>("resource");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("annotation"); // KEY=VALUE
        QTest::addColumn<int>("podOwners");
        QTest::addColumn<int>("otherOwners");
        QTest::addColumn<bool>("hasData");
        QTest::addColumn<QByteArray>("state"); // empty: no row
        const std::string record = std::string(key) + "={\"holderIdentity\":\"h\",\"leaseDurationSeconds\":15}";
        const auto row = [](const char *name, const char *resource, const char *object, const std::string &annotation, int pods, int others,
                            bool data, const char *state) {
            QTest::newRow(name) << QByteArray(resource) << QByteArray(object) << QByteArray::fromStdString(annotation) << pods << others
                                << data << QByteArray(state);
        };
        row("12.1 annotation on Endpoints", "endpoints", "op", record, 0, 0, false, "unverified");
        row("12.1 annotation on a ConfigMap", "configmaps", "op", record, 0, 0, false, "unverified");
        row("12.1 annotation on a ConfigMap with data", "configmaps", "op", record, 0, 0, true, "unverified");
        row("14 leader-for-life-like name on a client-go ConfigMap", "configmaps", "op-lock", record, 0, 0, false, "unverified");
        row("14 {} on Patroni's own objects", "endpoints", "acme", std::string(key) + "={}", 0, 0, false, "");
        row("14 {} on a ConfigMap called -lock", "configmaps", "op-lock", std::string(key) + "={}", 0, 0, true, "");
        row("14 resembles Patroni's lock", "configmaps", "x-haconfig", "leader=x-0", 0, 0, false, "");
        row("an ordinary ConfigMap", "configmaps", "settings", "", 0, 0, true, "");
        row("an ordinary ConfigMap without data", "configmaps", "settings", "", 0, 0, false, "");
        row("an ordinary ConfigMap of a controller", "configmaps", "settings", "", 0, 1, false, "");
        row("a ConfigMap with data of a Pod", "configmaps", "driver-conf", "", 1, 0, true, "");
        row("a ConfigMap with data called -lock", "configmaps", "package-lock", "", 0, 0, true, "");
        row("ordinary Endpoints", "endpoints", "op-lock", "", 0, 0, false, "");
        row("12.2 one owner, a Pod", "configmaps", "op", "", 1, 0, false, "orphaned");
        row("12.2 no owner", "configmaps", "op-lock", "", 0, 0, false, "invalid");
        row("12.2 two owners", "configmaps", "op", "", 2, 0, false, "invalid");
        row("12.2 a Pod and another", "configmaps", "op", "", 1, 1, false, "invalid");
        row("12.2 an owner that is no Pod", "configmaps", "op-lock", "", 0, 1, false, "invalid");
    }
    void objectsThatAreLocks()
    {
        QFETCH(QByteArray, resource);
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, annotation);
        QFETCH(int, podOwners);
        QFETCH(int, otherOwners);
        QFETCH(bool, hasData);
        QFETCH(QByteArray, state);
        Locks w;
        KubeObject o = w.object(*resourceFromCode(resource.toStdString()), name.toStdString());
        o.hasData = hasData;
        const std::string text = annotation.toStdString();
        if (!text.empty())
            o.annotations[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
        for (int i = 0; i < podOwners; ++i)
            o.owners.push_back({"Pod", "op-" + std::to_string(i), "uid-" + std::to_string(i)});
        for (int i = 0; i < otherOwners; ++i)
            o.owners.push_back({"StatefulSet", "op", "uid-s"});
        QCOMPARE(isOfInterest(o), !state.isEmpty());
        w.list(Resource::Pods, {});
        w.list(o.resource, {o});
        QCOMPARE(w.store.elections().size(), std::size_t(state.isEmpty() ? 0 : 1));
        if (!state.isEmpty())
            QCOMPARE(QByteArray::fromStdString(std::string(code(w.store.elections().front()->state))), state);
        QVERIFY(w.store.events().empty()); // first sight is a state, not news
    }

    void holderPods_data()
    {
        QTest::addColumn<QByteArray>("phase");
        QTest::addColumn<QByteArray>("reason");
        QTest::addColumn<bool>("deleting");
        QTest::addColumn<bool>("sameUid");
        QTest::addColumn<bool>("nodeReady");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *phase, const char *reason, bool deleting, bool sameUid, bool nodeReady,
                            const char *expected) {
            QTest::newRow(name) << QByteArray(phase) << QByteArray(reason) << deleting << sameUid << nodeReady << QByteArray(expected);
        };
        row("12.2 exists, same uid, Running", "Running", "", false, true, true, "held");
        row("12.2 not found", "", "", false, true, true, "orphaned");
        row("12.2 other uid", "Running", "", false, false, true, "recreated");
        row("12.2 Failed, Evicted, no deletionTimestamp", "Failed", "Evicted", false, true, true, "evicted");
        row("12.2 Failed, Preempting", "Failed", "Preempting", false, true, true, "preempted");
        row("12.2 deletionTimestamp set", "Running", "", true, true, true, "terminating");
        row("12.2 evicted and being deleted", "Failed", "Evicted", true, true, true, "terminating");
        row("12.2 node not Ready", "Running", "", false, true, false, "node-not-ready");
        row("12.2 node lost, as older servers say it", "Running", "NodeLost", false, true, true, "node-not-ready");
        row("its Pod has ended", "Failed", "OOMKilled", false, true, true, "stuck");
        row("its Pod is not told of", "Unknown", "", false, true, true, "unverified");
    }
    void holderPods()
    {
        QFETCH(QByteArray, phase);
        QFETCH(QByteArray, reason);
        QFETCH(bool, deleting);
        QFETCH(bool, sameUid);
        QFETCH(bool, nodeReady);
        QFETCH(QByteArray, expected);
        Locks w;
        KubeObject pod = w.pod("op-0", phase.toStdString());
        const KubeObject lock = w.lifeLock("op", pod);
        if (!reason.isEmpty())
            pod.pod->reason = reason.toStdString();
        if (deleting)
            pod.deletedAt = day;
        if (!sameUid)
            pod.uid = "another";
        KubeObject node = w.object(Resource::Nodes, "node-1", "");
        node.nodeReady = nodeReady;
        w.list(Resource::Nodes, {node}, "");
        w.list(Resource::ConfigMaps, {lock});
        QCOMPARE(w.state("op", Family::LeaderForLife), State::Unverified); // Pods are not read yet
        w.list(Resource::Pods, phase.isEmpty() ? std::vector<KubeObject>{} : std::vector<KubeObject>{pod});
        QCOMPARE(QByteArray::fromStdString(std::string(code(w.state("op", Family::LeaderForLife)))), expected);
        QCOMPARE(w.life("op")->acquiredAt, std::optional(day - 24h)); // 12.2 age of the object = time held
        QVERIFY(w.store.events().empty());
    }

    void lockTypes_data()
    {
        QTest::addColumn<bool>("endpoints");
        QTest::addColumn<bool>("configMap");
        QTest::addColumn<bool>("lease");
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("12.1 endpoints") << true << false << false << QByteArray("endpoints");
        QTest::newRow("12.1 configmaps") << false << true << false << QByteArray("configmaps");
        QTest::newRow("12.1 leases") << false << false << true << QByteArray("leases");
        QTest::newRow("12.1 endpointsleases") << true << false << true << QByteArray("endpointsleases");
        QTest::newRow("12.1 configmapsleases") << false << true << true << QByteArray("configmapsleases");
    }
    void lockTypes()
    {
        QFETCH(bool, endpoints);
        QFETCH(bool, configMap);
        QFETCH(bool, lease);
        QFETCH(QByteArray, kind);
        Locks w;
        std::vector<KubeObject> all;
        for (const auto &[is, resource] :
             {std::pair(endpoints, Resource::Endpoints), std::pair(configMap, Resource::ConfigMaps), std::pair(lease, Resource::Leases)}) {
            if (!is)
                continue;
            KubeObject o = w.object(resource, "op");
            w.hold(o, "pod-a_1");
            all.push_back(o);
            w.list(resource, {o});
        }
        QCOMPARE(w.store.elections().size(), std::size_t(1)); // a pair of same-named objects is one election
        QCOMPARE(QByteArray::fromStdString(std::string(code(w.find("op")->kind))), kind);
        QCOMPARE(w.find("op")->records.size(), all.size());
        QCOMPARE(w.find("op")->records.front().resource, all.back().resource); // the Lease is authoritative
        QVERIFY(!w.find("op")->raw.empty());
    }

    void noise_data()
    {
        QTest::addColumn<QByteArray>("ns");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("label");
        QTest::addColumn<bool>("expected");
        QTest::newRow("12.1 node heartbeat") << QByteArray("kube-node-lease") << QByteArray("node-1") << false << true;
        QTest::newRow("12.1 API-server identity by label") << QByteArray("kube-system") << QByteArray("x") << true << true;
        QTest::newRow("12.1 API-server identity by name") << QByteArray("kube-system") << QByteArray("apiserver-eqt") << false << true;
        QTest::newRow("12.1 API-server identity by its older name")
            << QByteArray("kube-system") << QByteArray("kube-apiserver-c4") << false << true;
        QTest::newRow("an election of kube-system") << QByteArray("kube-system") << QByteArray("kube-scheduler") << false << false;
        QTest::newRow("that name elsewhere") << QByteArray("db") << QByteArray("apiserver-eqt") << false << false;
    }
    void noise()
    {
        QFETCH(QByteArray, ns);
        QFETCH(QByteArray, name);
        QFETCH(bool, label);
        QFETCH(bool, expected);
        Locks w;
        KubeObject o = w.lease(name.toStdString(), "h", ns.toStdString());
        if (label)
            o.labels["apiserver.kubernetes.io/identity"] = "kube-apiserver";
        w.list(Resource::Leases, {o}, ns.toStdString());
        QCOMPARE(w.find(name.toStdString(), Family::ClientGo, ns.toStdString())->noise, expected);
        w.renew(o, "another"); // no news of noise
        QCOMPARE(w.count(EventCode::ElectionLeader), expected ? 0 : 1);
    }

    void patronisOwnObjectsAreNoElections()
    {
        Locks w;
        KubeObject leader = annotated("{\"holderIdentity\":\"h\",\"leaseDurationSeconds\":15}");
        for (const char *name : {"leader", "ttl", "renewTime", "acquireTime", "transitions"})
            leader.annotations[name] = "1";
        KubeObject config = w.object(Resource::ConfigMaps, "acme-config");
        config.annotations["initialize"] = "1";
        config.owners = {{"Pod", "acme-0", "u"}};
        KubeObject failover = w.object(Resource::ConfigMaps, "acme-failover");
        failover.labels["cluster-name"] = "acme";
        failover.owners = {{"Pod", "acme-0", "u"}};
        for (const KubeObject &o : {leader, config, failover})
            QVERIFY2(!isOfInterest(o), o.name.c_str());
        failover.labels.clear();
        QVERIFY(isOfInterest(failover)); // nothing says that it is one of Patroni's
    }

    void brokenTextsAreNeverMoreThanDefects()
    {
        const std::string good = "{\"holderIdentity\":\"h\\u00e9_1\",\"leaseDurationSeconds\":15,\"acquireTime\":\"2031-02-01T06:00:00Z\","
                                 "\"renewTime\":null,\"leaderTransitions\":3}";
        std::uint32_t random = 1;
        for (int i = 0; i < 1000; ++i) {
            std::string text = good;
            for (int n = 0; n < 1 + i % 3; ++n) {
                random = random * 1664525U + 1013904223U;
                const std::size_t at = (random >> 8U) % text.size();
                const char byte = static_cast<char>(random >> 24U);
                i % 2 == 0 ? void(text[at] = byte) : void(text.erase(at, 1));
            }
            const KubeObject o = annotated(text);
            const auto record = decodeAnnotation(o);
            QVERIFY(!record || record->raw == text);
            const auto lease = decodeObject(Resource::Leases, "{\"metadata\":{\"name\":\"x\"},\"spec\":" + text + "}");
            if (lease) {
                const Record own = decodeLease(*lease);
                QVERIFY(own.holder || own.defects.size() < 9);
                const auto slow = decodeObject(Resource::Leases, "{\"odd\":1e0,\"metadata\":{\"name\":\"x\"},\"spec\":" + text + "}");
                QVERIFY2(slow && *slow == *lease, text.c_str());
            }
            Locks w;
            w.list(Resource::Endpoints, {o});
            w.advance(60s);
            for (const Election *e : w.store.elections())
                QVERIFY(!e->raw.empty() || text.find_first_not_of(" \t\r\n") == std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestElectionRows)
#include "tst_election_rows.moc"
