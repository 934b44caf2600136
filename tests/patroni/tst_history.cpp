// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;

class TestHistory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shapes_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<int>("timeline"); // 0: unknown
        QTest::addColumn<int>("entries");
        QTest::addColumn<QByteArray>("defects");
        const auto row = [](const char *json, int timeline, int entries, const char *defects = "") {
            QTest::newRow(json) << QByteArray(json) << timeline << entries << QByteArray(defects);
        };
        row("[]", 1, 0);
        row(R"([[1,25165984,"no recovery target specified"]])", 2, 1);
        row(R"([[6,1,"x"],[7,2,"x","2031-02-01T06:00:12.551+00:00"],[9,3,"x","2031-02-01T06:00:12.551+00:00","acme-1"]])", 10, 3);
        row(R"([["6","1","x"]])", 7, 1);
        row(R"([[6.0,1,"x"]])", 7, 1);
        row(R"([[6,1]])", 7, 1);
        row(R"([[6,1,null,null,null]])", 7, 1);
        row(R"([[6,1,"x","","", "more", 7]])", 7, 1);
        row(R"([[6,1,"x",7,{}]])", 7, 1);
        row(R"([[6,1,"x","yesterday","acme-1"]])", 7, 1, "history[0][3]");
        row(R"([[4294967294,1,"x"]])", int(4294967295U), 1);
        // a row that cannot be read is left out; the timeline is known as long as the last one can be
        row(R"([[5],[6,1,"x"]])", 7, 1, "history[0]");
        row(R"([{"a":1},[6,1,"x"]])", 7, 1, "history[0]");
        row(R"([[5,1,"x"],[6]])", 0, 1, "history[1]");
        row(R"([[5,1,"x"],null])", 0, 1, "history[1]");
        row(R"([[-1,1,"x"]])", 0, 0, "history[0]");
        row(R"([[5,-1,"x"]])", 0, 0, "history[0]");
        row(R"([["five",1,"x"]])", 0, 0, "history[0]");
        row(R"([[5.5,1,"x"]])", 0, 0, "history[0]");
        row(R"([[9223372036854775807,1,"x"]])", 0, 0, "history[0]");
        row("", 0, 0, "history");
        row("null", 0, 0, "history");
        row("{}", 0, 0, "history");
        row("[[1,2", 0, 0, "history");
    }
    void shapes()
    {
        QFETCH(QByteArray, json);
        QFETCH(int, timeline);
        QFETCH(int, entries);
        QFETCH(QByteArray, defects);
        std::vector<Defect> found;
        const TimelineHistory history = decodeHistory(json.toStdString(), found, "acme-config");
        QCOMPARE(int(history.currentTimeline.value_or(0)), timeline);
        QCOMPARE(history.readable, timeline != 0);
        QCOMPARE(int(history.entries.size()), entries);
        QCOMPARE(QByteArray::fromStdString(fields(found)), defects);
    }

    void missing()
    {
        std::vector<Defect> found;
        const TimelineHistory history = decodeHistory({}, found, "acme-config");
        QVERIFY(history.readable);
        QVERIFY(history.currentTimeline == 1);
        QVERIFY(found.empty());
    }

    void rowsKeepTheirOrderAndTheirGaps()
    {
        std::vector<Defect> found;
        const auto history = decodeHistory(R"([[1,9007199254740993,"no recovery target specified"],
            [2,18446744073709551615,"before 2031-02-01","2031-02-01T08:00:12.551+02:00","acme-1"],
            [4,5,"x","2031-02-01T06:00:13+00:00","acme-1"]])",
                                           found, "acme-config");
        QCOMPARE(history.entries.size(), 3U);
        const auto &first = history.entries[0];
        QCOMPARE(first.lsn, Lsn(9007199254740993ULL));
        QCOMPARE(first.reason, std::string("no recovery target specified"));
        QVERIFY(!first.endedAt && !first.endedAtRaw && !first.newLeader);
        const auto &second = history.entries[1];
        QCOMPARE(second.timeline, 2);
        QCOMPARE(second.lsn, ~Lsn(0));
        QVERIFY(second.endedAt == parseInstant("2031-02-01T06:00:12.551Z"));
        QVERIFY(second.endedAtRaw == "2031-02-01T08:00:12.551+02:00");
        QVERIFY(second.newLeader == "acme-1");
        // the same member twice in a row stays two rows
        QVERIFY(history.entries[2].newLeader == "acme-1");
        QVERIFY(history.currentTimeline == 5);
    }

    void unparsableTimeIsKeptAsText()
    {
        std::vector<Defect> found;
        const auto history = decodeHistory(R"([[6,1,"x","yesterday","acme-1"]])", found, "acme-config");
        QVERIFY(!history.entries[0].endedAt);
        QVERIFY(history.entries[0].endedAtRaw == "yesterday");
        QVERIFY(history.entries[0].newLeader == "acme-1");
    }
};

QTEST_APPLESS_MAIN(TestHistory)
#include "tst_history.moc"
