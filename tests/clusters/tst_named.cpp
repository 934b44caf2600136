// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters that are read object by object, where lists are forbidden; and lists in the place of watches.
#include "connected.h"
#include "tests/support/patience.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using patroni::Freshness;
using std::chrono::milliseconds;

namespace {

ConnectionOptions named(QStringList namespaces = {u"db"_s}, milliseconds every = milliseconds(50))
{
    ConnectionOptions options(std::move(namespaces));
    options.named = {{u"db"_s, u"acme"_s, std::nullopt}};
    options.poll = every;
    return options;
}

Denial noLists()
{
    return {u"list"_s, {}, {}, {}};
}

} // namespace

class TestNamed : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void readByName_data();
    void readByName();
    void namesItsNamespace();
    void nothingThere();
    void partlyRefused();
    void oneFailureIsTheRounds();
    void listAllowedAfterAll();
    void neverMoreThanOnceInAWhile();
    void unnamedIsForbidden();
    void pollMode();
    void restoredServer();
};

void TestNamed::readByName_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("namespaces");
    QTest::newRow("endpoints") << u"endpoints"_s << QStringList{u"db"_s};
    QTest::newRow("configmaps") << u"configmaps"_s << QStringList{u"db"_s};
    QTest::newRow("all namespaces") << u"endpoints"_s << QStringList{QString()};
}

void TestNamed::readByName()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, namespaces);
    Connected c(named(namespaces));
    c.api.eraseNamespace(u"db"_s);
    c.acme.kind = kind;
    c.acme.create();
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    c.api.denials.append(noLists());
    c.open();
    const Resource resource = kind == u"endpoints"_s ? Resource::Endpoints : Resource::ConfigMaps;
    QTRY_VERIFY(c.cluster() && c.cluster()->members.size() == 1); // the leader is the only one that the objects name
    QVERIFY(c.stream(resource).named);
    QCOMPARE(c.stream(resource).freshness, Freshness::Live);
    QCOMPARE(c.stream(resource).missing->verb, std::string("list"));
    QVERIFY(c.cluster()->failover->pending());
    QCOMPARE(c.cluster()->lock.holder, std::optional<std::string>("acme-0"));
    QVERIFY(!c.cluster()->view.seesAll(Resource::Pods));
    // The first that was told: what is refused.
    QVERIFY(std::holds_alternative<Lost>(c.seen.front().what));
    c.acme.clearRequest();
    c.acme.switchTo(2);
    QTRY_VERIFY(!c.cluster()->failover->pending() && c.cluster()->lock.holder == "acme-2");
    QTRY_COMPARE(c.cluster()->members.size(), std::size_t(2));
    c.api.erase(c.acme.failoverId());
    QTRY_VERIFY(!c.cluster()->failover);
    for (const Observation &o : c.seen) {
        if (const auto *list = std::get_if<Listed>(&o.what))
            QVERIFY(!list->coverage.names.empty() && list->every == Duration(milliseconds(50)) && !o.aside);
    }
}

void TestNamed::namesItsNamespace()
{
    Connected c(named({u"elsewhere"_s}));
    c.api.denials.append(noLists());
    c.open();
    QCOMPARE(c.connection->namespaces(), (QStringList{u"elsewhere"_s, u"db"_s}));
    QTRY_VERIFY(c.cluster());
}

void TestNamed::nothingThere()
{
    Connected c(named());
    c.api.eraseNamespace(u"db"_s);
    c.api.denials.append(noLists());
    c.open();
    QTRY_VERIFY(c.stream(Resource::Endpoints).named && c.stream(Resource::ConfigMaps).named);
    QVERIFY(!c.cluster());
    QCOMPARE(c.stream(Resource::Pods).freshness, Freshness::Forbidden); // no names, so nothing is known: not empty
    c.acme.create();
    QTRY_VERIFY(c.cluster() && c.cluster()->members.size() == 1);
}

void TestNamed::partlyRefused()
{
    Connected c(named());
    c.api.denials = {noLists(), {u"get"_s, u"pods"_s, {}, {}}};
    c.open();
    QTRY_VERIFY(c.cluster());
    QTRY_COMPARE(c.stream(Resource::Pods).freshness, Freshness::Forbidden);
    QTRY_COMPARE(c.stream(Resource::Pods).missing->verb, std::string("get"));
    QCOMPARE(c.stream(Resource::Endpoints).freshness, Freshness::Live);
    QCOMPARE(c.cluster()->view.freshness, Freshness::Forbidden);
    QVERIFY(patroni::writeBar(*c.cluster()));
}

