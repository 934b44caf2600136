// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Archived minutes of renewals, beside those seen one by one.
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/charts/renew_chart.h"
#include "views/style/colors.h"

#include <QApplication>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

Instant at(Duration later)
{
    return made::now(later).wall;
}

} // namespace

class TestRenewMinutes : public QObject
{
    Q_OBJECT

    static RenewMinute minute(int number, qint64 count = 6, Duration longest = 11s, Duration mean = 10s)
    {
        return {Instant(std::chrono::floor<std::chrono::minutes>(at(0s).time_since_epoch())) + std::chrono::minutes(number), count, mean,
                longest};
    }

private Q_SLOTS:
    void minutesOfSingleRenewals_data()
    {
        QTest::addColumn<QList<int>>("points"); // seconds after minute 0
        QTest::addColumn<QList<int>>("kept");
        QTest::addColumn<QList<int>>("beside");
        QTest::newRow("nothing") << QList<int>{} << QList<int>{} << QList<int>{};
        QTest::newRow("only kept") << QList<int>{} << QList<int>{0, 1, 5} << QList<int>{0, 1, 5};
        QTest::newRow("only seen") << QList<int>{3, 13} << QList<int>{} << QList<int>{};
        QTest::newRow("before this run") << QList<int>{130, 140} << QList<int>{0, 1, 2} << QList<int>{0, 1};
        QTest::newRow("at its very beginning") << QList<int>{120} << QList<int>{1, 2} << QList<int>{1};
        QTest::newRow("another looked while this one slept") << QList<int>{10, 250} << QList<int>{0, 1, 2, 3, 4} << QList<int>{1, 2, 3};
        QTest::newRow("after the last") << QList<int>{10} << QList<int>{0, 1} << QList<int>{1};
    }
    void minutesOfSingleRenewals()
    {
        QFETCH(QList<int>, points);
        QFETCH(QList<int>, kept);
        QFETCH(QList<int>, beside);
        QList<RenewPoint> seen;
        for (const int second : points)
            seen.append({minute(0).from + std::chrono::seconds(second), 10});
        QList<RenewMinute> all, expected;
        for (const int number : kept)
            all.append(minute(number));
        for (const int number : beside)
            expected.append(minute(number));
        QCOMPARE(minutesBeside(seen, all), expected);
    }

