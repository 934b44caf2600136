// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/patroni/annotated.h"

#include <QTest>

using namespace switchyard;
using namespace switchyard::patroni;
using Schedule = FailoverRequest::Schedule;

Q_DECLARE_METATYPE(Annotations)
Q_DECLARE_METATYPE(Schedule)

class TestRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void kinds_data()
    {
        QTest::addColumn<Annotations>("annotations");
        QTest::addColumn<bool>("pending");
        QTest::addColumn<bool>("switchover");
        QTest::addColumn<Schedule>("schedule");
        const auto row = [](const char *name, const Annotations &annotations, bool pending, bool switchover,
                            Schedule schedule = Schedule::None) {
            QTest::newRow(name) << annotations << pending << switchover << schedule;
        };
        row("empty shell", {}, false, false);
        row("empty texts", {{"leader", ""}, {"member", ""}, {"scheduled_at", ""}}, false, false);
        row("switchover", {{"leader", "a"}, {"member", "b"}}, true, true);
        row("switchover to any", {{"leader", "a"}}, true, true);
        row("failover", {{"member", "b"}}, true, false);
        row("failover, empty leader", {{"leader", ""}, {"member", "b"}}, true, false);
        row("candidate is not the annotation's name", {{"candidate", "b"}}, false, false);
        row("scheduled", {{"leader", "a"}, {"scheduled_at", "2031-02-03T01:30:00+00:00"}}, true, true, Schedule::Valid);
        row("only a time", {{"scheduled_at", "2031-02-03T01:30:00+00:00"}}, false, false, Schedule::Valid);
        row("only a broken time", {{"scheduled_at", "tomorrow"}}, false, false, Schedule::Unparsable);
        row("empty time acts at once", {{"leader", "a"}, {"scheduled_at", ""}}, true, true, Schedule::None);
        row("foreign annotations", {{"x", "y"}}, false, false);
    }
    void kinds()
    {
        QFETCH(Annotations, annotations);
        QFETCH(bool, pending);
        QFETCH(bool, switchover);
        QFETCH(Schedule, schedule);
        std::vector<Defect> found;
        const FailoverRequest request = decodeFailover(annotated("acme-failover", annotations), found);
        QCOMPARE(request.pending(), pending);
        QCOMPARE(request.isSwitchover(), switchover);
        QVERIFY(request.schedule == schedule);
        QCOMPARE(fields(found), std::string(schedule == Schedule::Unparsable ? "scheduled_at" : ""));
    }

    // What python3-dateutil 2.8.2, the parser behind the annotation, makes of these texts.
    void schedules_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("utc"); // N: no offset, X: unparsable
        const auto rows = [](const char *utc, std::initializer_list<const char *> texts) {
            for (const char *text : texts)
                QTest::newRow(text) << QByteArray(text) << QByteArray(utc);
        };
        rows("2031-02-03T01:30:00.000000Z",
             {"2031-02-03T01:30:00+00:00",
              "2031-02-03T01:30:00Z",
              "2031-02-03 01:30+00",
              "2031-02-03T01:30Z",
              "20310203T013000Z",
              "20310203T0130Z",
              "20310203013000Z",
              "203102030130Z",
              "2031-02-03T01:30 UTC",
              "2031-02-03T01:30 GMT",
              "2031-02-03T01:30:00 z",
              " 2031-02-03T01:30Z ",
              "2031/02/03 01:30Z",
              "2031.02.03 01:30Z",
              "02/03/2031 01:30 UTC",
              "3 Feb 2031 01:30 UTC",
              "Mon, 03 Feb 2031 01:30:00 +0000",
              "Mon Feb  3 01:30:00 UTC 2031",
              "February 3rd, 2031 1:30 AM Z",
              "2031-2-3T1:30Z",
              "2031-02-03T0130Z",
              "2031-02-03 at 01:30 UTC",
              "2031-02-03T01:30:00 +0000 (UTC)",
              "2031-02-03 1h30m UTC",
              "2031-02-03T01:30:00Z.",
              "2031-02-03T05:00:00+0330",
              "2031-02-03T05:00 +03:30",
              "2031-02-03T04:30+3",
              "2031-02-02T22:30 UTC+3",
              "2031-02-03T01:30:00Z+00:00"});
        rows("2031-02-03T01:30:00.500000Z", {"2031-02-03T01:30:00.5Z", "2031-02-03T01:30:00,5Z", "2031-02-03T013000.5Z"});
        rows("2031-02-03T13:30:00.000000Z", {"Feb 3 2031 1:30 PM UTC"});
        rows("N",
             {"2031-02-03T01:30", "2031-02-03T01:30:00", "20310203T013000", "2031-02-03", "20310203", "2031-02-03T01:30 CET",
              "2031-02-03T01:30:00 EST", "2031-02-03 01:30 AM", "Mon Feb  3 01:30:00 2031", "01:30", "Monday 01:30", "10pm", "2031-02",
              "Monday"});
        rows("X",
             {"tomorrow",
              "now",
              "1933456789",
              "1933456789.5",
              "1933456789000",
              "@1933456789",
              " ",
              "\t",
              "2031-13-03T01:30:00Z",
              "2031-02-30T01:30:00Z",
              "2031-02-03T24:00:00+00:00",
              "2031-02-03T23:60:00Z",
              "2031-02-03T23:59:60Z",
              "0000-00-00T00:00:00Z",
              "2031-W05-1T01:30Z",
              "2031-034",
              "2031-02-03T01:30 Europe/Berlin",
              "2031-02-03T01:30[Europe/Berlin]",
              "2031-02-03T01:30 utc",
              "2031-02-03Z",
              "2031-02-03T01:30:00+24:00",
              "2031-02-03T01:30:00+00:00 foo",
              "2031-02-03T01:30:00+000",
              "2031-02-03T01:30:00 + 00:00",
              "2031-02-03_01:30",
              "in 5 minutes",
              "+1h",
              "null",
              "1e9",
              "2031-02-03T01:30:00.Z",
              "13:30 PM Z",
              "31-02-03T01:30Z",
              "2031-02- 03T01:30Z",
              "\"2031-02-03T01:30:00Z\""});
    }
    void schedules()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, utc);
        std::vector<Defect> found;
        const FailoverRequest request = decodeFailover(annotated("acme-failover", {{"leader", "a"}, {"scheduled_at", text.toStdString()}}),
                                                       found);
        QVERIFY(request.scheduledAtRaw == text.toStdString());
        const QByteArray read = request.schedule == Schedule::Valid ? QByteArray::fromStdString(formatUtc(request.scheduledAt.value()))
            : request.schedule == Schedule::NoOffset                ? QByteArray("N")
            : request.schedule == Schedule::Unparsable              ? QByteArray("X")
                                                                    : QByteArray("none");
        QCOMPARE(read, utc);
        QCOMPARE(request.scheduledAt.has_value(), request.schedule == Schedule::Valid);
        QCOMPARE(request.offsetSeconds.has_value(), request.schedule == Schedule::Valid);
    }

    void keepsTheOriginalOffset()
    {
        std::vector<Defect> found;
        const auto request = decodeFailover(annotated("acme-failover", {{"leader", "a"}, {"scheduled_at", "2031-02-03T05:00:00-03:30"}}),
                                            found);
        QVERIFY(request.offsetSeconds == -12600);
    }

    void survivesAnything()
    {
        std::vector<Defect> found;
        std::uint32_t seed = 12345;
        static constexpr std::string_view alphabet = "0123456789:-+TZ ./,apmPMUTCFebh()\xFF\n";
        for (int i = 0; i < 20000; ++i) {
            std::string text;
            for (int n = 0; n < 1 + i % 24; ++n) {
                seed = seed * 1664525U + 1013904223U;
                text += alphabet[(seed >> 8) % alphabet.size()];
            }
            const auto request = decodeFailover(annotated("f", {{"leader", "a"}, {"scheduled_at", text}}), found);
            QVERIFY(request.schedule != Schedule::None);
        }
    }
};

QTEST_APPLESS_MAIN(TestRequest)
#include "tst_request.moc"
