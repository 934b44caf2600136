// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/time.h"

#include <QTest>

using namespace switchyard;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(std::optional<int>)

class TestTime : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("utc");
        QTest::addColumn<std::optional<int>>("offset");
        const auto row = [](const char *text, const char *utc, std::optional<int> offset) {
            QTest::newRow(text) << QByteArray(text) << QByteArray(utc) << offset;
        };
        row("2031-02-01T06:00:11.402917+00:00", "2031-02-01T06:00:11.402917Z", 0);
        row("2031-02-01T06:00:11+00:00", "2031-02-01T06:00:11.000000Z", 0);
        row("2031-02-01T06:00:11Z", "2031-02-01T06:00:11.000000Z", 0);
        row("2031-02-01t06:00:11z", "2031-02-01T06:00:11.000000Z", 0);
        row("2031-02-01 06:00:11.5+00:00", "2031-02-01T06:00:11.500000Z", 0);
        row("2031-02-01T06:00:11.123456789Z", "2031-02-01T06:00:11.123456Z", 0);
        row("2031-02-01T06:00:11.000001Z", "2031-02-01T06:00:11.000001Z", 0);
        row("2031-02-01T06:00:11+05:30", "2031-02-01T00:30:11.000000Z", 19800);
        row("2031-02-01T06:00:11+0530", "2031-02-01T00:30:11.000000Z", 19800);
        row("2031-02-01T06:00:11-08", "2031-02-01T14:00:11.000000Z", -28800);
        row("2031-01-01T00:00:00+01:00", "2030-12-31T23:00:00.000000Z", 3600);
        row("2032-02-29T23:59:59Z", "2032-02-29T23:59:59.000000Z", 0);
        row("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z", 0);
        row("2031-02-01T06:00", "2031-02-01T06:00:00.000000Z", std::nullopt);
        row("2031-02-01T06:00:11", "2031-02-01T06:00:11.000000Z", std::nullopt);
        row("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z", 0);
        row("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z", 0);
    }
    void parses()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, utc);
        QFETCH(std::optional<int>, offset);
        const auto parsed = parseTime(text.toStdString());
        QVERIFY(parsed);
        QCOMPARE(QByteArray::fromStdString(formatUtc(parsed->utc)), utc);
        QVERIFY(parsed->offsetSeconds == offset);
        QVERIFY(parseInstant(text.toStdString()) == parsed->utc);
    }

    void rejects_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : {"",
                                 " ",
                                 "2031",
                                 "2031-02-01",
                                 "2031-13-01T00:00:00Z",
                                 "2031-00-01T00:00:00Z",
                                 "2031-02-29T00:00:00Z",
                                 "2031-02-00T00:00:00Z",
                                 "2031-02-01T24:00:00Z",
                                 "2031-02-01T23:60:00Z",
                                 "2031-02-01T23:59:60Z",
                                 "2031-02-01T23:59:59.Z",
                                 "2031-02-01T23:59:59.1234567890Z",
                                 "2031-02-01T23:59:59Z ",
                                 " 2031-02-01T23:59:59Z",
                                 "2031-02-01T23:59:59ZZ",
                                 "2031-02-01T23:59:59+1",
                                 "2031-02-01T23:59:59+24:00",
                                 "2031-02-01T23:59:59+00:60",
                                 "2031-02-01T23:59:59+00:",
                                 "2031-02-01T23:59:59 UTC",
                                 "2031-02-01X23:59:59Z",
                                 "2031-2-1T23:59:59Z",
                                 "20310201T235959Z",
                                 "0000-01-01T00:00:00Z",
                                 "-031-02-01T00:00:00Z",
                                 "tomorrow",
                                 "1933456789",
                                 "+0:00",
                                 "null"})
            QTest::newRow(text) << QByteArray(text);
    }
    void rejects()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parseTime(text.toStdString()));
        QVERIFY(!parseInstant(text.toStdString()));
    }

    void writesSchedulesInOneForm()
    {
        const auto t = parseInstant("2031-02-03T01:30:00.999999Z");
        QCOMPARE(formatScheduledAt(*t), std::string("2031-02-03T01:30:00+00:00"));
        QCOMPARE(formatScheduledAt(*parseInstant("2031-02-03T01:30:59-03:30")), std::string("2031-02-03T05:00:59+00:00"));
        // Rounds down before 1970 as well.
        QCOMPARE(formatScheduledAt(Instant{-1us}), std::string("1969-12-31T23:59:59+00:00"));
        QCOMPARE(formatUtc(Instant{-1us}), std::string("1969-12-31T23:59:59.999999Z"));
    }

    void turnsBootTimeIntoWallTime()
    {
        const Now now{Boot{100s}, *parseInstant("2031-02-03T01:30:00Z")};
        QCOMPARE(formatUtc(now.toWall(Boot{40s})), std::string("2031-02-03T01:29:00.000000Z"));
    }
};

QTEST_APPLESS_MAIN(TestTime)
#include "tst_time.moc"