    // Means are weighed by how many they are of; minutes without a record count nowhere.
    void statsOfMinutes_data()
    {
        QTest::addColumn<int>("from"); // seconds after minute 0
        QTest::addColumn<int>("to");
        QTest::addColumn<MinuteStats>("expected");
        QTest::newRow("all") << 0 << 600 << MinuteStats{3, 10, 1, 13.0, 25.0};
        QTest::newRow("a part of one counts") << 59 << 70 << MinuteStats{2, 9, 0, 12.0, 16.0};
        QTest::newRow("a minute ends before its end") << 60 << 70 << MinuteStats{1, 3, 0, 16.0, 16.0};
        QTest::newRow("a gap") << 120 << 290 << MinuteStats{};
    }
    void statsOfMinutes()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        RenewData data;
        data.inTime = 20;
        data.minutes = {minute(0, 6, 11s, 10s), minute(1, 3, 16s, 16s), minute(5, 1, 25s, 22s)};
        data.points = {{minute(2).from, 99}}; // of single ones nothing is told
        const Instant zero = minute(0).from;
        QTEST(minuteStats(data, {zero + std::chrono::seconds(from), zero + std::chrono::seconds(to)}), "expected");
        QCOMPARE(renewStats(data, {zero, zero + 90s}), RenewStats{}); // and of minutes no shares
    }

    void barsOfMinutes_data()
    {
        QTest::addColumn<int>("minutes"); // of the range
        QTest::addColumn<int>("columns");
        QTest::addColumn<QList<MinuteBar>>("bars");
        const auto bar = [](int from, int to, double mean, double longest) {
            return MinuteBar{minute(from).from, minute(to).from, mean, longest};
        };
        QTest::newRow("each its own") << 10 << 100 << QList<MinuteBar>{bar(0, 1, 10, 11), bar(1, 2, 16, 16), bar(5, 6, 22, 25)};
        QTest::newRow("two share one") << 10 << 5 << QList<MinuteBar>{bar(0, 2, 12, 16), bar(5, 6, 22, 25)};
        QTest::newRow("all in one") << 10 << 1 << QList<MinuteBar>{bar(0, 6, 13, 25)};
        QTest::newRow("cut off") << 3 << 100 << QList<MinuteBar>{bar(0, 1, 10, 11), bar(1, 2, 16, 16)};
    }
    void barsOfMinutes()
    {
        QFETCH(int, minutes);
        QFETCH(int, columns);
        const QList<RenewMinute> all{minute(0, 6, 11s, 10s), minute(1, 3, 16s, 16s), minute(5, 1, 25s, 22s)};
        const Instant zero = minute(0).from;
        QTEST(minuteBars(all, {zero, zero + std::chrono::minutes(minutes)}, columns), "bars");
    }

    void archivedRenewals()
    {
        RenewData data = renewData(made::healthy(), made::now());
        const auto single = data.points.size();
        const int first = int(std::chrono::duration_cast<std::chrono::minutes>(data.points.first().at - minute(0).from).count()) - 2;
        for (int i = 60; i > 0; --i)
            if (i < 20 || i > 30) // ten minutes of which nothing is known
                data.minutes.append(minute(first - i, 6, i == 10 ? 26s : 11s));
        RenewChart chart;
        chart.show(data);
        chart.resize(900, 260);
        chart.QWidget::show();
        QVERIFY(chart.accessibleDescription().endsWith(u"; before, 49 minutes from the archive"_s));
        QCOMPARE(chart.all().from, minute(first - 60).from);
        QCOMPARE(chart.stats().count, single); // half and 95 % are of the single ones
        QCOMPARE(chart.minuteStats(), (MinuteStats{49, 49 * 6, 1, 10.0, 26.0}));
        const QRectF plot = chart.plotIn(chart.rect());
        const auto told = [&](Instant t) { return chart.textAt({chart.xOf(t, plot), plot.center().y()}); };
        chart.setShown({minute(first - 30).from, minute(first).from});
        QVERIFY2(told(minute(first - 10).from + 30s).startsWith(u"Archive: 6 renewals, mean 10.0 s, the longest 26.0 s, late\n"_s),
                 qPrintable(told(minute(first - 10).from + 30s)));
        QVERIFY(told(minute(first - 25).from + 30s).startsWith(exactText(minute(first - 25).from + 30s).left(16))); // unknown: no 0
        QCOMPARE(chart.stats(), RenewStats{});
        const QImage image = chart.grab().toImage();
        QVERIFY(made::pixelsLike(image, toneColor(Tone::Warning, qApp->palette())) > 20); // what is beyond the limit
        const auto dark = [&](int number) {                                               // the line of the mean
            int count = 0;
            const int x = int(chart.xOf(minute(number).from + 30s, plot));
            for (int y = int(plot.top()); y < int(plot.bottom()); ++y)
                count += image.pixelColor(x, y) == secondaryText(qApp->palette()) ? 1 : 0;
            return count;
        };
        QVERIFY(dark(first - 15) >= 2);
        QCOMPARE(dark(first - 25), 0); // a gap
        chart.clearCursor();
        chart.setShown(chart.all());
        chart.setShown({minute(first - 1).from, data.points.first().at + 1s});
        chart.stepCursor(true); // from minute to minute, then from renewal to renewal
        QCOMPARE(chart.cursor(), std::optional(data.points.first().at));
        chart.stepCursor(false);
        QCOMPARE(chart.cursor(), std::optional(minute(first - 1).from));
        data.points.clear();
        data.open.reset();
        chart.show(data);
        QVERIFY(!chart.textAt(plot.center()).isEmpty());
    }
};

QTEST_MAIN(TestRenewMinutes)
#include "tst_renew_minutes.moc"
