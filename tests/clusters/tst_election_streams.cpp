// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Where Leases are, and what becomes of everything else where they are not.
#include "app/clusters/election_streams.h"
#include "app/clusters/monitor.h"
#include "app/clusters/pod_event_streams.h"
#include "app/simulator/simulator.h"
#include "connected.h"
#include "tests/support/patience.h"

#include <QTemporaryFile>
#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

const QStringList leasesOnly{u"leases"_s};

kube::WatchTimes quick()
{
    kube::WatchTimes times;
    times.backoffMin = 10ms;
    times.backoffMax = 40ms;
    times.refusedMin = 20ms;
    times.refusedMax = 40ms;
    return times;
}

// ElectionStreams alone on a server.
struct Streams
{
    explicit Streams(const QStringList &namespaces = {u"db"_s})
        : client(api.server.config())
        , streams(&client, kube::Clock{[this] { return now; }}, quick())
    {
        streams.setNamespaces(namespaces);
        QObject::connect(&streams, &ElectionStreams::observed, &streams, [this](const Observation &o) { seen.push_back(o); });
    }
    std::vector<Error> losses(Resource resource = Resource::Leases) const
    {
        std::vector<Error> all;
        for (const Observation &o : seen) {
            if (const auto *lost = std::get_if<Lost>(&o.what); lost && o.resource == resource)
                all.push_back(lost->error);
        }
        return all;
    }
    int lists(Resource resource = Resource::Leases) const
    {
        return static_cast<int>(std::count_if(seen.begin(), seen.end(), [&](const Observation &o) {
            return o.resource == resource && std::holds_alternative<Listed>(o.what);
        }));
    }
    int asked(const QString &part) const
    {
        int n = 0;
        for (const Request &r : api.server.requests())
            n += r.path().contains(part) ? 1 : 0;
        return n;
    }
    void lease(const QString &name)
    {
        api.put({u"leases"_s, u"db"_s, name}, [](QJsonObject &o) {
            o.insert(u"spec"_s, QJsonObject{{u"holderIdentity"_s, u"a_1"_s}, {u"leaseDurationSeconds"_s, 15}});
        });
    }

    Now now{Boot(5h), *parseInstant("2031-02-01T06:00:00Z")};
    MadeApi api{FakeApiServer::Mode::Http};
    kube::Client client;
    std::vector<Observation> seen;
    ElectionStreams streams;
};

} // namespace

