// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Selectors after discovery: what they save, and that they hide nothing that matters.
#include "app/clusters/monitor.h"
#include "connected.h"
#include "tests/support/patience.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

namespace {

void label(QJsonObject &object, const QJsonObject &labels, const QJsonObject &annotations = {})
{
    QJsonObject meta = object.value("metadata"_L1).toObject();
    meta.insert(u"labels"_s, labels);
    if (!annotations.isEmpty())
        meta.insert(u"annotations"_s, annotations);
    object.insert(u"metadata"_s, meta);
}

const QJsonObject configAnnotations{{u"initialize"_s, u"7"_s}, {u"config"_s, u"{}"_s}};

const MadeApi::Id planner{u"configmaps"_s, u"db"_s, u"planner"_s}; // with a client-go lock
const QJsonObject lockAnnotations{
    {u"control-plane.alpha.kubernetes.io/leader"_s, u"{\"holderIdentity\":\"a_1\",\"leaseDurationSeconds\":15}"_s}};

void unrelated(MadeApi &api, int i)
{
    api.put({u"configmaps"_s, u"db"_s, u"other-%1"_s.arg(i)}, [](QJsonObject &object) { label(object, {{u"app"_s, u"web"_s}}); });
}

const QStringList all{u"configmaps db"_s, u"endpoints db"_s, u"pods db"_s};
const QStringList selected{u"configmaps db cluster-name"_s, u"endpoints db cluster-name"_s, u"pods db cluster-name"_s};

} // namespace

class TestSelectors : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void chosen_data();
    void chosen();
    void unrelatedObjectsCostNothing();
    void firstCluster_data();
    void firstCluster();
    void newElection();
    void newClusterWithTheKey();
    void newClusterWithAnotherKey();
    void requestWithoutLabel();
    void backToTheSelector();
    void labelLost();
    void deleted();
    void scanRefused();
    void relistKeepsTheSelector();
    void follows();
    void followSeesPastABlindWatch();
    void serverWithoutPods();
    void scannedAgainSoon();
    void followsARestoredServer();
    void mayNotGet();
};

void TestSelectors::chosen_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("selector");
    QTest::newRow("one key") << 0 << true;
    QTest::newRow("no cluster") << 1 << false;
    QTest::newRow("two keys") << 2 << false;
    QTest::newRow("a request object without label") << 3 << false;
    QTest::newRow("another's object of that name, of the other kind") << 4 << true;
    QTest::newRow("a config object that is nobody's") << 5 << true;
    QTest::newRow("another election's lock") << 6 << false;
    QTest::newRow("another election's lock that carries the label") << 7 << true;
}

void TestSelectors::chosen()
{
    QFETCH(int, kind);
    QFETCH(bool, selector);
    Connected c;
    switch (kind) {
    case 1: c.api.eraseNamespace(u"db"_s); break;
    case 2:
        c.api.put({u"configmaps"_s, u"db"_s, u"other-config"_s}, [](QJsonObject &o) {
            label(o, {{u"scope"_s, u"other"_s}}, configAnnotations);
        });
        break;
    case 3: c.api.put(c.acme.failoverId(), [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}); }); break;
    case 4: c.api.put({u"configmaps"_s, u"db"_s, u"acme-failover"_s}, [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}); }); break;
    case 5:
        c.api.put({u"configmaps"_s, u"db"_s, u"loose-config"_s}, [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}, configAnnotations); });
        break;
    case 6: c.api.put(planner, [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}, lockAnnotations); }); break;
    case 7: c.api.put(planner, [](QJsonObject &o) { label(o, {{u"cluster-name"_s, u"b"_s}}, lockAnnotations); }); break;
    default: break;
    }
    c.open();
    QTRY_VERIFY(c.live());
    QTRY_COMPARE(c.api.openWatches(), selector ? selected : all);
    QCOMPARE(c.requests(u"/endpoints"_s, false), 1); // the watch went on from the list
    QTRY_COMPARE(c.api.openWatches(), selector ? selected : all);
}

