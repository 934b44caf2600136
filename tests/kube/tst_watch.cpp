// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// List, watch, resume: what a well-behaved server leads to, however its bytes arrive.
#include "objects.h"
#include "tests/support/patience.h"
#include "watch_harness.h"

#include <QSignalSpy>
#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

class TestWatch : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void listsThenWatches();
    void observationsAreStamped();
    void pages();
    void podsComeInSmallerPages();
    void decodesInWorker();
    void stopWhileWorkerDecodes();
    void events();
    void cutAtEveryByte_data();
    void cutAtEveryByte();
    void splitAtEveryByte();
    void overTls();
    void cleanEndResumesAtOnce();
    void endWithoutEventsIsNoHotLoop();
    void contactOncePerSecond();
    void silence();
    void resume();
    void relist();
    void stopIsSilent();
    void stopInsideObserver();
    void relistInsideObserver();
    void clientDiesFirst();
};

static const QByteArray sample = eventJson("ADDED", objectJson("b", 11, "x\\ny \xc3\xa9")) + eventJson("MODIFIED", objectJson("a", 12))
    + bookmarkJson(13) + eventJson("DELETED", objectJson("b", 14));
static const QStringList sampleLog{u"listed 10: a=5"_s, u"added b=11"_s, u"modified a=12"_s, u"bookmark 13"_s, u"deleted b=14"_s};

void TestWatch::listsThenWatches()
{
    WatchHarness h;
    QSignalSpy states(h.watch.get(), &Watch::stateChanged);
    QCOMPARE(h.watch->state(), Watch::State::Idle);
    h.watch->start();
    QCOMPARE(h.watch->state(), Watch::State::Listing);
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.watch->state(), Watch::State::Watching);
    QCOMPARE(h.watch->retryIn(), std::optional<milliseconds>());
    QCOMPARE(states.count(), 2);
    const Request list = h.server.requests().at(0);
    QCOMPARE(list.path(), u"/api/v1/namespaces/db/endpoints"_s);
    QCOMPARE(list.query(u"limit"_s), u"500"_s);
    QCOMPARE(list.query(u"resourceVersion"_s), QString());
    const Request watch = h.server.requests().at(1);
    QCOMPARE(watch.query(u"allowWatchBookmarks"_s), u"true"_s);
    QCOMPARE(watch.query(u"resourceVersion"_s), u"10"_s);
    const int seconds = watch.query(u"timeoutSeconds"_s).toInt();
    QVERIFY(seconds >= 240 && seconds <= 300);
    QVERIFY(watch.connection != list.connection);
}

void TestWatch::observationsAreStamped()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.seen.size(), 1U);
    const Observation first = h.seen.front();
    QCOMPARE(first.context, std::string("test"));
    QCOMPARE(first.resource, Resource::Endpoints);
    QCOMPARE(first.ns, std::string("db"));
    QVERIFY(first.seen == h.now.boot && first.wall == h.now.wall);
    QTRY_COMPARE(h.streams.size(), 1);
    h.now.boot += std::chrono::seconds(3);
    h.now.wall += std::chrono::seconds(3);
    h.streams.first()->send(sample);
    QTRY_COMPARE(h.log(), sampleLog);
    QVERIFY(h.seen.back().seen == h.now.boot && h.seen.back().wall == h.now.wall);
}

void TestWatch::pages()
{
    WatchHarness h;
    h.onList = [](const ExchangePtr &x) {
        const QString token = x->request().query(u"continue"_s);
        if (token.isEmpty())
            x->answer(200, listJson("10", {objectJson("a", 5)}, "t+1/="));
        else if (token == u"t+1/="_s)
            x->answer(200, listJson("10", {objectJson("b", 6)}, "t2"));
        else
            x->answer(200, listJson("10", {objectJson("c", 7)}));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.log(), QStringList{u"listed 10: a=5 b=6 c=7"_s});
    QCOMPARE(h.lists(), 3);
}

void TestWatch::podsComeInSmallerPages()
{
    WatchHarness h(quickTimes(), FakeApiServer::Mode::Http, Resource::Pods);
    h.watch->start();
    QTRY_VERIFY(h.lists() > 0);
    QCOMPARE(h.server.requests().first().query(u"limit"_s), u"200"_s);
}

