// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What a server, or the way to it, can do wrong to a watch; each case ends with the watch going on.
#include "objects.h"
#include "tests/support/patience.h"
#include "watch_harness.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::kube;
using namespace switchyard::test;
using namespace Qt::StringLiterals;
using std::chrono::milliseconds;

class TestWatchTrouble : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void brokenConnection();
    void goneAsStatus();
    void goneAsEvent_data();
    void goneAsEvent();
    void goneAgainAndAgain();
    void continueTokenExpires();
    void continueTokenAlwaysExpires();
    void listInOnePieceInTheEnd();
    void continueTokenRepeats();
    void listErrors_data();
    void listErrors();
    void retryAfter_data();
    void retryAfter();
    void watchErrors_data();
    void watchErrors();
    void errorEvents_data();
    void errorEvents();
    void forbidden_data();
    void forbidden();
    void watchForbidden();
    void garbageLines();
    void lineWithoutEnd();
    void cutList();
    void serverRefusesConnections();
    void frozenBeforeHeaders();
    void backoffGrowsAndIsReset();
};

static const QString listedFirst = u"listed 10: a=5"_s;

static void answerGone(const ExchangePtr &x)
{
    x->answer(410, statusJson(410, "Expired", "too old resource version: 10 (90)"));
}

void TestWatchTrouble::brokenConnection()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(bookmarkJson(12) + "{\"type\":\"ADD");
    QTRY_COMPARE(h.log().last(), u"bookmark 12"_s);
    h.streams.first()->reset();
    QTRY_COMPARE(h.streams.size(), 2);
    // taken up again: said at once, for a quiet stream brings no event that would tell
    QTRY_COMPARE(h.log(), (QStringList{listedFirst, u"bookmark 12"_s, u"lost Unreachable"_s, u"resumed"_s}));
    QCOMPARE(h.watchedFrom().last(), u"12"_s);
    QCOMPARE(h.lastError().verb, std::string("watch"));
    QCOMPARE(h.lastError().resource, std::string("endpoints"));
    QCOMPARE(h.lastError().ns, std::string("db"));
    QVERIFY(!h.lastError().message.empty());
    h.streams.last()->send(eventJson("ADDED", objectJson("b", 13)));
    QTRY_COMPARE(h.log().last(), u"added b=13"_s);
}

void TestWatchTrouble::goneAsStatus()
{
    WatchHarness h;
    h.onWatch = [&](const ExchangePtr &x) { h.streams.size() == 1 ? answerGone(x) : x->startStream(); };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{listedFirst, listedFirst}));
    QCOMPARE(h.lists(), 2);
}

void TestWatchTrouble::goneAsEvent_data()
{
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("410 Expired") << statusJson(410, "Expired", "too old resource version");
    QTest::newRow("410 Gone") << statusJson(410, "Gone", "too old resource version");
    QTest::newRow("Expired without code") << statusJson(0, "Expired", "too old resource version");
    QTest::newRow("Gone without code") << statusJson(0, "Gone", "too old resource version");
    QTest::newRow("Expired as 500") << statusJson(500, "Expired", "too old resource version");
    QTest::newRow("410 without reason") << statusJson(410, "", "too old resource version");
}

void TestWatchTrouble::goneAsEvent()
{
    QFETCH(QByteArray, status);
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.onList = [](const ExchangePtr &x) { x->answer(200, listJson("90", {objectJson("a", 88)})); };
    h.streams.first()->send(eventJson("ERROR", status) + eventJson("ADDED", objectJson("never", 95)));
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{listedFirst, u"listed 90: a=88"_s}));
    QCOMPARE(h.watchedFrom(), (QStringList{u"10"_s, u"90"_s}));
}

void TestWatchTrouble::goneAgainAndAgain()
{
    WatchTimes times = quickTimes();
    times.backoffMin = milliseconds(60);
    times.backoffMax = milliseconds(120);
    WatchHarness h(times);
    h.onWatch = answerGone;
    h.watch->start();
    QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
    QTest::qWait(300);
    QVERIFY2(h.lists() <= 8, qPrintable(QString::number(h.lists())));
    QVERIFY(h.log().contains(u"lost Server"_s));
}

void TestWatchTrouble::continueTokenExpires()
{
    WatchHarness h;
    int requests = 0;
    h.onList = [&](const ExchangePtr &x) {
        const bool first = x->request().query(u"continue"_s).isEmpty();
        ++requests;
        if (requests == 2)
            x->answer(410, statusJson(410, "Expired", "The provided continue parameter is too old"));
        else if (first)
            x->answer(200, listJson(QByteArray::number(requests * 10), {objectJson("a", requests)}, "next"));
        else
            x->answer(200, listJson("30", {objectJson("b", 4)}));
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.log(), QStringList{u"listed 30: a=3 b=4"_s});
    QCOMPARE(h.lists(), 4);
}

