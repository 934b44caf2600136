// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/charts/decimate.h"
#include "views/charts/renew_chart.h"
#include "views/charts/who_led.h"
#include "views/charts/who_led_chart.h"
#include "views/charts/who_led_painter.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/history/timelines_view.h"
#include "views/pages/history_page.h"
#include "views/style/colors.h"
#include "views/style/marks.h"

#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include <random>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestHistoryPage : public QObject
{
    Q_OBJECT

    static QString cell(HistoryPage &page, int row, int column)
    {
        return page.findChild<TimelinesView *>()->model()->index(row, column).data().toString();
    }
    static int pixelsLike(const QImage &image, const QColor &color)
    {
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                count += image.pixelColor(x, y) == color ? 1 : 0;
        return count;
    }

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void saysAndShows()
    {
        using H = items::HistoryModel;
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        QVERIFY(made::shownWords(page).contains(
            u"Timeline 8; acme-1 leads for 3 h 12 min; 7 timelines have ended, the last 2031-02-01 09:50:03 UTC."_s));
        QCOMPARE(cell(page, 0, H::Timeline), u"7"_s);
        QCOMPARE(cell(page, 0, H::Lsn), u"0/27E00000"_s);
        QCOMPARE(cell(page, 0, H::LsnNumber), u"668991488"_s);
        QCOMPARE(cell(page, 0, H::EndedAt), u"2031-02-01 09:50:03 UTC"_s);
        QVERIFY(cell(page, 0, H::LedFor).endsWith(u"so far"_s));
        QCOMPARE(cell(page, 6, H::Leader), u"not recorded"_s);
        QCOMPARE(cell(page, 6, H::EndedAt), u"not recorded"_s);
        QCOMPARE(cell(page, 6, H::LedFor), u"unknown"_s);
        QCOMPARE(made::namelessWidgets(page), QStringList{});
        made::shoot(page, u"history"_s);
        page.findChild<QTabWidget *>()->setCurrentIndex(1);
        const auto *transitions = page.findChild<TransitionsTable *>();
        QCOMPARE(transitions->item(0, 5)->text(), u"37 s"_s);
        QCOMPARE(transitions->item(1, 5)->text(), u"unknown"_s);
        QCOMPARE(made::namelessWidgets(page), QStringList{});
        made::shoot(page, u"history-transitions"_s);
    }

    void ledTimeRuns()
    {
        using H = items::HistoryModel;
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        const QString before = cell(page, 0, H::LedFor);
        page.tick(made::now(10min));
        QVERIFY(cell(page, 0, H::LedFor) != before);
    }

    void emptyAndBroken()
    {
        HistoryPage page;
        auto c = made::healthy();
        c.config->history = {true, {}, 1};
        c.timeline = 1;
        c.transitions.clear();
        c.renewals.clear();
        page.setCluster(c, made::now());
        page.show();
        QVERIFY(made::shownWords(page).contains(u"no timeline has ended yet"_s));
        made::shoot(page, u"history-first"_s);
        c.config->history.readable = false;
        c.timeline.reset();
        page.setCluster(c, made::now());
        QVERIFY(made::shownWords(page).contains(u"cannot be read: the timeline is unknown"_s));
        page.setCluster(made::blank(), made::now());
        made::shoot(page, u"history-blank"_s);
        page.clear();
        QVERIFY(made::shownWords(page).contains(u"No cluster is open"_s));
    }

    void staleIsSaid()
    {
        HistoryPage page;
        page.setCluster(made::stale(), made::now());
        page.show();
        QVERIFY(made::shownWords(page).contains(u"Stale, as of"_s));
        QVERIFY(isDimmed(page.findChild<WhoLedChart *>()));
        made::shoot(page, u"history-stale"_s);
        page.setCluster(made::longNames(), made::now());
        QVERIFY(!isDimmed(page.findChild<WhoLedChart *>()));
        made::shoot(page, u"history-long"_s);
    }

    void exportAsksForWhat()
    {
        HistoryPage page;
        QSignalSpy spy(&page, &HistoryPage::exportRequested);
        page.setCluster(made::healthy(), made::now());
        const auto actions = page.findChild<QPushButton *>()->menu()->actions();
        actions.at(0)->trigger();
        actions.at(1)->trigger();
        QCOMPARE(spy.size(), 2);
        QCOMPARE(spy.at(0).at(0).toBool(), false);
        QCOMPARE(spy.at(1).at(0).toBool(), true);
        page.clear();
        QVERIFY(!page.findChild<QPushButton *>()->isEnabled());
    }

    void spansAndGaps()
    {
        const auto led = whoLed(made::healthy(), made::now());
        QCOMPARE(led.lanes, (std::vector<std::string>{"acme-0", "acme-1", "acme-2"}));
        QCOMPARE(led.spans.size(), 7U); // timeline 1 has no time at all
        QVERIFY(!led.spans.front().member);
        QVERIFY(led.spans.front().openStart);
        QVERIFY(led.spans.back().current);
        QCOMPARE(led.spans.back().to, made::now().wall);
        QCOMPARE(led.gaps.size(), 1U);
        QCOMPARE(led.gaps[0].to - led.gaps[0].from, Duration(37s));
        QCOMPARE(led.spans[5].to, led.gaps[0].from);
        for (const auto &gap : led.gaps)
            for (const auto &span : led.spans)
                QVERIFY2(span.to <= gap.from || span.from >= gap.to, "a span lies over a gap");
    }

    void aGapThatGoesOn()
    {
        const auto led = whoLed(made::expired(), made::now());
        QCOMPARE(led.gaps.size(), 2U);
        QVERIFY(led.gaps.back().current);
        QCOMPARE(led.gaps.back().to - led.gaps.back().from, Duration(42s));
        QVERIFY(!led.spans.back().current);
        QCOMPARE(led.spans.back().to, led.gaps.back().from);
        // our own silence is no gap
        const auto stale = whoLed(made::stale(), made::now());
        QCOMPARE(stale.gaps.size(), 1U);
        QCOMPARE(stale.spans.back().to, made::now(-48s).wall);
    }

    void lockMovesWithoutTimeline()
    {
        auto c = made::healthy();
        auto t = made::transition(patroni::TransitionKind::LockReleased, "acme-1", "acme-2", 0, made::now(-1h).wall, 5s);
        t.timeline.reset();
        c.transitions.push_back(t);
        c.leaderName = "acme-2";
        const auto led = whoLed(c, made::now());
        QCOMPARE(led.spans.back().member, std::optional<std::string>("acme-2"));
        QCOMPARE(led.spans.back().from, made::now(-1h).wall);
        QVERIFY(led.spans.back().current);
        QVERIFY(!led.spans[led.spans.size() - 2].current);
    }

    void tooltips()
    {
        WhoLedLayout layout{whoLed(made::healthy(), made::now()), QRectF(100, 10, 800, 90), {}, {}};
        layout.from = *layout.data.from;
        layout.to = *layout.data.to;
        const auto bar = layout.bar(layout.data.spans.back());
        QVERIFY(hitText(layout, bar.center()).startsWith(u"acme-1, timeline 8, for 3 h 1"_s));
        QVERIFY(hitText(layout, layout.gap(layout.data.gaps[0]).center()).startsWith(u"Nobody led for 37 s"_s));
        QVERIFY(hitText(layout, QPointF(105, 12)).isEmpty());
    }

    void picturesAreThemed()
    {
        WhoLedChart chart;
        chart.resize(900, 130);
        chart.show(whoLed(made::expired(), made::now()), Duration(1h));
        chart.QWidget::show();
        for (const auto theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            QCoreApplication::processEvents();
            const QImage image = chart.grab().toImage();
            QVERIFY(pixelsLike(image, toneColor(Tone::Bad, qApp->palette())) > 50); // the gap
            QVERIFY(pixelsLike(image, qApp->palette().color(QPalette::Window)) > 10000);
        }
        applyTheme(*qApp, Theme::Light);
    }

    void decimation()
    {
        QList<QPointF> points;
        std::mt19937 random(1);
        for (int i = 0; i < 100000; ++i)
            points.append({double(i), double(random() % 1000)});
        points[54321].setY(5000);
        points[12345].setY(-7);
        const auto some = decimate(points, 0, 99999, 800);
        QVERIFY(some.size() <= 1600);
        QVERIFY(std::is_sorted(some.begin(), some.end(), [](const QPointF &a, const QPointF &b) { return a.x() < b.x(); }));
        QVERIFY(some.contains(QPointF(54321, 5000)));
        QVERIFY(some.contains(QPointF(12345, -7)));
        QCOMPARE(decimate({{1, 2}}, 0, 10, 5), (QList<QPointF>{{1, 2}}));
        QVERIFY(decimate(points, 5, 5, 10).isEmpty());
        QVERIFY(decimate({}, 0, 1, 10).isEmpty());
    }

    void breaksInRenewalsAreNotBridged()
    {
        const auto at = [](int second, double interval) { return RenewPoint{made::now().wall + std::chrono::seconds(second), interval}; };
        // renewals every 10 s; the lock expires; the new leader's first interval is short
        const auto runs = unbroken({at(0, 10), at(10, 10), at(41, 1), at(51, 10)});
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].size(), 2);
        QCOMPARE(runs[1].front().seconds, 1.0);
        QVERIFY(unbroken({}).isEmpty());
    }

    void openIntervalCountsOn()
    {
        auto c = made::healthy();
        QCOMPARE(renewData(c, made::now()).open, std::optional<double>(4));
        QCOMPARE(renewData(c, made::now(20s)).open, std::optional<double>(24));
        QVERIFY(!renewData(made::stale(), made::now()).open); // our own silence is not the leader's
        QVERIFY(!renewData(made::blank(), made::now()).open);
    }

    void goneLooksGone()
    {
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        page.setGone();
        const QString then = made::shownWords(page);
        QVERIFY2(then.contains(u"The cluster is gone"_s), qPrintable(then));
        QVERIFY(isDimmed(page.findChild<WhoLedChart *>()));
        page.tick(made::now(60s));
        QCOMPARE(made::shownWords(page), then); // nothing counts on
        page.setCluster(made::healthy(), made::now());
        QVERIFY(!made::shownWords(page).contains(u"gone"_s));
    }

    // The mark of the context is around every page that shows one cluster.
    void contextFrame()
    {
        HistoryPage page;
        page.resize(1000, 600);
        page.setCluster(made::healthy(), made::now());
        page.show();
        const QColor red = markColour(u"red"_s, page.palette());
        QVERIFY(red.isValid());
        const auto edges = [&page] {
            const QImage shot = page.grab().toImage();
            return std::vector<QColor>{shot.pixelColor(1, 300), shot.pixelColor(998, 300), shot.pixelColor(500, 1),
                                       shot.pixelColor(500, 598)};
        };
        for (const QColor &edge : edges())
            QVERIFY(edge != red);
        page.setContextMark(u"red"_s);
        QCoreApplication::processEvents();
        for (const QColor &edge : edges())
            QCOMPARE(edge, red);
        page.setContextMark({});
        for (const QColor &edge : edges())
            QVERIFY(edge != red);
    }

    void renewals()
    {
        const auto data = renewData(made::healthy(), made::now());
        QCOMPARE(data.points.size(), 400);
        QCOMPARE(data.inTime, std::optional<double>(20));
        QCOMPARE(data.ttl, 30.0);
        QVERIFY(!renewData(made::blank(), made::now()).inTime);
        RenewChart chart;
        chart.show(data);
        QCOMPARE(chart.accessibleDescription(), u"400 renewals, 2 of them late"_s);
        chart.resize(900, 200);
        chart.QWidget::show();
        QVERIFY(pixelsLike(chart.grab().toImage(), toneColor(Tone::Warning, qApp->palette())) > 40); // the late ones
    }
};

QTEST_MAIN(TestHistoryPage)
#include "tst_history_page.moc"