void TestWatch::decodesInWorker()
{
    WatchTimes times = quickTimes();
    times.workerBytes = 0;
    WatchHarness h(times);
    int pages = 0;
    h.onList = [&](const ExchangePtr &x) {
        const bool last = ++pages == 3;
        x->answer(
            200,
            listJson("10", {objectJson("o" + QByteArray::number(pages), pages)}, last ? QByteArray() : "t" + QByteArray::number(pages)));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.log(), QStringList{u"listed 10: o1=1 o2=2 o3=3"_s});
}

void TestWatch::stopWhileWorkerDecodes()
{
    WatchTimes times = quickTimes();
    times.workerBytes = 0;
    WatchHarness h(times);
    QByteArrayList items;
    for (int i = 0; i < 3000; ++i)
        items.append(objectJson("o" + QByteArray::number(i), i));
    const QByteArray big = listJson("9", items);
    bool first = true;
    h.onList = [&](const ExchangePtr &x) { x->answer(200, std::exchange(first, false) ? big : listJson("10", {objectJson("a", 5)})); };
    h.watch->start();
    QTRY_COMPARE(h.lists(), 1);
    QTest::qWait(5);
    h.watch->relist();
    QTRY_COMPARE(h.log().value(h.log().size() - 1), u"listed 10: a=5"_s);
    QTRY_COMPARE(h.watchedFrom().value(h.watchedFrom().size() - 1), u"10"_s);
    h.watch.reset();
    QVERIFY(h.log().size() <= 2);
}

void TestWatch::events()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(sample);
    QTRY_COMPARE(h.log(), sampleLog);
    h.streams.first()->endStream();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.watchedFrom(), (QStringList{u"10"_s, u"14"_s}));
    QCOMPARE(h.lists(), 1);
}

// The connection breaks at each byte of the sample: whole lines are taken, the rest comes again by resuming. (Where hardly anything
// had arrived, Qt may ask again by itself: then there is one request more and no loss to report.)
void TestWatch::cutAtEveryByte_data()
{
    QTest::addColumn<bool>("clean");
    QTest::newRow("last chunk sent") << true;
    QTest::newRow("connection closed") << false;
}

void TestWatch::cutAtEveryByte()
{
    QFETCH(bool, clean);
    const std::map<QString, qsizetype> after{{u"10"_s, 0},
                                             {u"11"_s, sample.indexOf('\n') + 1},
                                             {u"12"_s, sample.indexOf("{\"type\":\"BOOKMARK\"")},
                                             {u"13"_s, sample.indexOf("{\"type\":\"DELETED\"")},
                                             {u"14"_s, sample.size()}};
    WatchTimes times = quickTimes();
    times.backoffMin = milliseconds(1);
    times.backoffMax = milliseconds(2);
    for (qsizetype cut = 0; cut <= sample.size(); cut += clean ? 3 : 1) {
        WatchHarness h(times);
        h.onWatch = [&](const ExchangePtr &x) {
            const QByteArray rest = sample.mid(after.at(x->request().query(u"resourceVersion"_s)));
            x->startStream();
            if (h.streams.size() > 1) {
                if (!rest.isEmpty())
                    x->send(rest);
                return;
            }
            if (cut > 0)
                x->send(rest.left(cut));
            clean ? x->endStream() : x->close();
        };
        h.watch->start();
        QVERIFY2(waitUntil([&] { return h.streams.size() >= 2 && h.log().contains(sampleLog.last()); }),
                 qPrintable(u"cut at %1, %2 streams: %3"_s.arg(cut).arg(h.streams.size()).arg(h.log(true).join(u", "_s))));
        QStringList log = h.log();
        const auto losses = log.removeAll(u"lost Unreachable"_s);
        QVERIFY(losses <= (clean ? 0 : 1));
        QVERIFY(log.removeAll(u"resumed"_s) <= losses);
        QCOMPARE(log, sampleLog);
    }
}