void TestWatchTrouble::continueTokenAlwaysExpires()
{
    WatchTimes times = quickTimes();
    times.backoffMin = times.backoffMax = milliseconds(60000);
    WatchHarness h(times);
    h.onList = [](const ExchangePtr &x) {
        x->request().query(u"continue"_s).isEmpty() ? x->answer(200, listJson("10", {}, "next")) : answerGone(x);
    };
    h.watch->start();
    QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
    QCOMPARE(h.log(), QStringList{u"lost Server"_s});
    QVERIFY(h.lists() <= 10);
}

// A list that takes longer than the server keeps its version is asked for in one piece.
void TestWatchTrouble::listInOnePieceInTheEnd()
{
    WatchHarness h;
    h.onList = [](const ExchangePtr &x) {
        if (x->request().query(u"limit"_s).isEmpty())
            x->answer(200, listJson("10", {objectJson("a", 5), objectJson("b", 6)}));
        else
            x->request().query(u"continue"_s).isEmpty() ? x->answer(200, listJson("10", {}, "next")) : answerGone(x);
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.log(), QStringList{u"listed 10: a=5 b=6"_s});
    QCOMPARE(h.lists(), 9);
}

void TestWatchTrouble::continueTokenRepeats()
{
    WatchHarness h;
    h.onList = [](const ExchangePtr &x) { x->answer(200, listJson("10", {}, "same")); };
    h.watch->start();
    QTRY_VERIFY(h.log().contains(u"lost Server"_s));
    QVERIFY(h.lists() <= 12);
}

void TestWatchTrouble::listErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("lost");
    QTest::newRow("500") << 500 << statusJson(500, "InternalError", "etcd") << u"lost Server"_s;
    QTest::newRow("503 without a Status") << 503 << QByteArray("<html/>") << u"lost Server"_s;
    QTest::newRow("429") << 429 << statusJson(429, "TooManyRequests", "storage is (re)initializing") << u"lost Throttled"_s;
    QTest::newRow("504") << 504 << statusJson(504, "Timeout", "Too large resource version") << u"lost Server"_s;
    QTest::newRow("not JSON") << 200 << QByteArray("<html>log in</html>") << u"lost Server"_s;
    QTest::newRow("half JSON") << 200 << QByteArray(R"({"kind":"EndpointsList","items":[{}})") << u"lost Server"_s;
    QTest::newRow("no version") << 200 << QByteArray(R"({"kind":"EndpointsList","metadata":{},"items":[]})") << u"lost Server"_s;
    QTest::newRow("empty") << 200 << QByteArray() << u"lost Server"_s;
    QTest::newRow("redirection") << 302 << QByteArray() << u"lost Server"_s;
}

void TestWatchTrouble::listErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, lost);
    kube::WatchTimes times = quickTimes();
    times.listLimit = milliseconds(900); // too short for a second try: each answer is told
    WatchHarness h(times);
    const auto good = h.onList;
    h.onList = [&](const ExchangePtr &x) { h.log().count(lost) < 2 ? x->answer(status, body) : good(x); };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QStringList told = h.log();
    told.removeAll(u"lost Unreachable"_s); // answered too late, on a slow machine
    QCOMPARE(told, (QStringList{lost, lost, listedFirst}));
    QCOMPARE(h.lastError().verb, std::string("list"));
    QCOMPARE(h.lastError().resource, std::string("endpoints"));
    QCOMPARE(h.lastError().ns, std::string("db"));
    QVERIFY(!h.lastError().message.empty());
}

void TestWatchTrouble::retryAfter_data()
{
    QTest::addColumn<bool>("onWatch");
    QTest::newRow("list") << false;
    QTest::newRow("watch") << true;
}

void TestWatchTrouble::retryAfter()
{
    QFETCH(bool, onWatch);
    WatchHarness h;
    const auto told = [](const ExchangePtr &x) {
        x->answer(429, statusJson(429, "TooManyRequests", "slow down"), {{"Retry-After", "20"}});
    };
    (onWatch ? h.onWatch : h.onList) = told;
    h.watch->start();
    QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
    QCOMPARE(h.log().last(), u"lost Throttled"_s);
    QVERIFY(*h.watch->retryIn() > milliseconds(5000) && *h.watch->retryIn() <= milliseconds(20010));
    h.watch->relist(); // by hand it does not wait
    QCOMPARE(h.watch->state(), Watch::State::Listing);
}

