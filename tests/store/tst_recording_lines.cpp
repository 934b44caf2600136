// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of a recording, good and bad.
#include "models/store/recording.h"
#include "models/store/recording_line.h"

#include <QtTest>

using namespace switchyard;
using namespace std::chrono_literals;

namespace {

const std::string head = R"({"t":1.5,"wall":"2031-02-01T06:00:00.5+00:00","resource":"endpoints",)";

Result<Observation> line(const std::string &rest)
{
    return decodeRecordingLine(head + rest + '}', "ctx", "file", 7);
}

} // namespace

class RecordingLinesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void kinds();
    void errors_data();
    void errors();
    void bad_data();
    void bad();
    void whole();
    void replayStops();
    void members_data();
    void members();
};

void RecordingLinesTest::kinds()
{
    const auto list = line(R"("list":{"kind":"EndpointsList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}]})");
    QVERIFY(list);
    QCOMPARE(list->seen, Boot(1500ms));
    QCOMPARE(formatUtc(list->wall), std::string("2031-02-01T06:00:00.500000Z"));
    QCOMPARE(list->resource, Resource::Endpoints);
    QCOMPARE(list->context, std::string("ctx"));
    QCOMPARE(std::get<Listed>(list->what).items.size(), std::size_t(1));
    const auto event = line(R"("event":{"type":"DELETED","object":{"kind":"Endpoints","metadata":{"name":"a","resourceVersion":"8"}}})");
    QVERIFY(event);
    QCOMPARE(std::get<Changed>(event->what).type, EventType::Deleted);
    const auto bookmark = line(R"("event":{"type":"BOOKMARK","object":{"kind":"Endpoints","metadata":{"resourceVersion":"9"}}})");
    QVERIFY(bookmark);
    QCOMPARE(std::get<Bookmarked>(bookmark->what).resourceVersion, std::string("9"));
    const auto gone = line(R"("event":{"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired","code":410}})");
    QVERIFY(gone);
    QCOMPARE(std::get<Lost>(gone->what).error.kind, ErrorKind::Gone);
    const auto get = line(R"("get":{"name":"a","resourceVersion":"7"})");
    QVERIFY(get);
    QCOMPARE(std::get<Confirmed>(get->what).resourceVersion, std::optional<std::string>("7"));
    const auto missing = line(R"("get":{"name":"a","status":404})");
    QVERIFY(missing);
    QVERIFY(!std::get<Confirmed>(missing->what).resourceVersion);
    const auto silent = line(R"x("get":{"name":"a","error":"TimeoutError('timed out')"})x");
    QVERIFY(silent);
    QCOMPARE(std::get<ProbeFailed>(silent->what).error.kind, ErrorKind::Unreachable);
}

void RecordingLinesTest::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("kind");
    const auto row = [](const char *text, ErrorKind kind) { QTest::newRow(text) << QByteArray(text) << static_cast<int>(kind); };
    row("ConnectionRefusedError(111, 'Connection refused')", ErrorKind::Unreachable);
    row("RuntimeError('list: HTTP 403')", ErrorKind::Forbidden);
    row("RuntimeError('list: HTTP 401')", ErrorKind::Unauthorized);
    row("RuntimeError('list: HTTP 410')", ErrorKind::Gone);
    row("RuntimeError('list: HTTP 500')", ErrorKind::Server);
}

void RecordingLinesTest::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(int, kind);
    const auto lost = line("\"error\":\"" + text.toStdString() + '"');
    QVERIFY(lost);
    QCOMPARE(static_cast<int>(std::get<Lost>(lost->what).error.kind), kind);
}

void RecordingLinesTest::bad_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("field");
    const auto row = [](const char *text, const char *field) { QTest::newRow(text) << QByteArray(text) << QByteArray(field); };
    row("", "");
    row("[]", "");
    row("{\"t\":1", "");
    row(R"({"wall":"2031-02-01T06:00:00Z","resource":"pods"})", "t");
    row(R"({"t":"1","wall":"2031-02-01T06:00:00Z","resource":"pods"})", "t");
    row(R"({"t":1e300,"wall":"2031-02-01T06:00:00Z","resource":"pods"})", "t");
    row(R"({"t":1,"wall":"yesterday","resource":"pods"})", "wall");
    row(R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"secrets"})", "resource");
    row(R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"pods"})", "");
    row(R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"pods","list":3})", "list");
    row(R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"pods","event":{"type":"ADDED"}})", "event");
    row(R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"pods","get":{"name":"a"}})", "get");
}