class TestElectionStreams : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void home_data()
    {
        QTest::addColumn<QStringList>("v1");
        QTest::addColumn<QStringList>("beta");
        QTest::addColumn<QString>("watched"); // empty: nowhere
        const QStringList none, candidates{u"leasecandidates"_s};
        QTest::newRow("v1") << leasesOnly << none << u"/apis/coordination.k8s.io/v1/namespaces/db/leases"_s;
        QTest::newRow("v1, and another kind under v1beta1")
            << leasesOnly << candidates << u"/apis/coordination.k8s.io/v1/namespaces/db/leases"_s;
        QTest::newRow("both") << leasesOnly << leasesOnly << u"/apis/coordination.k8s.io/v1/namespaces/db/leases"_s;
        QTest::newRow("v1beta1 alone") << none << leasesOnly << u"/apis/coordination.k8s.io/v1beta1/namespaces/db/leases"_s;
        QTest::newRow("v1 without them") << candidates << leasesOnly << u"/apis/coordination.k8s.io/v1beta1/namespaces/db/leases"_s;
        QTest::newRow("v1beta1 has only another kind") << none << candidates << QString();
        QTest::newRow("in neither") << candidates << candidates << QString();
    }

    void home()
    {
        QFETCH(QStringList, v1);
        QFETCH(QStringList, beta);
        QFETCH(QString, watched);
        Streams s;
        s.api.coordination.insert(u"v0"_s, {});
        if (!v1.isEmpty())
            s.api.coordination.insert(u"v1"_s, v1);
        if (!beta.isEmpty())
            s.api.coordination.insert(u"v1beta1"_s, beta);
        s.lease(u"one"_s);
        s.streams.start();
        if (watched.isEmpty()) {
            QTRY_COMPARE(s.losses().size(), std::size_t{1});
            QCOMPARE(s.losses().front().kind, ErrorKind::NotSupported);
            QCOMPARE(s.losses().front().message, std::string("this API server has no Leases"));
            QCOMPARE(s.seen.front().ns, std::string("db"));
            QCOMPARE(s.asked(u"/leases"_s), 0);
            return;
        }
        QTRY_COMPARE(s.api.openWatches(), QStringList{u"leases db"_s});
        QCOMPARE(s.lists(), 1);
        QVERIFY(s.losses().empty());
        for (const Request &r : s.api.server.requests())
            QVERIFY2(!r.path().contains(u"/leases"_s) || r.path() == watched, qPrintable(r.path()));
        QCOMPARE(s.asked(watched), 2);
    }

    void noLeasesIsToldOnce()
    {
        Streams s;
        s.api.coordination.insert(u"v1beta1"_s, {u"leasecandidates"_s});
        s.streams.start();
        QTRY_COMPARE(s.losses().size(), std::size_t{1});
        const int before = s.asked(u"v1beta1"_s);
        QTRY_VERIFY(s.asked(u"v1beta1"_s) > before + 1); // asked again by and by
        QCOMPARE(s.losses().size(), std::size_t{1});
        s.api.coordination = {{u"v1"_s, leasesOnly}}; // a newer server
        QTRY_COMPARE(s.lists(), 1);
    }

    void refusedOnce()
    {
        Streams s;
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        s.api.denials.append({.verb = u"list"_s, .resource = u"leases"_s});
        s.streams.start();
        QTRY_VERIFY(s.asked(u"/leases"_s) > 3);
        QCOMPARE(s.losses().size(), std::size_t{1});
        QCOMPARE(s.losses().front().kind, ErrorKind::Forbidden);
        s.api.denials.clear();
        QTRY_COMPARE(s.lists(), 1);
        s.api.denials.append({.verb = {}, .resource = u"leases"_s});
        s.streams.relist();
        QTRY_COMPARE(s.losses().size(), std::size_t{2}); // something else was heard in between
    }

    // Asking what there is may be refused, too: then a list tells.
    void discoveryRefused()
    {
        Streams s;
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        s.api.intercept = [](const ExchangePtr &x) {
            const bool asks = x->request().path().endsWith(u"/v1"_s);
            if (asks)
                x->answer(403, "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\"}");
            return asks;
        };
        s.streams.start();
        QTRY_COMPARE(s.lists(), 1);
        QCOMPARE(*s.streams.home(), LeaseHome::V1);
    }

    void serverComesLater()
    {
        Streams s;
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        bool down = true;
        s.api.intercept = [&](const ExchangePtr &x) {
            if (down)
                x->answer(500, "no");
            return down;
        };
        s.streams.start();
        QTRY_VERIFY(!s.losses().empty());
        QVERIFY(!s.streams.home());
        down = false;
        QTRY_COMPARE(s.lists(), 1);
    }

    // An upgrade of the server takes v1beta1 away.
    void movesToAnotherVersion()
    {
        Streams s;
        s.api.coordination.insert(u"v1beta1"_s, leasesOnly);
        s.streams.start();
        QTRY_COMPARE(s.api.openWatches().size(), 1);
        QVERIFY(s.streams.beta());
        s.api.coordination = {{u"v1"_s, leasesOnly}};
        s.api.cutWatches();
        QTRY_COMPARE(s.lists(), 2);
        QVERIFY(!s.streams.beta());
        QTRY_COMPARE(s.api.openWatches(), QStringList{u"leases db"_s});
    }

    void eachNamespace()
    {
        Streams s({u"db"_s, u"other"_s});
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        s.streams.start();
        QTRY_COMPARE(s.api.openWatches(), (QStringList{u"leases db"_s, u"leases other"_s}));
        QCOMPARE(s.asked(u"/v1"_s) - s.asked(u"/leases"_s), 1); // one question for all
        QVERIFY(s.streams.leases(u"db"_s) != s.streams.leases(u"other"_s));
        QVERIFY(!s.streams.leases(u"third"_s));
        s.streams.stop();
        QTRY_VERIFY(s.api.openWatches().isEmpty());
    }

    void nodesOnlyWhereWanted()
    {
        Streams s;
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        s.streams.start();
        QTRY_COMPARE(s.lists(), 1);
        QCOMPARE(s.asked(u"/nodes"_s), 0);
        s.streams.setNodesWanted(true);
        QTRY_COMPARE(s.lists(Resource::Nodes), 1);
        QTRY_COMPARE(s.api.openWatches(), (QStringList{u"leases db"_s, u"nodes"_s}));
        s.streams.setNodesWanted(false);
        QTRY_COMPARE(s.api.openWatches(), QStringList{u"leases db"_s});
    }

    // Nearly nobody may read Nodes: that is not tried again until somebody asks for it.
    void nodesRefused()
    {
        Streams s;
        s.api.coordination.insert(u"v1"_s, leasesOnly);
        s.api.denials.append({.verb = {}, .resource = u"nodes"_s});
        s.streams.start();
        s.streams.setNodesWanted(true);
        QTRY_VERIFY(s.losses(Resource::Nodes).size() == 1 && s.lists() == 1);
        s.streams.relist();
        QTRY_COMPARE(s.asked(u"/nodes"_s), 2);
        QCOMPARE(s.losses(Resource::Nodes).size(), std::size_t{1});
        QTRY_COMPARE(s.lists(), 2);
        QCOMPARE(s.asked(u"/nodes"_s), 2);
    }

    // Leases that cannot be read make no cluster stale.
    void clustersDoNotMind()
    {
        Connected c;
        c.options.elections = true;
        c.api.coordination.insert(u"v1"_s, leasesOnly);
        c.api.denials.append({.verb = {}, .resource = u"leases"_s});
        c.open();
        const auto told = [&] {
            return std::any_of(c.seen.begin(), c.seen.end(),
                               [](const Observation &o) { return o.resource == Resource::Leases && std::holds_alternative<Lost>(o.what); });
        };
        QTRY_VERIFY(told() && c.live());
        QCOMPARE(c.store.contexts().front().streams.size(), std::size_t{3});
        QVERIFY(!c.store.contexts().front().error);
    }

    // A GET that shows more than the watch told ends the watch.
    void probeOfALease()
    {
        Connected c;
        c.options.elections = true;
        c.api.coordination.insert(u"v1beta1"_s, leasesOnly);
        c.api.put({u"leases"_s, u"db"_s, u"one"_s}, [](QJsonObject &o) { o.insert(u"spec"_s, QJsonObject{}); });
        c.open();
        QTRY_COMPARE(c.requests(u"/leases"_s, true), 1);
        QTRY_VERIFY(c.live());
        const auto confirmed = [&] {
            return std::count_if(c.seen.begin(), c.seen.end(), [](const Observation &o) {
                const auto *get = std::get_if<Confirmed>(&o.what);
                return get && o.resource == Resource::Leases && get->name == "one" && get->ns == "db";
            });
        };
        c.connection->probe(Resource::Leases, u"db"_s, u"one"_s, std::to_string(c.api.version()));
        QTRY_COMPARE(confirmed(), 1);
        QCOMPARE(c.requests(u"/v1beta1/namespaces/db/leases/one"_s, false), 1);
        QCOMPARE(c.requests(u"/leases"_s, true), 1);
        c.connection->probe(Resource::Leases, u"db"_s, u"one"_s, "1");
        QTRY_COMPARE(confirmed(), 2);
        QTRY_COMPARE(c.requests(u"/leases"_s, true), 2); // resumed
    }

    // Events in which electors say who leads, one by one, whatever they are about; none of them makes a list.
    void eventsOfElectors()
    {
        simulator::Plan plan;
        plan.elections = {
            {.ns = "ops", .name = "planner", .candidates = {"planner-a", "planner-b"}, .takeoverEvery = std::chrono::seconds(10)}};
        plan.speed = 0;
        simulator::Simulator server(plan);
        QVERIFY(server.start(nullptr));
        server.step(15);
        QTemporaryFile file;
        QVERIFY(file.open());
        file.write(server.kubeconfig().toUtf8());
        file.flush();
        kube::Client client(kube::loadKubeconfig(file.fileName()).value().contexts.front());
        PodEventStreams events(&client, kube::systemClock(), quick());
        events.setElectors(true);
        std::vector<Observation> lists, changes;
        connect(&events, &PodEventStreams::observed, &events, [&](const Observation &o) {
            if (std::holds_alternative<Listed>(o.what))
                lists.push_back(o);
            else if (std::holds_alternative<Changed>(o.what))
                changes.push_back(o);
        });
        events.setPermitted(u"ops"_s, true);
        events.start();
        QTRY_COMPARE(changes.size(), std::size_t{1});
        const KubeObject object = std::get<Changed>(changes.front().what).object;
        QCOMPARE(object.event->reason, std::string("LeaderElection"));
        QCOMPARE(object.event->involvedKind, std::string("Lease"));
        QTRY_COMPARE(lists.size(), std::size_t{1}); // of Pods: there are none
        QVERIFY(std::get<Listed>(lists.front().what).items.empty());
        server.step(10);
        QTRY_COMPARE(changes.size(), std::size_t{2});
    }

    // In the running program: a lock that is silent for longer than its lease is asked for by name before it is said to have expired.
    void monitorAsksForSilentLocks()
    {
        Now now{Boot(5h), *parseInstant("2031-02-01T06:00:00Z")};
        MadeApi api(FakeApiServer::Mode::Http);
        api.coordination.insert(u"v1"_s, leasesOnly);
        const auto renew = [&](int transitions) {
            api.put({u"leases"_s, u"db"_s, u"one"_s}, [=](QJsonObject &o) {
                o.insert(
                    u"spec"_s,
                    QJsonObject{{u"holderIdentity"_s, u"a_1"_s}, {u"leaseDurationSeconds"_s, 15}, {u"leaseTransitions"_s, transitions}});
            });
        };
        renew(1);
        Monitor monitor(kube::Clock{[&] { return now; }});
        std::vector<Event> told;
        connect(&monitor, &Monitor::electionsChanged, this,
                [&](const election::Changes &changes) { told.insert(told.end(), changes.events.begin(), changes.events.end()); });
        monitor.open(api.server.config(), QStringList{u"db"_s});
        const election::Key key{api.server.config().name.toStdString(), "db", "one"};
        const auto state = [&] {
            const election::Election *e = monitor.elections().find(key);
            return e ? QString::fromUtf8(code(e->state).data()) : QString();
        };
        QTRY_VERIFY(api.openWatches().contains(u"leases db"_s));
        QTRY_COMPARE(state(), u"unverified"_s);
        now.boot += 2s;
        now.wall += 2s;
        renew(2);
        QTRY_COMPARE(state(), u"held"_s);
        now.boot += 18s;
        now.wall += 18s;
        monitor.advance();
        const auto asked = [&] {
            return std::any_of(api.server.requests().begin(), api.server.requests().end(),
                               [](const Request &r) { return r.path().endsWith(u"/leases/one"_s); });
        };
        QTRY_VERIFY(asked());
        QTRY_COMPARE(state(), u"expired"_s);
        QVERIFY(std::any_of(told.begin(), told.end(), [](const Event &e) { return e.type == EventCode::ElectionStopped; }));
        QVERIFY(monitor.events().size() >= told.size());
        QVERIFY(monitor.store().contexts().front().streams.size() == 3);
        monitor.close(api.server.config().name);
        QVERIFY(monitor.elections().elections().empty());
    }

    // A selector on the Pods of clusters leaves out that of an operator: it is read by name.
    void holderOutsideTheSelector()
    {
        Now now{Boot(5h), *parseInstant("2031-02-01T06:00:00Z")};
        MadeApi api(FakeApiServer::Mode::Http);
        api.coordination.insert(u"v1"_s, leasesOnly);
        MadeCluster acme(&api, &now, u"endpoints"_s, u"db"_s, u"acme"_s);
        acme.create();
        Monitor monitor(kube::Clock{[&] { return now; }});
        monitor.open(api.server.config(), QStringList{u"db"_s});
        const auto find = [&](const char *name) { return monitor.elections().find({api.server.config().name.toStdString(), "db", name}); };
        QTRY_VERIFY(api.openWatches().contains(u"pods db cluster-name"_s) && api.openWatches().contains(u"leases db"_s));
        api.bookmark(); // the watch has spoken, for those with the label
        api.put({u"pods"_s, u"db"_s, u"operator-1"_s}, [](QJsonObject &o) {
            o.insert(u"status"_s, QJsonObject{{u"phase"_s, u"Running"_s}});
        });
        for (const QString &name : {u"operator"_s, u"nobody"_s}) {
            api.put({u"leases"_s, u"db"_s, name}, [&](QJsonObject &o) {
                o.insert(u"spec"_s, QJsonObject{{u"holderIdentity"_s, QString(name + u"-1_x"_s)}, {u"leaseDurationSeconds"_s, 15}});
            });
        }
        QTRY_VERIFY(find("operator") && find("nobody"));
        monitor.advance();
        QTRY_VERIFY(find("operator")->pod);
        QCOMPARE(find("operator")->pod->phase, std::optional<std::string>("Running"));
        QTRY_VERIFY(find("nobody")->podsReadable); // there is none
        QVERIFY(!find("nobody")->pod);
        QVERIFY(api.openWatches().contains(u"pods db cluster-name"_s));
    }

    // Nodes are read for a lock for life, and for nothing else.
    void monitorReadsNodesForALockForLife()
    {
        using Type = simulator::ElectionPlan::Type;
        simulator::Plan plan;
        plan.speed = 0;
        plan.elections = {{.ns = "kube-node-lease", .name = "worker-1", .type = Type::Heartbeat, .candidates = {"worker-1"}},
                          {.ns = "ops", .name = "lifelong", .type = Type::ForLife, .candidates = {"lifelong-1"}, .pods = true}};
        for (const QString &ns : {u"kube-node-lease"_s, u"ops"_s}) {
            simulator::Simulator server(plan);
            QVERIFY(server.start(nullptr));
            QTemporaryFile file;
            QVERIFY(file.open());
            file.write(server.kubeconfig().toUtf8());
            file.flush();
            Monitor monitor(kube::systemClock());
            int nodes = 0, leases = 0;
            connect(&monitor, &Monitor::observed, this, [&](const Observation &o) {
                nodes += o.resource == Resource::Nodes && std::holds_alternative<Listed>(o.what) ? 1 : 0;
                leases += o.resource == Resource::Leases && std::holds_alternative<Listed>(o.what) ? 1 : 0;
            });
            monitor.open(kube::loadKubeconfig(file.fileName()).value().contexts.front(), QStringList{ns});
            QTRY_COMPARE(leases, 1);
            if (ns == u"ops"_s)
                QTRY_COMPARE(nodes, 1);
            else
                QCOMPARE(nodes, 0);
        }
    }

    // That a lock for life wanted Nodes was of the time before.
    void startingOverForgetsLocksForLife()
    {
        Now now{Boot(5h), *parseInstant("2031-02-01T06:00:00Z")};
        MadeApi api(FakeApiServer::Mode::Http);
        Monitor monitor(kube::Clock{[&] { return now; }});
        const Connection *connection = monitor.open(api.server.config(), QStringList{u"db"_s});
        const std::string context = connection->context().toStdString();
        const auto lock = [&](const char *name, EventType type, const char *version) {
            KubeObject map;
            map.resource = Resource::ConfigMaps;
            map.ns = "db";
            map.name = name;
            map.uid = name;
            map.resourceVersion = version;
            map.owners = {{"Pod", "op-0", "uid-0"}};
            monitor.feed({context, Resource::ConfigMaps, "db", now.boot, now.wall, Changed{type, map}});
        };
        lock("one-lock", EventType::Added, "100001");
        QVERIFY(connection->nodesWanted());
        monitor.startOver();
        QVERIFY(!connection->nodesWanted());
        lock("other-lock", EventType::Added, "100002");
        QVERIFY(connection->nodesWanted());
        lock("other-lock", EventType::Deleted, "100003"); // and it was the only one
        QVERIFY(!connection->nodesWanted());
    }

    // Its metadata tell nothing of data, only a GET of all of it does.
    void aConfigMapThatMayHaveDataIsReadWhole_data()
    {
        QTest::addColumn<bool>("hasData");
        QTest::newRow("it has") << true;
        QTest::newRow("it has none") << false;
    }
    void aConfigMapThatMayHaveDataIsReadWhole()
    {
        QFETCH(bool, hasData);
        Now now{Boot(5h), *parseInstant("2031-02-01T06:00:00Z")};
        MadeApi api(FakeApiServer::Mode::Http);
        api.put({u"configmaps"_s, u"db"_s, u"package-lock"_s}, [&](QJsonObject &o) {
            if (hasData)
                o.insert(u"data"_s, QJsonObject{{u"a"_s, u"b"_s}});
        });
        Monitor monitor(kube::Clock{[&] { return now; }});
        const election::Key key{api.server.config().name.toStdString(), "db", "package-lock", election::Family::LeaderForLife};
        const auto state = [&] {
            const election::Election *e = monitor.elections().find(key);
            return e ? QString::fromUtf8(code(e->state).data()) : u"none"_s;
        };
        bool unverified = false;
        connect(&monitor, &Monitor::electionsChanged, &monitor, [&] { unverified = unverified || state() == u"unverified"_s; });
        monitor.open(api.server.config(), QStringList{u"db"_s});
        QTRY_VERIFY(unverified); // it may be over by now: the monitor asks every second
        monitor.advance();
        QTRY_COMPARE(state(), hasData ? u"none"_s : u"invalid"_s);
        const auto &requests = api.server.requests();
        const auto whole = std::count_if(requests.begin(), requests.end(), [](const Request &r) {
            return r.path().endsWith(u"/configmaps/package-lock"_s) && !r.headers.value("accept").contains("PartialObjectMetadata");
        });
        QCOMPARE(whole, 1);
        QVERIFY(monitor.elections().events().empty());
    }
};

QTEST_GUILESS_MAIN(TestElectionStreams)
#include "tst_election_streams.moc"
