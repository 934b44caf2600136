// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "views/words.h"

#include <QTest>

#include <set>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestWords : public QObject
{
    Q_OBJECT

    // Every code has words, no two the same ones, none of them the code.
    template<class Enum>
    static void complete(Enum last)
    {
        std::set<QString> seen;
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            const QString found = words(static_cast<Enum>(i));
            QVERIFY2(found.size() > 1 && found != u"unknown"_s, qPrintable(QString::number(i)));
            QVERIFY2(seen.insert(found).second, qPrintable(found));
        }
    }

private Q_SLOTS:
    void durations_data()
    {
        QTest::addColumn<qlonglong>("milliseconds");
        QTest::addColumn<QString>("exact");
        QTest::addColumn<QString>("counter");
        QTest::addColumn<QString>("coarse");
        QTest::newRow("zero") << 0LL << u"0 ms"_s << u"0 s"_s << u"0 s"_s;
        QTest::newRow("ms") << 350LL << u"350 ms"_s << u"0 s"_s << u"0 s"_s;
        QTest::newRow("tenths") << 4290LL << u"4.2 s"_s << u"4 s"_s << u"4 s"_s;
        QTest::newRow("not rounded up") << 9990LL << u"9.9 s"_s << u"9 s"_s << u"9 s"_s;
        QTest::newRow("seconds") << 59'999LL << u"59 s"_s << u"59 s"_s << u"59 s"_s;
        QTest::newRow("a minute") << 60'000LL << u"1 min"_s << u"1 min"_s << u"1 min"_s;
        QTest::newRow("minutes") << 192'000LL << u"3 min 12 s"_s << u"3 min 12 s"_s << u"3 min"_s;
        QTest::newRow("hours") << 11'520'000LL << u"3 h 12 min"_s << u"3 h 12 min"_s << u"3 h"_s;
        QTest::newRow("days") << 187'200'000LL << u"2 d 4 h"_s << u"2 d 4 h"_s << u"2 d"_s;
    }
    void durations()
    {
        QFETCH(qlonglong, milliseconds);
        const Duration d = std::chrono::milliseconds(milliseconds);
        QTEST(durationText(d), "exact");
        QTEST(secondsText(d), "counter");
        QTEST(coarseText(d), "coarse");
    }

    void negativeIsSaid()
    {
        QCOMPARE(durationText(-4200ms), u"-4.2 s"_s);
        QCOMPARE(untilText(-12s), u"12 s ago"_s);
        QCOMPARE(untilText(8040s), u"in 2 h 14 min"_s);
        QCOMPARE(agoText(std::nullopt, made::now()), u"unknown"_s);
    }

    void bytes_data()
    {
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::newRow("zero is a number") << 0ULL << u"0 B"_s;
        QTest::newRow("below a KiB") << 1023ULL << u"1023 B"_s;
        QTest::newRow("KiB") << 1024ULL << u"1.0 KiB"_s;
        QTest::newRow("never 1024.0") << 1'048'575ULL << u"1.0 MiB"_s;
        QTest::newRow("MiB") << 13'002'342ULL << u"12.4 MiB"_s;
        QTest::newRow("largest") << ~0ULL << u"16.0 EiB"_s;
    }
    void bytes()
    {
        QFETCH(qulonglong, bytes);
        QTEST(bytesText(bytes), "shown");
        QCOMPARE(bytesExactText(13'002'342), u"13,002,342 bytes"_s);
        QCOMPARE(lagText(std::nullopt), u"unknown"_s);
    }

    void timesHaveZones()
    {
        QCOMPARE(timeTextUtc(made::now().wall), u"2031-02-01 13:02:11 UTC"_s);
        QCOMPARE(timeText(made::now().wall), u"2031-02-01 13:02:11 UTC"_s); // the tests run in UTC
        QVERIFY(!zoneText().isEmpty());
    }

    void everyCodeHasWords()
    {
        complete(patroni::Outcome::Refused);
        complete(patroni::Refusal::Unknown);
        complete(patroni::RequestStep::Decided);
        complete(patroni::TransitionKind::Unknown);
        complete(EventCode::ConnectionRestored);
        complete(patroni::Freshness::Connecting);
        complete(patroni::SyncMode::Quorum);
        for (int i = 0; i <= static_cast<int>(patroni::HealthReason::LockUnverified); ++i)
            QVERIFY(words(patroni::Reason{static_cast<patroni::HealthReason>(i), "acme-1", 7}).size() > 8);
        for (int i = 0; i <= static_cast<int>(rules::RequestProblem::ModeUnclear); ++i)
            QVERIFY(words(rules::Problem{static_cast<rules::RequestProblem>(i), {}, {}}).endsWith(u'.'));
        for (int i = 0; i <= static_cast<int>(rules::FitnessCode::NotReachableKnown); ++i)
            QVERIFY(!words(rules::Finding{static_cast<rules::FitnessCode>(i), {}, {}}).isEmpty());
    }

    void headlines_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("healthy") << 0 << u"acme-1 leads for 3 h 12 min; lock renewed 4 s ago; nothing pending."_s;
        QTest::newRow("expired, not stale") << 1 << u"Nobody leads: lock expired 42 s ago, nobody leads; nothing pending."_s;
        QTest::newRow("stale, not expired")
            << 2 << u"No answer from the API server for 48 s; what is shown is old. Last known leader: acme-1."_s;
        QTest::newRow("scheduled")
            << 3
            << u"acme-1 leads for 3 h 12 min; lock renewed 4 s ago; switchover from acme-1 to acme-2 scheduled for 2031-02-01 15:16:00 UTC (in 2 h 13 min)."_s;
        QTest::newRow("leaderless")
            << 4 << u"Nobody leads: lock released, nobody leads; switchover from acme-1 to acme-2: leaderless for 4 s."_s;
    }
    void headlines()
    {
        QFETCH(int, which);
        const patroni::Cluster all[] = {made::healthy(), made::expired(), made::stale(), made::scheduled(),
                                        made::inFlight(patroni::RequestStep::Leaderless)};
        QTEST(headline(all[which], made::now()), "sentence");
    }

    // A refusal names the rule and what to change.
    void refusalsAdvise()
    {
        const auto c = made::refused(patroni::Refusal::NotSyncStandby);
        const QString sentence = requestSentence(c.requests.back(), made::now());
        QVERIFY2(sentence.contains(u"was refused"_s) && sentence.contains(u"synchronous standby"_s) && sentence.contains(u"Choose"_s),
                 qPrintable(sentence));
    }

    void eventsAreSentences()
    {
        Event e;
        e.type = EventCode::LeaderChanged;
        e.wall = made::now().wall;
        e.detail = {{"from", "acme-0"}, {"to", "acme-1"}};
        QCOMPARE(eventSentence(e), u"The leader changed from acme-0 to acme-1."_s);
        e.notBefore = made::now(-60s).wall;
        QCOMPARE(eventSentence(e),
                 u"The leader changed from acme-0 to acme-1, some time between 2031-02-01 13:01:11 UTC and 2031-02-01 13:02:11 UTC."_s);
        e = {};
        e.type = EventCode::ConfigChanged;
        e.detail = {{"ttl", "40"}, {"old_ttl", "30"}, {"changed", "ttl"}};
        QCOMPARE(eventSentence(e), u"The dynamic configuration changed: ttl from 30 to 40."_s);
        e.type = EventCode::RequestCleared;
        e.detail = {{"leader", "acme-1"}, {"candidate", "acme-2"}, {"outcome", "refused"}, {"reason", "already-leader"}};
        QCOMPARE(
            eventSentence(e),
            u"The request was cleared (from acme-1, to acme-2): refused. The candidate was the leader already. Choose another member."_s);
    }

    void fleetSentences()
    {
        const auto healthy = made::healthy(), expired = made::expired();
        QCOMPARE(fleetSentence({}, made::now()), u"No clusters."_s);
        QCOMPARE(fleetSentence({&healthy}, made::now()), u"1 cluster, healthy."_s);
        QCOMPARE(fleetSentence({&healthy, &healthy}, made::now()), u"2 clusters, all healthy."_s);
        QCOMPARE(fleetSentence({&healthy, &expired}, made::now()),
                 u"2 clusters: 1 unhealthy, 1 healthy. payments/acme: lock expired 42 s ago, nobody leads."_s);
    }
};

QTEST_GUILESS_MAIN(TestWords)
#include "tst_words.moc"