// One object that cannot be read: nothing of the round counts, nothing is gone.
void TestNamed::oneFailureIsTheRounds()
{
    Connected c(named());
    c.api.denials.append(noLists());
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    c.open();
    QTRY_VERIFY(c.cluster() && c.stream(Resource::Endpoints).freshness == Freshness::Live);
    c.api.intercept = [](const ExchangePtr &x) {
        if (!x->request().path().endsWith(u"/endpoints/acme-failover"_s))
            return false;
        x->answer(500, "oh");
        return true;
    };
    QTRY_COMPARE(c.stream(Resource::Endpoints).freshness, Freshness::Stale);
    QVERIFY(c.cluster()->failover && c.cluster()->failover->pending());
    QCOMPARE(c.cluster()->view.freshness, Freshness::Stale);
    c.api.intercept = {};
    QTRY_COMPARE(c.stream(Resource::Endpoints).freshness, Freshness::Live);
}

void TestNamed::listAllowedAfterAll()
{
    Connected c(named());
    c.options.poll.reset();
    c.api.denials.append(noLists());
    c.open();
    QTRY_VERIFY(c.cluster() && c.stream(Resource::Pods).named);
    c.api.denials.clear();
    c.connection->relist();
    QTRY_VERIFY(c.live() && !c.stream(Resource::Endpoints).named && !c.stream(Resource::Pods).named);
    QCOMPARE(c.cluster()->members.size(), std::size_t(3));
    QVERIFY(c.cluster()->view.missing.empty());
    QTRY_COMPARE(c.api.openWatches().size(), 3);
}

void TestNamed::neverMoreThanOnceInAWhile()
{
    Connected c(named());
    c.api.denials = {noLists(), {u"get"_s, {}, {}, {}}};
    c.open();
    QTRY_COMPARE(c.stream(Resource::Endpoints).freshness, Freshness::Forbidden);
    QTRY_VERIFY(c.connection->retryIn());
    QVERIFY(*c.connection->retryIn() > milliseconds(50000));
    QTRY_COMPARE(c.requests(u"/endpoints/acme"_s, false), 1);
    QTest::qWait(150); // longer than the interval of rounds
    QCOMPARE(c.requests(u"/endpoints/acme"_s, false), 1);
    QCOMPARE(c.requests(u"/endpoints"_s, false), 1);
    c.connection->retryNow();
    QTRY_COMPARE(c.requests(u"/endpoints/acme"_s, false), 2);
}

void TestNamed::unnamedIsForbidden()
{
    ConnectionOptions options = named();
    options.named = {{u"dc"_s, u"other"_s, std::nullopt}};
    Connected c(options);
    c.api.denials.append({u"list"_s, {}, u"db"_s, {}});
    c.open();
    QTRY_COMPARE(c.stream(Resource::Endpoints).freshness, Freshness::Forbidden);
    QCOMPARE(c.requests(u"/endpoints/other"_s, false), 0); // lists are allowed there
}

void TestNamed::pollMode()
{
    ConnectionOptions options(QStringList{u"db"_s});
    options.poll = milliseconds(1); // not less than the shortest
    Connected c(options);
    c.open();
    QTRY_VERIFY(c.live());
    c.acme.ask(u"acme-0"_s, u"acme-1"_s);
    c.connection->follow({{u"db"_s, u"acme"_s, std::nullopt}});
    QTRY_VERIFY(c.cluster()->failover && c.cluster()->failover->pending());
    c.acme.clearRequest();
    QTRY_VERIFY(!c.cluster()->failover->pending());
    QVERIFY(c.api.openWatches().isEmpty());
    for (const Observation &o : c.seen) {
        if (const auto *list = std::get_if<Listed>(&o.what))
            QVERIFY(list->every == Duration(milliseconds(50)) && o.asked);
    }
    QVERIFY(kube::WatchTimes().shortestPoll == std::chrono::seconds(1));
    QVERIFY(c.live());
}

// The data of the server is put back to an earlier time while our watch hangs: a GET shows it.
void TestNamed::restoredServer()
{
    Connected c;
    c.open();
    QTRY_VERIFY(c.live());
    QTRY_COMPARE(c.api.openWatches().size(), 3);
    for (int i = 0; i < 5; ++i)
        c.acme.renew();
    QTRY_VERIFY(c.cluster()->objects.at("leader").resourceVersion == std::to_string(c.api.version()));
    const std::string known = c.cluster()->objects.at("leader").resourceVersion;
    c.api.restore(100);
    c.connection->probe(Resource::Endpoints, u"db"_s, u"acme"_s, known);
    QTRY_VERIFY(c.cluster() && c.cluster()->objects.at("leader").resourceVersion != known);
    QVERIFY(std::stoll(c.cluster()->objects.at("leader").resourceVersion) < std::stoll(known));
    c.acme.switchTo(1);
    QTRY_COMPARE(c.cluster()->lock.holder, std::optional<std::string>("acme-1"));
}

QTEST_GUILESS_MAIN(TestNamed)
#include "tst_named.moc"
