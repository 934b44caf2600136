// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulator/annotations.h"
#include "app/simulator/object_store.h"

#include <QTest>

using namespace switchyard::simulator;
using namespace std::chrono_literals;

namespace {

const SimTime epoch{};

Json object(const std::string &name, Json annotations = Json::object())
{
    return {{"metadata", {{"name", name}, {"annotations", std::move(annotations)}}}};
}

} // namespace

class TestObjectStore : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void createFillsInWhatAServerFillsIn()
    {
        ObjectStore store;
        const Answer answer = store.create(Kind::Endpoints, "demo", object("a", {{"leader", "a-0"}}), SimTime(90s));
        QCOMPARE(answer.code, 201);
        const Json metadata = answer.body["metadata"];
        QCOMPARE(answer.body["kind"].get<std::string>(), std::string("Endpoints"));
        QCOMPARE(metadata["namespace"].get<std::string>(), std::string("demo"));
        QCOMPARE(metadata["creationTimestamp"].get<std::string>(), std::string("1970-01-01T00:01:30Z"));
        QCOMPARE(metadata["uid"].get<std::string>().size(), std::size_t{36});
        QCOMPARE(metadata["resourceVersion"].get<std::string>(), std::to_string(store.version()));
    }

    void createTwiceIsAlreadyExists()
    {
        ObjectStore store;
        store.create(Kind::Endpoints, "demo", object("a"), epoch);
        const Answer again = store.create(Kind::Endpoints, "demo", object("a"), epoch);
        QCOMPARE(again.code, 409);
        QCOMPARE(again.body["reason"].get<std::string>(), std::string("AlreadyExists"));
        QCOMPARE(again.body["details"]["name"].get<std::string>(), std::string("a"));
        QCOMPARE(store.create(Kind::ConfigMaps, "demo", object("a"), epoch).code, 201);
        QCOMPARE(store.create(Kind::Endpoints, "other", object("a"), epoch).code, 201);
    }

    void badCreates_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("code");
        QTest::newRow("no metadata") << QByteArray("{}") << 400;
        QTest::newRow("no name") << QByteArray(R"({"metadata":{}})") << 422;
        QTest::newRow("null annotation") << QByteArray(R"({"metadata":{"name":"a","annotations":{"member":null}}})") << 422;
        QTest::newRow("number as annotation") << QByteArray(R"({"metadata":{"name":"a","annotations":{"ttl":30}}})") << 422;
        QTest::newRow("with a version") << QByteArray(R"({"metadata":{"name":"a","resourceVersion":"4"}})") << 400;
        QTest::newRow("other namespace") << QByteArray(R"({"metadata":{"name":"a","namespace":"x"}})") << 400;
    }
    void badCreates()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, code);
        ObjectStore store;
        QCOMPARE(store.create(Kind::Endpoints, "demo", Json::parse(text.toStdString()), epoch).code, code);
        QCOMPARE(store.list(Kind::Endpoints, {}).size(), std::size_t{0});
    }

    void mergePatchSetsAndRemoves()
    {
        ObjectStore store;
        store.create(Kind::Endpoints, "demo", object("a", {{"leader", "a-0"}, {"keep", "1"}}), epoch);
        const Answer answer = store.patch(Kind::Endpoints, "demo", "a",
                                          {{"metadata", {{"annotations", {{"leader", nullptr}, {"member", "a-1"}}}}}});
        QCOMPARE(answer.code, 200);
        QCOMPARE(answer.body["metadata"]["annotations"].dump(), std::string(R"({"keep":"1","member":"a-1"})"));
    }

    void patchThatChangesNothingMakesNoVersion()
    {
        ObjectStore store;
        store.create(Kind::Endpoints, "demo", object("a", {{"leader", "a-0"}}), epoch);
        const auto before = store.version();
        QCOMPARE(store.patch(Kind::Endpoints, "demo", "a", {{"metadata", {{"annotations", {{"leader", "a-0"}, {"x", nullptr}}}}}}).code,
                 200);
        QCOMPARE(store.version(), before);
        QVERIFY(store.eventsSince(before)->empty());
    }

    void precondition()
    {
        ObjectStore store;
        const std::string first = store.create(Kind::Endpoints, "demo", object("a"), epoch).body["metadata"]["resourceVersion"];
        const auto patch = [&](const std::string &version, const char *value) {
            return store.patch(Kind::Endpoints, "demo", "a",
                               {{"metadata", {{"resourceVersion", version}, {"annotations", {{"leader", value}}}}}});
        };
        QCOMPARE(patch(first, "a-0").code, 200);
        const Answer late = patch(first, "a-1");
        QCOMPARE(late.code, 409);
        QCOMPARE(late.body["reason"].get<std::string>(), std::string("Conflict"));
        QCOMPARE(store.annotation(Kind::Endpoints, "demo", "a", "leader"), std::string("a-0"));
    }

    void patchOfNothingIsNotFound()
    {
        ObjectStore store;
        const Answer answer = store.patch(Kind::Endpoints, "demo", "a", Json::object());
        QCOMPARE(answer.code, 404);
        QCOMPARE(answer.body["details"]["kind"].get<std::string>(), std::string("endpoints"));
    }

    void logTellsChangesAndForgets()
    {
        ObjectStore store(1, 3);
        const auto start = store.version();
        store.create(Kind::Endpoints, "demo", object("a"), epoch);
        store.patch(Kind::Endpoints, "demo", "a", {{"metadata", {{"annotations", {{"n", "1"}}}}}});
        store.remove(Kind::Endpoints, "demo", "a");
        const auto events = store.eventsSince(start);
        QVERIFY(events.has_value());
        QCOMPARE(events->size(), std::size_t{3});
        QCOMPARE(QByteArray((*events)[0].type), QByteArray("ADDED"));
        QCOMPARE(QByteArray((*events)[2].type), QByteArray("DELETED"));
        QCOMPARE(events->back().object->at("metadata")["resourceVersion"].get<std::string>(), std::to_string(store.version()));

        store.create(Kind::Endpoints, "demo", object("b"), epoch);
        QVERIFY(!store.eventsSince(start).has_value());
        QCOMPARE(store.eventsSince(start + 1)->size(), std::size_t{3});
    }

    void emptySubsetsAreLeftOut()
    {
        ObjectStore store;
        Json endpoints = object("a");
        endpoints["subsets"] = Json::array({{{"addresses", Json::array({{{"ip", "10.0.0.1"}}})}}});
        store.create(Kind::Endpoints, "demo", endpoints, epoch);
        QVERIFY(store.find(Kind::Endpoints, "demo", "a")->contains("subsets"));
        store.patch(Kind::Endpoints, "demo", "a", {{"subsets", Json::array()}});
        QVERIFY(!store.find(Kind::Endpoints, "demo", "a")->contains("subsets"));
    }

    void schedules_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("form");
        QTest::addColumn<qint64>("seconds"); // since midnight of 2031-02-03
        const auto row = [](const char *text, Schedule::Form form, qint64 seconds = -1) {
            QTest::newRow(text) << QByteArray(text) << static_cast<int>(form) << seconds;
        };
        using enum Schedule::Form;
        row("", None);
        row("2031-02-03T01:30:00+00:00", At, 5400);
        row("2031-02-03T01:30:00Z", At, 5400);
        row("2031-02-03T01:30:00+01:30", At, 0);
        row("2031-02-02T23:30:00-01:00", At, 1800);
        row("2031-02-03 01:30+0000", At, 5400);
        row("2031-02-03T01:30:00.25+00", At, 5400);
        row("2031-02-03T01:30:00+1", Unparsable);
        row("2031-02-03T01:30:00+01:", Unparsable);
        row("2031-02-03T01:30:00+01:00x", Unparsable);
        row("2031-02-03T01:30:", Unparsable);
        row("2031-02-03", Naive);
        row("2031-02-03T", Unparsable);
        row("2031-02-03T01:30", Naive);
        row("2031-02-03T01:30 XYZ", Naive);
        row("tomorrow", Unparsable);
        row("1930000000", Unparsable);
        row("2031-13-03T01:30:00+00:00", Unparsable);
        row("2031-02-30T01:30:00+00:00", Unparsable);
        row("2031-02-03T24:00:00+00:00", Unparsable);
        row("  ", Unparsable);
    }
    void schedules()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, form);
        QFETCH(qint64, seconds);
        const Schedule schedule = parseSchedule(text.toStdString());
        QCOMPARE(static_cast<int>(schedule.form), form);
        if (seconds >= 0)
            QCOMPARE((schedule.at - std::chrono::sys_days(std::chrono::year(2031) / 2 / 3)).count() / 1000000, seconds);
    }

    void texts()
    {
        const SimTime t = std::chrono::sys_days(std::chrono::year(2031) / 2 / 1) + 6h + 11s;
        QCOMPARE(isoText(t), std::string("2031-02-01T06:00:11+00:00"));
        QCOMPARE(isoText(t + 402us), std::string("2031-02-01T06:00:11.000402+00:00"));
        QCOMPARE(historyText({{7, 668991488, t, "acme-1"}}),
                 std::string(R"([[7,668991488,"no recovery target specified","2031-02-01T06:00:11+00:00","acme-1"]])"));
        QCOMPARE(slotsText({{slotName("acme-0"), 8}, {"b", 16}}), std::string(R"({"acme_0":8,"b":16})"));
        QCOMPARE(retainSlotsText({"a", "b"}), std::string(R"(["a", "b"])"));
        QVERIFY(parseVersion("3.0.2") < parseVersion("3.0.4") && parseVersion("4.0.7") < parseVersion("4.1.0"));
    }
};

QTEST_APPLESS_MAIN(TestObjectStore)
#include "tst_object_store.moc"