// The bytes arrive in two pieces, split at each place: nothing changes.
void TestWatch::splitAtEveryByte()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QStringList expected{sampleLog.first()};
    for (qsizetype cut = 1; cut < sample.size(); ++cut) {
        h.streams.first()->send(sample.left(cut));
        QCoreApplication::processEvents();
        h.streams.first()->send(sample.mid(cut));
        expected += sampleLog.mid(1);
        QVERIFY(waitUntil([&] { return h.log().size() == expected.size(); }));
    }
    QCOMPARE(h.log(), expected);
}

void TestWatch::overTls()
{
    WatchHarness h(quickTimes(), FakeApiServer::Mode::Https);
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(sample);
    QTRY_COMPARE(h.log(), sampleLog);
    QCOMPARE(h.server.requests().last().version, QByteArray("HTTP/1.1"));
}

void TestWatch::cleanEndResumesAtOnce()
{
    WatchTimes times = quickTimes();
    times.quickEnd = milliseconds(50);
    times.backoffMin = times.backoffMax = milliseconds(60000); // a wait would be seen
    WatchHarness h(times);
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QTest::qWait(60);
    h.streams.last()->endStream(); // no event, but it lived long enough
    QTRY_COMPARE(h.streams.size(), 2);
    h.streams.last()->send(bookmarkJson(20));
    QTRY_COMPARE(h.log().last(), u"bookmark 20"_s);
    h.streams.last()->endStream(); // short, but with an event
    QTRY_COMPARE(h.streams.size(), 3);
    QCOMPARE(h.watchedFrom(), (QStringList{u"10"_s, u"10"_s, u"20"_s}));
    QCOMPARE(h.log(), (QStringList{u"listed 10: a=5"_s, u"bookmark 20"_s}));
}

void TestWatch::endWithoutEventsIsNoHotLoop()
{
    WatchTimes times = quickTimes();
    times.backoffMin = milliseconds(50);
    times.backoffMax = milliseconds(100);
    WatchHarness h(times);
    h.onWatch = [](const ExchangePtr &x) {
        x->startStream();
        x->endStream();
    };
    h.watch->start();
    QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
    QVERIFY(h.watch->retryIn().has_value() && *h.watch->retryIn() <= milliseconds(100));
    QTest::qWait(400);
    QVERIFY2(h.streams.size() <= 9, qPrintable(QString::number(h.streams.size())));
    QTRY_VERIFY(h.streams.size() >= 2);
    QTRY_VERIFY(h.log().size() >= 2);
    QVERIFY2(h.log().size() <= h.streams.size() + 1, qPrintable(QString::number(h.log().size())));
    for (const QString &line : h.log()) // and no error either; now and then a list, as the watches bring nothing
        QCOMPARE(line, u"listed 10: a=5"_s);

    // Events do not help a server that ends each stream at once.
    int version = 20;
    h.onWatch = [&](const ExchangePtr &x) {
        x->startStream();
        x->send(bookmarkJson(++version));
        x->endStream();
    };
    const auto before = h.streams.size();
    QTest::qWait(400);
    QVERIFY2(h.streams.size() - before <= 12, qPrintable(QString::number(h.streams.size() - before)));
}

void TestWatch::contactOncePerSecond()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    const auto quietBytes = [&] {
        h.streams.first()->send("\n");
        QTest::qWait(20);
    };
    quietBytes();
    QCOMPARE(h.log(true), QStringList{u"listed 10: a=5"_s}); // the list was contact enough
    h.now.boot += milliseconds(999);
    quietBytes();
    QCOMPARE(h.log(true).size(), 1);
    h.now.boot += milliseconds(1);
    quietBytes();
    QTRY_COMPARE(h.log(true).last(), u"contact"_s);
    quietBytes();
    QCOMPARE(h.log(true).size(), 2);
    h.now.boot += std::chrono::seconds(5);
    h.streams.first()->send(bookmarkJson(15));
    QTRY_COMPARE(h.log(true).last(), u"bookmark 15"_s);
    QTest::qWait(20);
    QCOMPARE(h.log(true).last(), u"bookmark 15"_s); // an event is contact by itself
    h.now.boot += std::chrono::seconds(5);
    h.streams.first()->send("half a li");
    QTRY_COMPARE(h.log(true).last(), u"contact"_s);
}

