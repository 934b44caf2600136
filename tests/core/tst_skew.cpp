// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/skew.h"

#include <QTest>

using namespace switchyard;
using namespace std::chrono_literals;

class TestSkew : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void skews_data();
    void skews();
    void theTruthIsWithinTheUncertainty();
    void better_data();
    void better();
};

static const Instant noon{std::chrono::hours(400000)};

void TestSkew::skews_data()
{
    QTest::addColumn<qint64>("tookMs");
    QTest::addColumn<qint64>("dateMinusReceivedMs");
    QTest::addColumn<qint64>("offsetMs");
    QTest::addColumn<qint64>("uncertaintyMs");
    QTest::addColumn<bool>("certain");
    const auto row = [](const char *name, qint64 took, qint64 date, qint64 offset, qint64 uncertainty, bool certain) {
        QTest::newRow(name) << took << date << offset << uncertainty << certain;
    };
    row("same clock, cut to the second", 0, -500, 0, 500, false);
    row("same second", 20, 0, 510, 510, false);
    row("a second behind", 20, -1000, -490, 510, false);
    row("half a minute ahead", 100, 30000, 30550, 550, true);
    row("half a minute behind", 100, -30000, -29450, 550, true);
    row("a slow answer hides it", 30000, 5000, 20500, 15500, true);
    row("a very slow answer says nothing", 60000, -25000, 5500, 30500, false);
    row("our clock was set back meanwhile", -4000, -500, 0, 500, false);
}

void TestSkew::skews()
{
    QFETCH(qint64, tookMs);
    QFETCH(qint64, dateMinusReceivedMs);
    const Now received{Boot(7h), noon};
    const ClockSkew skew = skewOf(noon - std::chrono::milliseconds(tookMs), received,
                                  noon + std::chrono::milliseconds(dateMinusReceivedMs));
    QTEST(qint64(skew.offset / 1ms), "offsetMs");
    QTEST(qint64(skew.uncertainty / 1ms), "uncertaintyMs");
    QTEST(skew.certain(), "certain");
    QVERIFY(skew.measured == received.boot);
}

// Whatever the moment within the request at which the server looked at its clock.
void TestSkew::theTruthIsWithinTheUncertainty()
{
    for (const Duration truth : {Duration(0), Duration(-90s), Duration(3s), Duration(777ms)}) {
        for (const Duration took : {Duration(1ms), Duration(400ms), Duration(2500ms)}) {
            for (int step = 0; step <= 10; ++step) {
                const Instant looked = noon - took + took * step / 10 + truth;
                const Instant date = std::chrono::floor<std::chrono::seconds>(looked);
                const ClockSkew skew = skewOf(noon - took, {Boot(7h), noon}, date);
                QVERIFY(skew.offset - skew.uncertainty <= truth && truth <= skew.offset + skew.uncertainty);
            }
        }
    }
}

void TestSkew::better_data()
{
    QTest::addColumn<qint64>("knownUncertaintyMs"); // negative: nothing known
    QTest::addColumn<qint64>("freshUncertaintyMs");
    QTest::addColumn<qint64>("laterSeconds");
    QTest::addColumn<bool>("replaced");
    QTest::newRow("the first") << qint64(-1) << qint64(9000) << qint64(0) << true;
    QTest::newRow("more certain") << qint64(600) << qint64(510) << qint64(1) << true;
    QTest::newRow("as certain") << qint64(510) << qint64(510) << qint64(1) << true;
    QTest::newRow("less certain") << qint64(510) << qint64(600) << qint64(299) << false;
    QTest::newRow("old") << qint64(510) << qint64(600) << qint64(301) << true;
}

void TestSkew::better()
{
    QFETCH(qint64, knownUncertaintyMs);
    QFETCH(qint64, freshUncertaintyMs);
    QFETCH(qint64, laterSeconds);
    std::optional<ClockSkew> known;
    if (knownUncertaintyMs >= 0)
        known = ClockSkew{1s, std::chrono::milliseconds(knownUncertaintyMs), Boot(1h)};
    const ClockSkew fresh{2s, std::chrono::milliseconds(freshUncertaintyMs), Boot(1h) + std::chrono::seconds(laterSeconds)};
    QTEST(betterSkew(known, fresh) == fresh, "replaced");
}

QTEST_APPLESS_MAIN(TestSkew)
#include "tst_skew.moc"
