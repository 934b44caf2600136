// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The whole simulator from outside, as the program sees it.
#include "app/simulator/simulator.h"
#include "models/core/time.h"
#include "tests/support/patience.h"

#include <nlohmann/json.hpp>

#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QRegularExpression>
#include <QTest>

#include <set>

using namespace switchyard::simulator;
using namespace Qt::StringLiterals;
using Json = nlohmann::json;

namespace {

QString field(const QString &kubeconfig, const QString &name)
{
    return QRegularExpression(u"\\b%1: (\\S+)"_s.arg(name)).match(kubeconfig).captured(1);
}

struct Session
{
    explicit Session(Plan plan)
        : simulator(std::move(plan))
    {
        QString error;
        if (!simulator.start(&error))
            qFatal("%s", qPrintable(error));
    }
    std::unique_ptr<QNetworkReply> ask(const QString &path, const QByteArray &verb = "GET", const QByteArray &body = {})
    {
        QNetworkRequest request(QUrl(simulator.server() + path));
        request.setRawHeader("Authorization", "Bearer " + field(simulator.kubeconfig(), u"token"_s).toLatin1());
        request.setHeader(QNetworkRequest::ContentTypeHeader, u"application/merge-patch+json"_s);
        return std::unique_ptr<QNetworkReply>(manager.sendCustomRequest(request, verb, body));
    }
    Json get(const QString &path, const QByteArray &verb = "GET", const QByteArray &body = {})
    {
        const auto reply = ask(path, verb, body);
        if (!QTest::qWaitFor([&] { return reply->isFinished(); }, 30000))
            return {};
        return Json::parse(reply->readAll().toStdString(), nullptr, false);
    }
    std::string leader(const QString &path)
    {
        const Json object = get(path);
        return object["metadata"]["annotations"].value("leader", std::string());
    }
    Simulator simulator;
    QNetworkAccessManager manager;
};

Plan still(Plan plan)
{
    plan.speed = 0;
    return plan;
}

const auto acme = u"/api/v1/namespaces/payments/endpoints/acme"_s;

} // namespace