// After discovery ten thousand ConfigMaps may come and go without a byte to us.
void TestSelectors::unrelatedObjectsCostNothing()
{
    Connected c;
    for (int i = 0; i < 20; ++i)
        unrelated(c.api, i);
    c.open();
    QTRY_VERIFY(c.live());
    QTRY_COMPARE(c.api.openWatches(), selected);
    qsizetype bytes = 0;
    c.api.transmit = [&](const ExchangePtr &x, const QByteArray &line) {
        bytes += x->open() ? line.size() : 0;
        x->send(line);
    };
    const auto requests = c.api.server.requests().size();
    const auto before = c.seen.size();
    for (int i = 0; i < 10000; ++i)
        unrelated(c.api, i);
    QCOMPARE(bytes, qsizetype(0));
    c.acme.renew();
    QTRY_VERIFY(c.seen.size() > before);
    QVERIFY(std::holds_alternative<Changed>(c.seen.back().what));
    QCOMPARE(c.seen.size(), before + 1);
    QVERIFY(bytes > 0 && bytes < 2000);
    QCOMPARE(c.api.server.requests().size(), requests);
}

void TestSelectors::firstCluster_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<bool>("loose");
    QTest::newRow("endpoints") << u"endpoints"_s << false;
    QTest::newRow("configmaps") << u"configmaps"_s << false;
    QTest::newRow("its request object has no label") << u"endpoints"_s << true;
}

// A namespace that had no cluster is watched as one that always had: no list, nothing lost.
void TestSelectors::firstCluster()
{
    QFETCH(QString, kind);
    QFETCH(bool, loose);
    Connected c;
    c.api.eraseNamespace(u"db"_s);
    unrelated(c.api, 1);
    c.open();
    QTRY_VERIFY(c.live());
    QTRY_COMPARE(c.api.openWatches(), all);
    if (loose)
        c.api.put(c.acme.failoverId(), [](QJsonObject &o) { label(o, {}); });
    c.acme.kind = kind;
    c.acme.create();
    QTRY_VERIFY(c.cluster() && c.cluster()->members.size() == 3);
    QTRY_VERIFY(c.requests(u"/configmaps"_s, false) == 2 && c.requests(u"/endpoints"_s, false) == 2); // one scan
    QTRY_COMPARE(c.api.openWatches(), loose ? all : selected);
    c.acme.switchTo(1);
    QTRY_COMPARE(c.cluster()->lock.holder, std::optional<std::string>("acme-1"));
    QCOMPARE(c.requests(u"/pods"_s, false), 1);
    QCOMPARE(c.api.openWatches(), loose ? all : selected);
    QVERIFY(c.live());
}

// It is seen from the next scan on; when it is gone, a list finds the selector again.
void TestSelectors::newElection()
{
    Connected c;
    c.times.scanEvery = milliseconds(300);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.put(planner, [](QJsonObject &o) { label(o, {}, lockAnnotations); });
    QTRY_COMPARE(c.api.openWatches(), all);
    c.api.erase(planner);
    c.connection->relist();
    QTRY_COMPARE(c.api.openWatches(), selected);
}

void TestSelectors::newClusterWithTheKey()
{
    Connected c;
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    MadeCluster bravo(&c.api, &c.now, u"configmaps"_s, u"db"_s, u"bravo"_s);
    bravo.create();
    QTRY_VERIFY(c.cluster("bravo") && c.cluster("bravo")->members.size() == 3);
    QCOMPARE(c.requests(u"/configmaps"_s, false), 1);
}

void TestSelectors::newClusterWithAnotherKey()
{
    Connected c;
    c.times.scanEvery = milliseconds(300);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.put({u"configmaps"_s, u"db"_s, u"other-config"_s}, [](QJsonObject &o) {
        label(o, {{u"scope"_s, u"other"_s}}, configAnnotations);
    });
    QTRY_VERIFY(c.cluster("other"));
    QTRY_COMPARE(c.api.openWatches(), all); // two keys: no selector
    QVERIFY(c.cluster("acme") && c.live());
}

void TestSelectors::requestWithoutLabel()
{
    Connected c;
    c.times.scanEvery = milliseconds(300);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.put(c.acme.failoverId(), [](QJsonObject &o) { label(o, {}, {{u"leader"_s, u"acme-0"_s}, {u"member"_s, u"acme-1"_s}}); });
    QTRY_VERIFY(c.cluster() && c.cluster()->failover && c.cluster()->failover->pending());
    QTRY_COMPARE(c.api.openWatches(), all);
}