void RecordingLinesTest::bad()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, field);
    const auto result = decodeRecordingLine(text.toStdString(), "ctx", "file", 7);
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::BadInput);
    QCOMPARE(result.error().where, std::string("file:7"));
    QCOMPARE(QByteArray::fromStdString(result.error().field), field);
}

void RecordingLinesTest::whole()
{
    const std::string later = R"({"t":2,"wall":"2031-02-01T06:00:01Z","resource":"pods","error":"x"})";
    const std::string sooner = R"({"t":1,"wall":"2031-02-01T06:00:00Z","resource":"pods","error":"y"})";
    const std::string badItem =
        R"({"t":3,"wall":"2031-02-01T06:00:02Z","resource":"pods","list":{"kind":"PodList","metadata":{},"items":[{},{"metadata":{"name":"p"}}]}})";
    BadLines bad;
    const auto all = decodeRecording(later + "\nnonsense\n\n" + sooner + "\r\n" + badItem, "ctx", "file", &bad);
    QVERIFY(all);
    QCOMPARE(bad.count, std::size_t(1)); // an item that cannot be read is no line
    QCOMPARE(bad.first, 2);
    QCOMPARE(all->size(), std::size_t(5));
    QVERIFY(std::holds_alternative<Lost>((*all)[0].what));
    QCOMPARE((*all)[0].seen, Boot(1s));
    QVERIFY(std::holds_alternative<Undecodable>((*all)[2].what)); // keeps its place
    QVERIFY(std::holds_alternative<Undecodable>((*all)[3].what)); // an item, told before its list
    QCOMPARE(std::get<Listed>((*all)[4].what).items.size(), std::size_t(1));
    QVERIFY(!decodeRecording("", "ctx", "file"));
    QVERIFY(!decodeRecording("nonsense\nmore\n", "ctx", "file", &bad));
    QCOMPARE(bad.count, std::size_t(2));
    QVERIFY(decodeRecording(later + '\n' + sooner, "ctx", "file", &bad));
    QCOMPARE(bad.count, std::size_t(0));
    QCOMPARE(bad.first, 0);
}

void RecordingLinesTest::replayStops()
{
    const std::string text = R"({"t":1,"wall":"2031-02-01T06:00:01Z","resource":"pods","error":"x"}
{"t":9,"wall":"2031-02-01T06:00:09Z","resource":"pods","list":{"kind":"PodList","metadata":{},"items":[]}})";
    const auto all = decodeRecording(text, "ctx", "file");
    QVERIFY(all);
    ClusterStore store;
    int told = 0;
    replay(store, *all, Boot(5s), [&](const StoreChanges &) { ++told; });
    QCOMPARE(told, 1);
    QCOMPARE(store.now().boot, Boot(5s));
    QCOMPARE(formatUtc(store.now().wall), std::string("2031-02-01T06:00:05.000000Z"));
    QCOMPARE(store.contexts().front().freshness, patroni::Freshness::Stale);
}

void RecordingLinesTest::members_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("keys");
    const auto row = [](const char *text, const char *keys) { QTest::newRow(text) << QByteArray(text) << QByteArray(keys); };
    row("{}", "");
    row(R"({"a":1,"b":{"c":"}"},"d":[1,{"e":"]"}]})", R"(a=1 b={"c":"}"} d=[1,{"e":"]"}] )");
    row(R"( { "a" : "x\"}" , "b" : null } )", R"(a="x\"}" b=null )");
    row(R"({"a":)", "bad");
    row(R"({"a":1)", "bad");
    row(R"({"a":1}x)", "bad");
    row(R"({"a":[1})", "bad");
    row(R"({"a" 1})", "bad");
    row(R"({"a":"x)", "bad");
    row(R"({"a":1,})", "bad");
}

void RecordingLinesTest::members()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, keys);
    const std::string json = text.toStdString();
    const auto members = membersOf(json);
    QByteArray found = members ? "" : "bad";
    if (members) {
        for (const auto &[key, value] : *members)
            found += QByteArray::fromStdString(key + '=' + std::string(value) + ' ');
    }
    QCOMPARE(found, keys);
}

QTEST_APPLESS_MAIN(RecordingLinesTest)
#include "tst_recording_lines.moc"
