// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A recording played on a clock that only moves when it is told to.
#include "models/store/player.h"

#include <QtTest>

using namespace switchyard;
using namespace std::chrono_literals;

namespace {

const Instant start = *parseInstant("2031-02-01T06:00:00Z");

// One a second from 100 s to 200 s; the wall clock is set back by an hour in between.
std::vector<Observation> made()
{
    std::vector<Observation> all;
    for (int i = 0; i <= 100; ++i) {
        Observation o;
        o.seen = Boot(100s + std::chrono::seconds(i));
        o.wall = start + std::chrono::seconds(i) - (i >= 80 ? Duration(1h) : Duration(0));
        o.what = Contact{};
        all.push_back(o);
    }
    return all;
}

struct Scene
{
    Player player{made()};
    Boot clock{5h}; // any
    int fed = 0, restarts = 0;
    Now now{};
    void step(Duration later = 0s)
    {
        clock += later;
        const Player::Step step = player.step(clock);
        if (step.startOver) {
            fed = 0;
            ++restarts;
        }
        fed += static_cast<int>(step.last - step.first);
        now = step.now;
    }
};

} // namespace

class PlayerTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void beginsPausedAtItsBeginning()
    {
        Scene s;
        s.step(10s);
        QCOMPARE(s.fed, 1);
        QVERIFY(s.now.boot == Boot(100s) && s.now.wall == start);
        QVERIFY(!s.player.playing());
    }

    void playsAtItsSpeed_data()
    {
        QTest::addColumn<double>("speed");
        QTest::addColumn<int>("afterFourSeconds");
        QTest::newRow("1") << 1.0 << 5;
        QTest::newRow("2") << 2.0 << 9;
        QTest::newRow("10") << 10.0 << 41;
        QTest::newRow("60: to its end") << 60.0 << 101;
    }
    void playsAtItsSpeed()
    {
        QFETCH(double, speed);
        QFETCH(int, afterFourSeconds);
        Scene s;
        s.player.setSpeed(speed, s.clock);
        s.player.play(s.clock);
        for (int i = 0; i < 8; ++i)
            s.step(500ms);
        QCOMPARE(s.fed, afterFourSeconds);
        QCOMPARE(s.player.playing(), afterFourSeconds < 101);
        QCOMPARE(s.restarts, 0);
        QVERIFY(s.now.boot <= s.player.end());
    }

    void anotherSpeedCountsFromThenOn()
    {
        Scene s;
        s.player.play(s.clock);
        s.step(10s);
        s.player.setSpeed(2, s.clock += 1s);
        s.step(5s);
        QCOMPARE(s.fed, 1 + 10 + 1 + 10);
    }

    void asFastAsItCanNeedsNoTime()
    {
        Scene s;
        s.player.setSpeed(Player::asFastAsItCan, s.clock);
        s.player.play(s.clock);
        s.step();
        QCOMPARE(s.fed, 101);
        QVERIFY(!s.player.playing() && s.player.atEnd());
    }

    void standsStillWhilePaused()
    {
        Scene s;
        s.player.play(s.clock);
        s.step(10s);
        s.player.pause(s.clock);
        s.step(1h);
        QCOMPARE(s.fed, 11);
        s.player.play(s.clock);
        s.step(5s);
        QCOMPARE(s.fed, 16);
    }

    void goesForwardWithoutStartingOver()
    {
        Scene s;
        s.step();
        s.player.seek(Boot(150s), s.clock);
        s.step();
        QCOMPARE(s.fed, 51);
        QCOMPARE(s.restarts, 0);
    }

    void goesBackByStartingOver()
    {
        Scene s;
        s.player.seek(Boot(150s), s.clock);
        s.step();
        s.player.seek(Boot(120s), s.clock);
        s.step();
        QCOMPARE(s.restarts, 1);
        QCOMPARE(s.fed, 21);
        s.step();
        QCOMPARE(s.restarts, 1); // once
        s.player.seek(Boot(120s) + 500ms, s.clock);
        s.player.seek(Boot(120s) + 100ms, s.clock); // nothing lies between
        s.step();
        QCOMPARE(s.restarts, 1);
        QCOMPARE(s.fed, 21);
    }

    void staysWithinItsEnds()
    {
        Scene s;
        s.player.seek(Boot(9h), s.clock);
        s.step();
        QCOMPARE(s.fed, 101);
        s.player.seek(Boot(0s), s.clock);
        s.step();
        QCOMPARE(s.fed, 1);
        s.player.seek(Boot(9h), s.clock);
        s.player.play(s.clock); // from the start again
        s.step(1s);
        QCOMPARE(s.fed, 2);
        s.clock -= 1h; // a clock that goes back moves nothing
        s.step();
        QCOMPARE(s.fed, 2);
    }

    void momentsAreByTheRecordingsClocks()
    {
        const Player player(made());
        QVERIFY(player.nowAt(Boot(110s) + 250ms).wall == start + 10s + 250ms);
        QVERIFY(player.nowAt(Boot(190s)).wall == start + 90s - 1h);
        QVERIFY(player.positionOf(start + 10s) >= player.begin());
        QVERIFY(player.positionOf(start - 2h) == player.begin());
        QVERIFY(player.positionOf(start + 24h) == player.end());
    }

    void marks()
    {
        Scene s;
        QVERIFY(!s.player.nextMark() && !s.player.previousMark());
        s.player.setMarks({Boot(150s), Boot(120s), Boot(130s)});
        QVERIFY(s.player.nextMark() == Boot(120s));
        s.player.seek(*s.player.nextMark(), s.clock);
        QVERIFY(s.player.nextMark() == Boot(130s));
        QVERIFY(!s.player.previousMark());
        s.player.seek(Boot(151s), s.clock);
        QVERIFY(!s.player.nextMark());
        QVERIFY(s.player.previousMark() == Boot(150s));
    }
};

QTEST_APPLESS_MAIN(PlayerTest)
#include "tst_player.moc"