void TestSelectors::backToTheSelector()
{
    Connected c;
    const MadeApi::Id other{u"configmaps"_s, u"db"_s, u"other-config"_s};
    c.api.put(other, [](QJsonObject &o) { label(o, {{u"scope"_s, u"other"_s}}, configAnnotations); });
    c.open();
    QTRY_VERIFY(c.live());
    QTRY_COMPARE(c.api.openWatches(), all);
    c.api.erase(other);
    QTRY_VERIFY(!c.cluster("other"));
    c.connection->relist();
    QTRY_COMPARE(c.api.openWatches(), selected);
}

void TestSelectors::labelLost()
{
    Connected c;
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    QTRY_VERIFY(c.cluster() && c.cluster()->failover);
    c.api.put(c.acme.failoverId(), [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}); });
    QTRY_VERIFY(c.cluster()->failover && c.cluster()->objects.at("failover").labels.contains("a")); // still there, and seen so
    for (const Observation &o : c.seen) {
        if (const auto *change = std::get_if<Changed>(&o.what))
            QVERIFY(change->type != EventType::Deleted);
    }
    QTRY_COMPARE(c.api.openWatches(), all); // looked at once: it matters
}

void TestSelectors::deleted()
{
    Connected c;
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    QTRY_VERIFY(c.cluster() && c.cluster()->failover);
    c.api.erase(c.acme.failoverId());
    QTRY_VERIFY(!c.cluster()->failover);
    c.acme.ask(u"acme-0"_s, u"acme-2"_s);
    QTRY_VERIFY(c.cluster()->failover && c.cluster()->failover->member == "acme-2");
    QCOMPARE(c.api.openWatches(), selected);
}

void TestSelectors::scanRefused()
{
    Connected c;
    c.times.scanEvery = milliseconds(20);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.denials.append({u"list"_s, {}, {}, {}});
    const int lists = c.requests(u"/endpoints"_s, false);
    QTRY_VERIFY(c.requests(u"/endpoints"_s, false) >= lists + 3);
    QVERIFY(c.live());
    QVERIFY(std::none_of(c.seen.begin(), c.seen.end(), [](const Observation &o) { return std::holds_alternative<Lost>(o.what); }));
    QCOMPARE(c.api.openWatches(), selected);
}

void TestSelectors::relistKeepsTheSelector()
{
    Connected c;
    for (int i = 0; i < 5; ++i)
        unrelated(c.api, i);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.put({u"configmaps"_s, u"db"_s, u"x"_s}, [](QJsonObject &o) { label(o, {}); });
    c.api.compact();
    c.api.endWatches();
    QTRY_COMPARE(c.api.openWatches(), selected);
    const auto *list = [&]() -> const Listed * {
        const Listed *last = nullptr;
        for (const Observation &o : c.seen) {
            if (const auto *found = std::get_if<Listed>(&o.what))
                last = found;
        }
        return last;
    }();
    QVERIFY(list && list->coverage.labelKey == "cluster-name");
    QVERIFY(c.live() && c.cluster()->members.size() == 3);
}

void TestSelectors::follows()
{
    Connected c;
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.connection->follow({{u"db"_s, u"acme"_s, std::nullopt}, {u"db"_s, u"citus"_s, u"1"_s}});
    const QStringList named{u"configmaps db  metadata.name=acme-failover"_s, u"configmaps db  metadata.name=citus-1-failover"_s,
                            u"endpoints db  metadata.name=acme-failover"_s, u"endpoints db  metadata.name=citus-1-failover"_s};
    for (const QString &line : named)
        QTRY_VERIFY2(c.watches(line), qPrintable(line));
    QCOMPARE(c.api.openWatches().size(), 7);
    c.connection->follow({{u"db"_s, u"acme"_s, std::nullopt}});
    QTRY_COMPARE(c.api.openWatches().size(), 5);
    c.connection->follow({});
    QTRY_COMPARE(c.api.openWatches(), selected);
    QVERIFY(c.live());
}