void TestWatchTrouble::watchErrors_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("lost");
    QTest::addColumn<bool>("lists");
    QTest::newRow("500") << 500 << statusJson(500, "InternalError", "etcd") << u"lost Server"_s << false;
    QTest::newRow("429") << 429 << statusJson(429, "TooManyRequests", "slow") << u"lost Throttled"_s << false;
    QTest::newRow("503 without a Status") << 503 << QByteArray("<html/>") << u"lost Server"_s << false;
    QTest::newRow("504 too large version") << 504 << statusJson(504, "Timeout", "Too large resource version: 10, current: 3")
                                           << u"lost Server"_s << true;
    QTest::newRow("ResourceVersionTooLarge") << 504 << statusJson(504, "ResourceVersionTooLarge", "x") << u"lost Server"_s << true;
    QTest::newRow("400 bad version") << 400 << statusJson(400, "BadRequest", "invalid resource version") << u"lost kind 0"_s << true;
}

void TestWatchTrouble::watchErrors()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, lost);
    QFETCH(bool, lists);
    WatchHarness h;
    h.onWatch = [&](const ExchangePtr &x) { h.streams.size() == 1 ? x->answer(status, body) : x->startStream(); };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.lists(), lists ? 2 : 1);
    QCOMPARE(h.log(), lists ? (QStringList{listedFirst, lost, listedFirst}) : (QStringList{listedFirst, lost}));
    QCOMPARE(h.lastError().verb, std::string("watch"));
    QCOMPARE(h.lastError().httpStatus, status);
}

void TestWatchTrouble::errorEvents_data()
{
    watchErrors_data();
}

void TestWatchTrouble::errorEvents()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QString, lost);
    QFETCH(bool, lists);
    if (!body.startsWith("{\"kind\""))
        return;
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(bookmarkJson(11) + eventJson("ERROR", body) + eventJson("ADDED", objectJson("never", 95)));
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.lists(), lists ? 2 : 1);
    const QStringList start{listedFirst, u"bookmark 11"_s, lost};
    QCOMPARE(h.log(), lists ? start + QStringList{listedFirst} : start);
    QCOMPARE(h.watchedFrom().last(), lists ? u"10"_s : u"11"_s);
    QCOMPARE(h.lastError().httpStatus, status);
}

void TestWatchTrouble::forbidden_data()
{
    QTest::addColumn<bool>("onWatch");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("lost");
    QTest::newRow("list 403") << false << 403 << u"lost Forbidden"_s;
    QTest::newRow("list 401") << false << 401 << u"lost Unauthorized"_s;
    QTest::newRow("watch 401") << true << 401 << u"lost Unauthorized"_s;
    QTest::newRow("list 404") << false << 404 << u"lost NotFound"_s;
}

void TestWatchTrouble::forbidden()
{
    QFETCH(bool, onWatch);
    QFETCH(int, status);
    QFETCH(QString, lost);
    WatchTimes times = quickTimes();
    times.backoffMax = times.refusedMin = milliseconds(30000);
    times.refusedMax = milliseconds(300000);
    WatchHarness h(times);
    (onWatch ? h.onWatch : h.onList) = [&](const ExchangePtr &x) { x->answer(status, statusJson(status, "", "no")); };
    h.watch->start();
    QTRY_COMPARE(h.watch->state(), Watch::State::Waiting);
    QCOMPARE(h.log().last(), lost);
    QVERIFY(*h.watch->retryIn() > milliseconds(5000));
    const Error error = h.lastError();
    QCOMPARE(error.verb, std::string(onWatch ? "watch" : "list"));
    QCOMPARE(error.resource, std::string("endpoints"));
    QCOMPARE(error.ns, std::string("db"));
    QCOMPARE(error.httpStatus, status);
}

// Lists are allowed: they have to do, and the watch is tried again.
void TestWatchTrouble::watchForbidden()
{
    WatchTimes times = quickTimes();
    times.refusedPoll = milliseconds(20);
    times.refusedAgain = milliseconds(30000);
    WatchHarness h(times);
    int refused = 0;
    h.onWatch = [&](const ExchangePtr &x) {
        ++refused;
        x->answer(403, statusJson(403, "Forbidden", "no"));
    };
    h.watch->start();
    QTRY_VERIFY(h.lists() >= 4);
    QVERIFY(h.watch->listsInstead());
    QTRY_COMPARE(h.watch->state(), Watch::State::Watching); // between two lists
    QCOMPARE(refused, 1);
    h.watch->relist(); // F5
    QTRY_COMPARE(refused, 2);
    const int listed = h.lists();
    QTRY_VERIFY(h.lists() > listed); // the refusal has arrived
    h.watch->retryNow();
    QTRY_COMPARE(refused, 3);
    for (const QString &line : h.log())
        QVERIFY2(line.startsWith(u"listed"_s), qPrintable(line));
    ExchangePtr allowed;
    int opened = 0;
    h.onWatch = [&](const ExchangePtr &x) {
        x->startStream();
        allowed = x;
        ++opened;
    };
    h.watch->relist();
    QTRY_VERIFY(!h.watch->listsInstead());
    QTRY_COMPARE(opened, 2); // with one more list between, as lists were promised
    allowed->send(bookmarkJson(11));
    QTRY_VERIFY(h.log().contains(u"bookmark 11"_s));
    const int lists = h.lists();
    QTest::qWait(60);
    QCOMPARE(h.lists(), lists);
}