class TestSimulator : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void demoShowsEveryKindOfCluster()
    {
        const Plan plan = demoPlan();
        QVERIFY(plan.clusters.size() >= 4 && plan.clusters.size() <= 6);
        std::set<std::string> namespaces, versions;
        int configMaps = 0, paused = 0, synchronous = 0, otherLabels = 0, lagging = 0;
        for (const ClusterPlan &cluster : plan.clusters) {
            namespaces.insert(cluster.ns);
            versions.insert(cluster.version.substr(0, 2));
            configMaps += cluster.endpoints ? 0 : 1;
            paused += cluster.paused ? 1 : 0;
            synchronous += cluster.synchronous ? 1 : 0;
            otherLabels += cluster.scopeLabel != "cluster-name" ? 1 : 0;
            lagging += cluster.laggingMember >= 0 ? 1 : 0;
        }
        QVERIFY(namespaces.size() > 2 && versions.size() > 1);
        QVERIFY(configMaps > 0 && paused > 0 && synchronous > 0 && otherLabels > 0 && lagging > 0);
    }

    void kubeconfigNamesContextUserAndServer()
    {
        Session session(still(demoPlan()));
        const QString text = session.simulator.kubeconfig();
        QCOMPARE(field(text, u"current-context"_s), u"demo"_s);
        QCOMPARE(field(text, u"server"_s), session.simulator.server());
        QCOMPARE(field(text, u"namespace"_s), u"payments"_s);
        QVERIFY(!field(text, u"token"_s).isEmpty());
    }

    void objectsAreAsOnARealCluster()
    {
        Session session(still(demoPlan()));
        session.simulator.step(60);
        QVERIFY(!session.get(u"/api/v1/namespaces/kube-system"_s)["metadata"]["uid"].get<std::string>().empty());
        const Json leader = session.get(acme);
        const Json annotations = leader["metadata"]["annotations"];
        for (const char *key : {"leader", "ttl", "acquireTime", "renewTime", "transitions", "optime", "slots", "retain_slots"})
            QVERIFY2(annotations.contains(key), key);
        QCOMPARE(leader["subsets"][0]["addresses"][0]["targetRef"]["name"].get<std::string>(), annotations["leader"].get<std::string>());
        const Json pods = session.get(u"/api/v1/pods"_s)["items"];
        std::size_t members = 0;
        for (const Json &pod : pods) {
            if (pod["metadata"]["namespace"] == "operators")
                continue;
            ++members;
            QCOMPARE(pod["status"]["phase"].get<std::string>(), std::string("Running"));
            const Json status = Json::parse(pod["metadata"]["annotations"]["status"].get<std::string>());
            QVERIFY(status["xlog_location"].get<std::int64_t>() > 0);
        }
        QCOMPARE(members, std::size_t{18});
        const Json config = session.get(u"/api/v1/namespaces/orders/configmaps/orders-ha-config"_s)["metadata"];
        QCOMPARE(config["labels"]["postgres-operator.crunchydata.com/patroni"].get<std::string>(), std::string("orders-ha"));
        QCOMPARE(config["annotations"]["initialize"].get<std::string>().size(), std::size_t{19});
        const Json sync = session.get(u"/api/v1/namespaces/payments/endpoints/ledger-sync"_s)["metadata"]["annotations"];
        QVERIFY(!sync["sync_standby"].get<std::string>().empty());
        QCOMPARE(session.get(u"/api/v1/namespaces/platform/pods/identity-0"_s)["metadata"]["labels"].count("spilo-role"), std::size_t{1});
    }

    void leasesAreRenewed()
    {
        Session session(still(demoPlan()));
        const auto path = u"/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler"_s;
        const Json before = session.get(path)["spec"];
        session.simulator.step(3);
        const Json after = session.get(path)["spec"];
        QVERIFY(after["renewTime"].get<std::string>() > before["renewTime"].get<std::string>());
        QCOMPARE(after["acquireTime"].get<std::string>(), before["acquireTime"].get<std::string>());
    }

    void demoShowsEveryTypeOfElection()
    {
        std::set<ElectionPlan::Type> types;
        const Plan plan = demoPlan();
        for (const ElectionPlan &election : plan.elections)
            types.insert(election.type);
        QCOMPARE(types.size(), std::size_t{7});
        Session session(still(plan));
        session.simulator.step(30);
        const auto leader = "control-plane.alpha.kubernetes.io/leader";
        const Json lock = session.get(u"/api/v1/namespaces/operators/configmaps/backup-controller"_s);
        const Json record = Json::parse(lock["metadata"]["annotations"][leader].get<std::string>());
        QVERIFY(record["renewTime"].get<std::string>() > record["acquireTime"].get<std::string>());
        QCOMPARE(record["renewTime"].get<std::string>().size(), std::size_t{20});
        const Json lease = session.get(u"/apis/coordination.k8s.io/v1/namespaces/operators/leases/pooler-controller"_s)["spec"];
        const Json twin = session.get(u"/api/v1/namespaces/operators/endpoints/pooler-controller"_s)["metadata"]["annotations"];
        QVERIFY(Json::parse(twin[leader].get<std::string>())["holderIdentity"] == lease["holderIdentity"]);
        const Json released = session.get(u"/apis/coordination.k8s.io/v1/namespaces/operators/leases/vacuum-planner"_s)["spec"];
        QCOMPARE(released["holderIdentity"].get<std::string>(), std::string());
        const Json forLife = session.get(u"/api/v1/namespaces/operators/configmaps/schema-operator-lock"_s)["metadata"];
        const Json pod = session.get(u"/api/v1/namespaces/operators/pods/schema-operator-84d6f7b9c5-k8w2p"_s)["metadata"];
        QCOMPARE(forLife["ownerReferences"].size(), std::size_t{1});
        QVERIFY(forLife["ownerReferences"][0]["uid"] == pod["uid"]);
        const Json node = session.get(u"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/worker-1"_s)["spec"];
        QVERIFY(!node.contains("acquireTime") && !node.contains("leaseTransitions"));
        QCOMPARE(session.get(u"/api/v1/nodes"_s)["items"].size(), std::size_t{4});
    }

    // Taken over: one transition more, another holder, and an Event that says so.
    void electionsAreTakenOver()
    {
        Plan plan;
        plan.elections = {
            {.ns = "ops", .name = "planner", .candidates = {"a", "b"}, .transitions = 4, .takeoverEvery = std::chrono::seconds(10)}};
        Session session(still(plan));
        const auto path = u"/apis/coordination.k8s.io/v1/namespaces/ops/leases/planner"_s;
        QVERIFY(session.get(path)["spec"]["holderIdentity"].get<std::string>().starts_with("a_"));
        session.simulator.step(11);
        QVERIFY(session.get(path)["spec"]["holderIdentity"].get<std::string>().starts_with("b_"));
        QCOMPARE(session.get(path)["spec"]["leaseTransitions"].get<int>(), 5);
        const auto events = u"/api/v1/namespaces/ops/events?fieldSelector="_s;
        QCOMPARE(session.get(events + u"reason%3DLeaderElection"_s)["items"].size(), std::size_t{1});
        QCOMPARE(session.get(events + u"involvedObject.kind%3DPod"_s)["items"].size(), std::size_t{0});
    }

    void leasesAreWhereThePlanSays_data()
    {
        QTest::addColumn<int>("service");
        QTest::addColumn<QByteArray>("v1"); // the resource that is listed; empty: no such version
        QTest::addColumn<QByteArray>("beta");
        QTest::newRow("v1") << int(LeaseService::V1) << QByteArray("leases") << QByteArray("leasecandidates");
        QTest::newRow("v1beta1") << int(LeaseService::V1Beta1) << QByteArray() << QByteArray("leases");
        QTest::newRow("none") << int(LeaseService::None) << QByteArray() << QByteArray("leasecandidates");
    }

    void leasesAreWhereThePlanSays()
    {
        QFETCH(int, service);
        QFETCH(QByteArray, v1);
        QFETCH(QByteArray, beta);
        Plan plan;
        plan.leases = static_cast<LeaseService>(service);
        Session session(still(plan));
        for (const auto &[version, resource] : {std::pair(u"v1"_s, v1), std::pair(u"v1beta1"_s, beta)}) {
            const Json offered = session.get(u"/apis/coordination.k8s.io/"_s + version);
            QCOMPARE(offered["kind"].get<std::string>(), std::string(resource.isEmpty() ? "Status" : "APIResourceList"));
            if (!resource.isEmpty())
                QCOMPARE(offered["resources"][0]["name"].get<std::string>(), resource.toStdString());
            const Json list = session.get(u"/apis/coordination.k8s.io/"_s + version + u"/leases"_s);
            QCOMPARE(list["kind"].get<std::string>(), std::string(resource == "leases" ? "LeaseList" : "Status"));
        }
    }

    void switchoverOverHttp()
    {
        Session session(still(demoPlan()));
        session.simulator.step(15);
        const std::string before = session.leader(acme);
        const Json patch{{"metadata", {{"annotations", {{"leader", before}, {"member", nullptr}, {"scheduled_at", nullptr}}}}}};
        QCOMPARE(session.get(acme + u"-failover"_s, "PATCH", QByteArray::fromStdString(patch.dump()))["metadata"]["annotations"]["leader"]
                     .get<std::string>(),
                 before);
        session.simulator.step(40);
        const std::string after = session.leader(acme);
        QVERIFY(!after.empty() && after != before);
        QVERIFY(!session.get(acme + u"-failover"_s)["metadata"].contains("annotations"));
    }

    void pauseOverHttpWakesTheMembers()
    {
        Session session(still(demoPlan()));
        session.simulator.step(15);
        Json config = Json::parse(session.get(acme + u"-config"_s)["metadata"]["annotations"]["config"].get<std::string>());
        config["pause"] = true;
        const Json patch{{"metadata", {{"annotations", {{"config", config.dump()}}}}}};
        session.get(acme + u"-config"_s, "PATCH", QByteArray::fromStdString(patch.dump()));
        session.simulator.step(1);
        const Json pod = session.get(u"/api/v1/namespaces/payments/pods/acme-0"_s);
        QVERIFY(pod["metadata"]["annotations"]["status"].get<std::string>().find(R"("pause":true)") != std::string::npos);
    }

    void crashAndFreezeFromTheMenu()
    {
        Session session(still(demoPlan()));
        session.simulator.step(15);
        const std::string before = session.leader(acme);
        session.simulator.crashLeader("payments", "acme");
        session.simulator.crashLeader("payments", "ghost");
        session.simulator.step(60);
        const std::string second = session.leader(acme);
        QVERIFY(second != before);
        session.simulator.freezeMember("payments", "acme", second);
        session.simulator.step(60);
        QVERIFY(session.leader(acme) != second);
        session.simulator.thawAll();
        session.simulator.step(10);
        const Json pod = session.get(u"/api/v1/namespaces/payments/pods/"_s + QString::fromStdString(second));
        QCOMPARE(pod["metadata"]["labels"]["role"].get<std::string>(), std::string("replica"));
    }

    void stoppedApiRefusesAndTheClustersLiveOn()
    {
        Session session(still(demoPlan()));
        session.simulator.step(15);
        const QString server = session.simulator.server();
        const std::string renewed = session.get(acme)["metadata"]["annotations"]["renewTime"];
        const auto watch = session.ask(u"/api/v1/endpoints?watch=true"_s);
        QTRY_VERIFY(watch->bytesAvailable() > 0);
        session.simulator.stopApi();
        QTRY_VERIFY(watch->isFinished());
        QVERIFY(watch->error() != QNetworkReply::NoError);
        const auto refused = session.ask(u"/version"_s);
        QTRY_VERIFY(refused->isFinished());
        QCOMPARE(refused->error(), QNetworkReply::ConnectionRefusedError);
        session.simulator.step(30);
        session.simulator.startApi();
        QCOMPARE(session.simulator.server(), server);
        QVERIFY(session.get(acme)["metadata"]["annotations"]["renewTime"].get<std::string>() > renewed);
    }

    void frozenApiIsSilentUntilStarted()
    {
        Session session(still(demoPlan()));
        session.simulator.freezeApi();
        const auto reply = session.ask(u"/version"_s);
        QTest::qWait(50);
        QVERIFY(!reply->isFinished());
        session.simulator.startApi();
        QTRY_VERIFY(reply->isFinished());
        QCOMPARE(reply->error(), QNetworkReply::NoError);
    }

    void timeRunsAtTheGivenSpeed()
    {
        Plan plan = demoPlan();
        plan.speed = 20;
        Session session(plan);
        const auto renewed = [&session] {
            return *switchyard::parseInstant(session.get(acme)["metadata"]["annotations"]["renewTime"].get<std::string>());
        };
        const switchyard::Instant first = renewed();
        QTRY_VERIFY(renewed() - first >= std::chrono::seconds(100)); // five of ours; at speed 1 longer than is waited here
    }

    void tlsIsRefusedHonestly()
    {
        Plan plan = demoPlan();
        plan.tls = true;
        Simulator simulator(plan);
        QString error;
        QVERIFY(!simulator.start(&error));
        QVERIFY(!error.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSimulator)
#include "tst_simulator.moc"