// The other watches hang; what matters most still comes, and is no sign of life for the rest.
void TestSelectors::followSeesPastABlindWatch()
{
    Connected c;
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.transmit = [](const ExchangePtr &x, const QByteArray &line) {
        if (!x->request().query(u"fieldSelector"_s).isEmpty())
            x->send(line);
    };
    c.connection->follow({{u"db"_s, u"acme"_s, std::nullopt}});
    QTRY_VERIFY(c.watches(u"endpoints db  metadata.name=acme-failover"_s));
    const auto contact = c.stream(Resource::Endpoints).lastContact;
    c.now.boot += std::chrono::seconds(7);
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    QTRY_VERIFY(c.cluster()->failover && c.cluster()->failover->pending());
    QVERIFY(c.stream(Resource::Endpoints).lastContact == contact);
    QCOMPARE(c.cluster()->requests.size(), std::size_t(1));
}

// A scan that failed is not put off for a whole interval.
void TestSelectors::scannedAgainSoon()
{
    Connected c;
    c.times.scanEvery = std::chrono::minutes(10);
    c.open();
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.put({u"configmaps"_s, u"db"_s, u"other-config"_s}, [](QJsonObject &o) {
        label(o, {{u"scope"_s, u"other"_s}}, configAnnotations);
    });
    int failed = 0;
    c.api.intercept = [&](const ExchangePtr &x) {
        const bool scan = !x->request().isWatch() && x->request().path().endsWith(u"/configmaps"_s)
            && x->request().query(u"labelSelector"_s).isEmpty();
        if (!scan || failed >= 2)
            return false;
        ++failed;
        x->answer(200, "{}");
        return true;
    };
    c.connection->relist();
    QTRY_VERIFY(c.cluster("other"));
    QCOMPARE(failed, 2);
    QVERIFY(c.live());
}

// The versions that the named watches wait for are long in coming.
void TestSelectors::followsARestoredServer()
{
    Connected c;
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    Monitor monitor(kube::Clock{[&] { return c.now; }});
    Connection *connection = monitor.open(c.api.server.config(), c.options, c.times);
    const auto cluster = [&] { return monitor.store().clusters().empty() ? nullptr : monitor.store().clusters().front(); };
    QTRY_VERIFY(cluster() && cluster()->failover);
    monitor.follow({cluster()->names.key});
    QTRY_VERIFY(c.watches(u"endpoints db  metadata.name=acme-failover"_s));
    const auto lists = [&] {
        int n = 0;
        for (const Request &r : c.api.server.requests())
            n += !r.isWatch() && r.query(u"fieldSelector"_s) == u"metadata.name=acme-failover"_s ? 1 : 0;
        return n;
    };
    const int before = lists();
    const std::string known = cluster()->objects.at("leader").resourceVersion;
    c.api.restore(100);
    connection->probe(Resource::Endpoints, u"db"_s, u"acme"_s, known);
    QTRY_COMPARE(lists(), before + 2); // of both kinds
}

// Without a right to get, nothing tells a lost label from a deletion: then all is watched.
void TestSelectors::mayNotGet()
{
    Connected c;
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    Monitor monitor(kube::Clock{[&] { return c.now; }});
    monitor.open(c.api.server.config(), c.options, c.times);
    const auto cluster = [&] { return monitor.store().clusters().empty() ? nullptr : monitor.store().clusters().front(); };
    QTRY_VERIFY(cluster() && cluster()->failover);
    QTRY_COMPARE(c.api.openWatches(), selected);
    c.api.denials.append({u"get"_s, {}, {}, {}});
    c.api.put(c.acme.failoverId(), [](QJsonObject &o) { label(o, {{u"a"_s, u"b"_s}}); });
    QTRY_COMPARE(c.api.openWatches(), all);
    QVERIFY(cluster()->failover && cluster()->objects.at("failover").labels.contains("a"));
    c.api.erase(c.acme.failoverId());
    QTRY_VERIFY(!cluster()->failover);
    QCOMPARE(c.api.openWatches(), all); // and no selector again
}

void TestSelectors::serverWithoutPods()
{
    Connected c;
    c.api.denials.append({{}, u"pods"_s, {}, {}});
    c.open();
    QTRY_VERIFY(c.watches(u"endpoints db cluster-name"_s));
    QTRY_COMPARE(c.stream(Resource::Pods).freshness, patroni::Freshness::Forbidden);
    QCOMPARE(c.stream(Resource::Pods).missing->verb, std::string("list"));
    QTRY_VERIFY(c.cluster());
    QVERIFY(patroni::writeBar(*c.cluster()) == patroni::WriteBar::Forbidden);
}

QTEST_GUILESS_MAIN(TestSelectors)
#include "tst_selectors.moc"