void TestWatchTrouble::garbageLines()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.streams.first()->send(QByteArray("<html>\n") + "{\"type\":\"ADDED\"\n" + "\n" + "[]\n" + QByteArray("\0\xff\xfe\n", 4) + "null\n"
                            + eventJson("WHATEVER", objectJson("c", 11)) + eventJson("ADDED", objectJson("b", 12)));
    QTRY_VERIFY(h.log().contains(u"added b=12"_s));
    const auto undecodable = h.log().count(u"undecodable"_s);
    QCOMPARE(static_cast<int>(undecodable), 6);
    QCOMPARE(h.lastError().verb, std::string("watch"));
    QTRY_COMPARE(h.streams.size(), 2); // what the lines told is lost: listed again, once
    QCOMPARE(h.lists(), 2);
    h.streams.last()->send(bookmarkJson(20));
    QTRY_COMPARE(h.log().last(), u"bookmark 20"_s);
}

void TestWatchTrouble::lineWithoutEnd()
{
    WatchTimes times = quickTimes();
    times.maxLine = 2000;
    WatchHarness h(times);
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    for (int i = 0; i < 5; ++i)
        h.streams.first()->send(QByteArray(500, 'x'));
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{listedFirst, u"undecodable"_s, listedFirst}));
}

void TestWatchTrouble::cutList()
{
    WatchHarness h;
    const QByteArray body = listJson("10", {objectJson("a", 5)});
    const auto good = h.onList;
    h.onList = [&](const ExchangePtr &x) {
        if (h.lists() > 1)
            return good(x);
        x->answer(200, body.left(body.size() - 2), {{"Content-Length", QByteArray::number(body.size())}});
        x->close();
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    QCOMPARE(h.log().last(), listedFirst);
    QVERIFY(h.log().size() <= 2);
}

void TestWatchTrouble::serverRefusesConnections()
{
    WatchHarness h;
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 1);
    h.server.stopListening();
    h.streams.first()->reset();
    QTRY_VERIFY(h.log().count(u"lost Unreachable"_s) >= 3);
    QVERIFY(h.lastError().message.find("refused") != std::string::npos);
    QCOMPARE(h.lists(), 1);
}

void TestWatchTrouble::frozenBeforeHeaders()
{
    WatchTimes times = quickTimes();
    times.listLimit = milliseconds(3000);
    WatchHarness h(times);
    h.onWatch = [&](const ExchangePtr &x) {
        if (h.streams.size() > 1)
            x->startStream();
    };
    h.watch->start();
    QTRY_COMPARE(h.streams.size(), 2);
    QCOMPARE(h.log(), (QStringList{listedFirst, u"lost Unreachable"_s}));
    QCOMPARE(h.lastError().message, std::string("no answer within 3 s"));
}

void TestWatchTrouble::backoffGrowsAndIsReset()
{
    WatchTimes times = quickTimes();
    times.backoffMin = milliseconds(8);
    times.backoffMax = milliseconds(60000);
    WatchHarness h(times);
    const auto fail = [](const ExchangePtr &x) { x->answer(500, statusJson(500, "InternalError", "x")); };
    QList<milliseconds> seen;
    connect(h.watch.get(), &Watch::stateChanged, this, [&] {
        if (h.watch->state() == Watch::State::Waiting)
            seen.append(*h.watch->retryIn());
    });
    h.onWatch = fail;
    h.watch->start();
    QTRY_VERIFY(seen.size() >= 5);
    QVERIFY(seen.at(0) <= milliseconds(16));
    QVERIFY(seen.at(4) >= milliseconds(120)); // doubled four times, half of it as the lower end
    h.onWatch = [](const ExchangePtr &x) {
        x->startStream();
        x->send(bookmarkJson(50));
    };
    QTRY_VERIFY(h.log().contains(u"bookmark 50"_s));
    seen.clear();
    h.streams.last()->reset();
    QTRY_VERIFY(!seen.isEmpty());
    QVERIFY(seen.first() <= milliseconds(16));
}

QTEST_GUILESS_MAIN(TestWatchTrouble)
#include "tst_watch_trouble.moc"
