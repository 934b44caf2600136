// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// A watch of a part: by label, by name, by metadata; lists in the place of a watch; and how long a refusal is waited for.
#include "objects.h"
#include "tests/support/patience.h"
#include "watch_harness.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

class TestWatchScope : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void selectors_data();
    void selectors();
    void narrowedGoesOn();
    void narrowedWhileListing();
    void widenedListsAnew();
    void outOfSight_data();
    void outOfSight();
    void outOfSightIsNoContact();
    void deletedByAPodIsNotAsked();
    void metadataOrWhole_data();
    void metadataOrWhole();
    void polls();
    void pollFails();
    void pollAnewAtOnce();
    void refusedWaitsLongerEachTime();
    void toldToTryAgain_data();
    void toldToTryAgain();
};

static const Listed *lastList(const WatchHarness &h)
{
    const Listed *last = nullptr;
    for (const Observation &o : h.seen) {
        if (const auto *list = std::get_if<Listed>(&o.what))
            last = list;
    }
    return last;
}

void TestWatchScope::selectors_data()
{
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("labelSelector");
    QTest::addColumn<QString>("fieldSelector");
    QTest::addColumn<bool>("aside");
    QTest::newRow("all") << QString() << QString() << QString() << QString() << false;
    QTest::newRow("label") << u"a.b/c-d"_s << QString() << u"a.b/c-d"_s << QString() << false;
    QTest::newRow("name") << QString() << u"acme-failover"_s << QString() << u"metadata.name=acme-failover"_s << true;
}

void TestWatchScope::selectors()
{
    QFETCH(QString, label);
    QFETCH(QString, name);
    QFETCH(QString, labelSelector);
    QFETCH(QString, fieldSelector);
    QFETCH(bool, aside);
    WatchHarness h;
    h.watch->setScope({label.toStdString(), name, false});
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("ADDED", objectJson("b", 11)));
    QTRY_COMPARE(h.log().last(), u"added b=11"_s);
    for (const Request &request : h.server.requests()) {
        QCOMPARE(request.query(u"labelSelector"_s), labelSelector);
        QCOMPARE(request.query(u"fieldSelector"_s), fieldSelector);
    }
    for (const Observation &o : h.seen)
        QCOMPARE(o.aside, aside);
    QVERIFY(lastList(h));
    QCOMPARE(lastList(h)->coverage.labelKey, label.toStdString());
    QCOMPARE(lastList(h)->coverage.names, name.isEmpty() ? std::vector<std::string>{} : std::vector{name.toStdString()});
    QCOMPARE(lastList(h)->every, Duration(0));
}

void TestWatchScope::narrowedGoesOn()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("ADDED", objectJson("b", 11)));
    QTRY_COMPARE(h.log().last(), u"added b=11"_s);
    h.watch->setScope({"key", {}, false});
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.lists(), 1);
    QCOMPARE(h.watchedFrom(), (QStringList{u"10"_s, u"11"_s}));
    QCOMPARE(h.server.requests().last().query(u"labelSelector"_s), u"key"_s);
    QTRY_VERIFY(!h.streams.first()->open());
    h.watch->relist();
    QTRY_COMPARE(h.lists(), 2);
    QTRY_COMPARE(lastList(h)->coverage.labelKey, std::string("key"));
}

// What was asked for whole is a whole list, whatever is watched afterwards.
void TestWatchScope::narrowedWhileListing()
{
    WatchHarness h;
    ExchangePtr held;
    h.onList = [&](const ExchangePtr &x) { held = x; };
    h.watch->start();
    QTRY_VERIFY(held);
    h.watch->setScope({"key", {}, false});
    held->answer(200, listJson("10", {objectJson("a", 5)}));
    QTRY_COMPARE(h.streams.size(), 1);
    QVERIFY(lastList(h)->coverage.whole());
    QCOMPARE(h.lists(), 1);
    QCOMPARE(h.server.requests().last().query(u"labelSelector"_s), u"key"_s);
}

void TestWatchScope::widenedListsAnew()
{
    WatchHarness h;
    h.watch->setScope({"key", {}, false});
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.watch->setScope({});
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.lists(), 2);
    QVERIFY(lastList(h)->coverage.whole());
    QCOMPARE(h.server.requests().last().query(u"labelSelector"_s), QString());
}