void TestWatch::silence()
{
    WatchTimes times = quickTimes();
    times.silence = milliseconds(2500);
    WatchHarness h(times);
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    for (int i = 0; i < 4; ++i) { // bytes keep it alive
        QTest::qWait(800);
        h.streams.first()->send(bookmarkJson(20 + i));
    }
    QTRY_COMPARE(h.log().last(), u"bookmark 23"_s);
    QCOMPARE(h.streams.size(), 1);     // after 3.2 s
    QTRY_COMPARE(h.streams.size(), 2); // then it freezes
    QTRY_VERIFY(!h.streams.first()->open());
    QCOMPARE(h.watchedFrom().last(), u"23"_s);
    QCOMPARE(h.log().filter(u"lost"_s), QStringList());
}

void TestWatch::resume()
{
    WatchHarness h;
    h.watch->resume(h.now.boot);
    QCOMPARE(h.watch->state(), Watch::State::Idle);
    h.watch->start();
    h.watch->resume(h.now.boot); // while listing: nothing to resume
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.lists(), 1);
    h.streams.last()->send(bookmarkJson(30));
    QTRY_COMPARE(h.log().last(), u"bookmark 30"_s);
    h.watch->resume(h.now.boot);
    QTRY_COMPARE(h.streams.size(), 2);
    QTRY_VERIFY(!h.streams.first()->open());
    QCOMPARE(h.watchedFrom().last(), u"30"_s);
    QCOMPARE(h.lists(), 1);
    h.watch->resume(h.now.boot); // of another object, asked for at the same time: the new stream had no time to tell of it
    h.now.boot += 5s;
    h.watch->resume(h.now.boot - 5s); // nor when its answer was late
    QCOMPARE(h.watch->state(), Watch::State::Watching);
    QCOMPARE(h.lists(), 1);
    QCOMPARE(h.streams.size(), 2);
    // But when it was answered, and still is silent, a list has to do.
    QTRY_VERIFY((h.now.boot += 5s, h.watch->resume(h.now.boot), h.lists() == 2));
}

void TestWatch::relist()
{
    WatchHarness h;
    h.watch->relist();
    QCOMPARE(h.watch->state(), Watch::State::Idle);
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.onList = [](const ExchangePtr &x) { x->answer(200, listJson("40", {})); };
    h.watch->relist();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{u"listed 10: a=5"_s, u"listed 40:"_s}));
    QCOMPARE(h.watchedFrom().last(), u"40"_s);
    QTRY_VERIFY(!h.streams.first()->open());
}

void TestWatch::stopIsSilent()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.watch->stop();
    QCOMPARE(h.watch->state(), Watch::State::Idle);
    h.streams.first()->send(sample);
    QTest::qWait(30);
    QCOMPARE(h.log(), QStringList{u"listed 10: a=5"_s});
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.lists(), 2);
}

void TestWatch::stopInsideObserver()
{
    WatchHarness h;
    h.onObserved = [&](const Observation &) {
        if (h.log().last() == u"modified a=12"_s)
            h.watch->stop();
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(sample);
    QTRY_COMPARE(h.watch->state(), Watch::State::Idle);
    QTest::qWait(30);
    QCOMPARE(h.log(), sampleLog.mid(0, 3));
}

void TestWatch::relistInsideObserver()
{
    WatchHarness h;
    int events = 0;
    h.onObserved = [&](const Observation &observation) {
        const bool lists = std::holds_alternative<Listed>(observation.what);
        if ((lists && h.lists() == 1) || (std::holds_alternative<Changed>(observation.what) && ++events == 1))
            h.watch->relist();
    };
    h.watch->start();
    QTRY_COMPARE(h.lists(), 2);
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.last()->send(sample);
    QTRY_COMPARE(h.lists(), 3);
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{u"listed 10: a=5"_s, u"listed 10: a=5"_s, u"added b=11"_s, u"listed 10: a=5"_s}));
}

void TestWatch::clientDiesFirst()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.client.reset();
    QTest::qWait(20);
    h.watch->relist();
    h.watch->stop();
    QCOMPARE(h.log(), QStringList{u"listed 10: a=5"_s});
}

QTEST_GUILESS_MAIN(TestWatch)
#include "tst_watch.moc"