void TestWatchScope::outOfSight_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QStringList>("told");
    QTest::newRow("not there") << 404 << statusJson(404, "NotFound", "no") << QStringList{u"deleted a=11"_s};
    QTest::newRow("lost its label") << 200 << objectJson("a", 11) << QStringList{u"modified a=11"_s};
    QTest::newRow("changed once more") << 200 << objectJson("a", 13) << QStringList{u"modified a=13"_s};
    QTest::newRow("made anew") << 200 << objectJson("a", 12).replace("uid-a", "uid-other")
                               << QStringList{u"deleted a=11"_s, u"modified a=12"_s};
    QTest::newRow("may not be read") << 403 << statusJson(403, "Forbidden", "no") << QStringList();
    QTest::newRow("no answer") << 500 << QByteArray("oh") << QStringList();
    QTest::newRow("no object") << 200 << QByteArray("{}") << QStringList();
}

void TestWatchScope::outOfSight()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QStringList, told);
    WatchTimes times = quickTimes();
    times.confirmLimit = milliseconds(status == 500 ? 100 : 20000); // a 500 is asked again until then
    WatchHarness h(times);
    h.watch->setScope({"key", {}, false});
    h.onList = [&](const ExchangePtr &x) {
        if (x->request().path().endsWith(u"/a"_s))
            x->answer(status, body);
        else
            x->answer(200, listJson("10", {objectJson("a", 5)}));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("DELETED", objectJson("a", 11)));
    // First what is certain: none of this name has the label. Without an answer that is all.
    QTRY_COMPARE(h.log().mid(1), QStringList{u"listed 11:"_s} + told);
    const auto list = lastList(h);
    QVERIFY(list && list->coverage == (Coverage{"key", {"db/a"}}) && h.seen.at(1).aside);
    if (told.isEmpty()) {
        QTest::qWait(0);
        QTRY_VERIFY(h.lists() > 1);
    }
    for (const Observation &o : h.seen) {
        if (std::holds_alternative<Changed>(o.what))
            QVERIFY(o.aside); // another connection brought it
    }
    // The watch itself went on from there.
    h.streams.first()->endStream();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.watchedFrom().last(), u"11"_s);
}

void TestWatchScope::outOfSightIsNoContact()
{
    WatchHarness h;
    h.watch->setScope({"key", {}, false});
    ExchangePtr get;
    h.onList = [&](const ExchangePtr &x) {
        if (x->request().path().endsWith(u"/a"_s))
            get = x;
        else
            x->answer(200, listJson("10", {objectJson("a", 5)}));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("DELETED", objectJson("a", 11)));
    QTRY_VERIFY(get);
    h.onWatch = [](const ExchangePtr &x) { x->answer(401, statusJson(401, "Unauthorized", "no")); };
    h.streams.first()->endStream();
    QTRY_VERIFY(h.log().contains(u"lost Unauthorized"_s));
    get->answer(404, statusJson(404, "NotFound", "no"));
    QTRY_VERIFY(h.log().contains(u"deleted a=11"_s));
    QVERIFY(!h.log().contains(u"resumed"_s));
    h.watch->stop();
}

// A Pod says of itself that it ends.
void TestWatchScope::deletedByAPodIsNotAsked()
{
    WatchHarness h;
    h.watch->setScope({"key", {}, false});
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(
        eventJson("DELETED", objectJson("a", 11).replace(R"("namespace")", R"("deletionTimestamp":"2031-02-01T06:00:00Z","namespace")")));
    QTRY_COMPARE(h.log().last(), u"deleted a=11"_s);
    QVERIFY(!h.seen.back().aside);
    QCOMPARE(h.lists(), 1);
}

void TestWatchScope::metadataOrWhole_data()
{
    QTest::addColumn<bool>("partial");
    QTest::newRow("metadata") << true;
    QTest::newRow("a server that sends all") << false;
}

void TestWatchScope::metadataOrWhole()
{
    QFETCH(bool, partial);
    const QByteArray kind = partial ? "PartialObjectMetadata" : "ConfigMap";
    const auto made = [&](const QByteArray &name, int version) {
        QByteArray json = objectJson(name, version).replace("Endpoints", kind);
        return partial ? json : json.replace(R"("kind")", R"("data":{"k":"v"},"kind")");
    };
    WatchHarness h(quickTimes(), FakeApiServer::Mode::Http, Resource::ConfigMaps);
    h.watch->setScope({{}, {}, true});
    h.onList = [&](const ExchangePtr &x) {
        x->answer(200, listJson("10", {made("a", 5)}).replace("EndpointsList", QByteArray(kind + "List")));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(eventJson("MODIFIED", made("a", 11)) + bookmarkJson(12).replace("Endpoints", kind));
    QTRY_COMPARE(h.log(), (QStringList{u"listed 10: a=5"_s, u"modified a=11"_s, u"bookmark 12"_s}));
    for (const Request &request : h.server.requests())
        QVERIFY2(request.headers.value("accept").contains("as=PartialObjectMetadata"), request.target.constData());
    QCOMPARE(std::get<Changed>(h.seen.at(1).what).object.annotations.size(), std::size_t(1));
}

void TestWatchScope::polls()
{
    WatchTimes times = quickTimes();
    times.pollEvery = milliseconds(20);
    WatchHarness h(times);
    int version = 10;
    h.onList = [&](const ExchangePtr &x) { x->answer(200, listJson(QByteArray::number(version++), {objectJson("a", 5)})); };
    h.watch->start();
    QTRY_VERIFY(h.lists() >= 3);
    QCOMPARE(h.streams.size(), 0);
    QCOMPARE(h.log().first(2), (QStringList{u"listed 10: a=5"_s, u"listed 11: a=5"_s}));
    QCOMPARE(lastList(h)->every, Duration(milliseconds(20)));
    QVERIFY(h.watch->state() == Watch::State::Watching || h.watch->state() == Watch::State::Listing);
    QVERIFY(!h.watch->retryIn());
}

void TestWatchScope::pollFails()
{
    WatchTimes times = quickTimes();
    times.pollEvery = milliseconds(10);
    times.backoffMin = times.backoffMax = milliseconds(60000);
    WatchHarness h(times);
    bool fails = false;
    h.onList = [&](const ExchangePtr &x) { fails ? x->answer(404, "oh") : x->answer(200, listJson("10", {})); };
    h.watch->start();
    QTRY_VERIFY(h.lists() >= 2);
    fails = true;
    QTRY_VERIFY(h.log().last().startsWith(u"lost"_s));
    QCOMPARE(h.watch->state(), Watch::State::Waiting);
    QVERIFY(*h.watch->retryIn() > milliseconds(1000)); // longer than the interval
    fails = false;
    h.watch->retryNow();
    QTRY_COMPARE(h.log().last(), u"listed 10:"_s);
}

void TestWatchScope::pollAnewAtOnce()
{
    WatchTimes times = quickTimes();
    times.pollEvery = milliseconds(60000);
    WatchHarness h(times);
    h.watch->start();
    QTRY_COMPARE(h.log().size(), 1);
    h.watch->resume(h.now.boot); // a GET has shown something newer
    QTRY_COMPARE(h.log().size(), 2);
    h.watch->relist();
    QTRY_COMPARE(h.log().size(), 3);
    QCOMPARE(h.streams.size(), 0);
}

void TestWatchScope::refusedWaitsLongerEachTime()
{
    WatchTimes times; // as they are
    WatchHarness h(times);
    QList<milliseconds> waits; // as each begins
    connect(h.watch.get(), &Watch::stateChanged, this, [&] {
        if (h.watch->state() == Watch::State::Waiting)
            waits.append(*h.watch->retryIn());
    });
    h.onList = [](const ExchangePtr &x) { x->answer(403, statusJson(403, "Forbidden", "no")); };
    h.watch->start();
    QTRY_VERIFY(!waits.isEmpty());
    QVERIFY(waits.first() > milliseconds(900) && waits.first() <= milliseconds(4000)); // a server may just have started
    for (int i = 0; i < 8; ++i) {
        const auto before = waits.size();
        h.now.boot += std::chrono::seconds(5);
        h.watch->resume(h.now.boot); // not told to forget
        QTRY_VERIFY(waits.size() > before);
    }
    QVERIFY(waits.last() > milliseconds(149000) && waits.last() <= milliseconds(300000));
}

void TestWatchScope::toldToTryAgain_data()
{
    QTest::addColumn<bool>("relist");
    QTest::newRow("relist") << true;
    QTest::newRow("another credential") << false;
}

void TestWatchScope::toldToTryAgain()
{
    QFETCH(bool, relist);
    WatchHarness h(WatchTimes{});
    h.onList = [](const ExchangePtr &x) { x->answer(401, statusJson(401, "Unauthorized", "no")); };
    h.watch->start();
    for (int i = 1; i < 5; ++i) {
        QTRY_VERIFY(h.lists() >= i);
        QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
        QVERIFY(*h.watch->retryIn() <= milliseconds(4000)); // from the beginning again
        relist ? h.watch->relist() : h.watch->retryNow();
    }
    h.onList = [](const ExchangePtr &x) { x->answer(200, listJson("10", {})); };
    QTRY_COMPARE(h.watch->state(), Watch::State::Watching);
}

QTEST_GUILESS_MAIN(TestWatchScope)
#include "tst_watch_scope.moc"
