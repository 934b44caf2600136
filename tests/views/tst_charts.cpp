// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/charts/decimate.h"
#include "views/charts/drawn_spans.h"
#include "views/charts/health_strips.h"
#include "views/charts/lag_chart.h"
#include "views/charts/picture_panel.h"
#include "views/charts/renew_chart.h"
#include "views/charts/timeline_chart.h"
#include "views/charts/timeline_painter.h"
#include "views/pages/fleet/health_pane.h"
#include "views/style/colors.h"
#include "views/style/metrics.h"

#include <QComboBox>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTableView>
#include <QToolButton>
#include <QWheelEvent>

#include <random>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

Instant at(Duration later)
{
    return made::now(later).wall;
}

// One member that is up and down every 30 s, with a gap of 1 s at each 500th change.
Leadership many(int changes)
{
    Leadership data;
    data.lanes = {{"acme-0", {}}, {"acme-1", {}}};
    for (int i = changes; i > 0; --i) {
        const Instant from = at(-i * 30s), to = at(-(i - 1) * 30s);
        data.lanes[0].spans.push_back({.state = i % 2 ? LaneState::Replica : LaneState::Stopped, .from = from, .to = to});
        if (i % 500 == 0)
            data.gaps.push_back({from, from + 1s, false});
        if (i % 5 == 0)
            data.marks.push_back({EventCode::ConfigChanged, from, {}, {}});
    }
    data.lanes[1].spans.push_back({.state = LaneState::Leader, .from = at(-changes * 30s), .to = at(0s), .timeline = 8, .current = true});
    data.from = data.lookedSince = at(-changes * 30s);
    data.to = at(0s);
    return data;
}

QImage painted(const TimelineScene &scene, const QPalette &palette, int *count = nullptr)
{
    QImage image(1000, 120, QImage::Format_RGB32);
    image.fill(palette.color(QPalette::Window));
    QPainter painter(&image);
    const int shapes = paintTimeline(painter, scene, palette);
    if (count)
        *count = shapes;
    return image;
}

bool columnHas(const QImage &image, int x, const QColor &color)
{
    for (int y = markRowHeight; y < image.height(); ++y)
        if (image.pixelColor(x, y) == color)
            return true;
    return false;
}

} // namespace

class TestCharts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void ranges_data()
    {
        QTest::addColumn<double>("factor");
        QTest::addColumn<int>("around");
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        QTest::newRow("nearer, in the middle") << 0.5 << -50 << -75 << -25;
        QTest::newRow("nearer, at the left") << 0.5 << -100 << -100 << -50;
        QTest::newRow("nearer, at the right") << 0.5 << 0 << -50 << 0;
        QTest::newRow("farther, but not beyond all there is") << 2.0 << -50 << -150 << 0;
        QTest::newRow("not nearer than a second") << 0.0001 << 0 << -1 << 0;
        QTest::newRow("all there is") << 1000.0 << -50 << -1000 << 0;
    }
    void ranges()
    {
        QFETCH(double, factor);
        QFETCH(int, around);
        QFETCH(int, from);
        QFETCH(int, to);
        const TimeRange all{at(-1000s), at(0s)};
        TimeRange range = zoomed({at(-100s), at(0s)}, factor, at(std::chrono::seconds(around)), all);
        if (factor == 2.0)
            QCOMPARE(range.length(), Duration(200s));
        else
            QCOMPARE(range, (TimeRange{at(std::chrono::seconds(from)), at(std::chrono::seconds(to))}));
        QVERIFY(range.from >= all.from && range.to <= all.to);
    }

    void panning()
    {
        const TimeRange all{at(-1000s), at(0s)};
        QCOMPARE(panned({at(-100s), at(0s)}, -50s, all), (TimeRange{at(-150s), at(-50s)}));
        QCOMPARE(panned({at(-100s), at(0s)}, 50s, all), (TimeRange{at(-100s), at(0s)}));
        QCOMPARE(panned({at(-900s), at(-800s)}, -500s, all), (TimeRange{at(-1000s), at(-900s)}));
    }

    void ticks_data()
    {
        QTest::addColumn<qlonglong>("seconds");
        QTest::addColumn<QString>("last");
        QTest::newRow("a second") << 1LL << u"13:02:11.000"_s;
        QTest::newRow("a minute") << 60LL << u"13:02:10"_s;
        QTest::newRow("an hour") << 3600LL << u"13:00"_s;
        QTest::newRow("a day") << 86400LL << u"01 Feb 12:00"_s;
        QTest::newRow("a week") << 7 * 86400LL << u"2031-02-01"_s;
        QTest::newRow("a year") << 365 * 86400LL << u"2030-12-12"_s;
    }
    void ticks()
    {
        QFETCH(qlonglong, seconds);
        const auto ticks = timeTicks({at(-std::chrono::seconds(seconds)), at(0s)}, 1000);
        QVERIFY(ticks.size() >= 2);
        QVERIFY(ticks.size() <= 9);
        QTEST(ticks.last().label, "last");
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

    // What is too narrow to be seen is seen all the same, if it is the worse.
    void narrowSpans()
    {
        const QRectF plot(0, 0, 100, 20);
        const TimeRange shown{at(-1000s), at(0s)}; // 10 s a pixel
        std::vector<LaneSpan> spans{{.state = LaneState::Replica, .from = at(-1000s), .to = at(-503s)},
                                    {.state = LaneState::Stopped, .from = at(-503s), .to = at(-502s)},
                                    {.state = LaneState::Replica, .from = at(-502s), .to = at(-501s)},
                                    {.state = LaneState::Replica, .from = at(-400s), .to = at(0s)}};
        const auto drawn = drawnSpans(spans, shown, plot, weightOf);
        QCOMPARE(drawn.size(), std::size_t(3));
        QCOMPARE(drawn[1].worst->state, LaneState::Stopped);
        QCOMPARE(drawn[1].left, 49.0);
        QVERIFY(drawn[1].several);
        QCOMPARE(drawn[2].left, 60.0);
        QVERIFY(drawnSpans(spans, {at(-480s), at(-420s)}, plot, weightOf).empty()); // a hole
        // of long spans only those in sight
        QCOMPARE(drawnSpans(spans, {at(-300s), at(-200s)}, plot, weightOf).size(), std::size_t(1));
    }

    void gapsAreNeverLost()
    {
        const QRectF plot(0, 0, 100, 20);
        const std::vector<TimeSpan> gaps{{at(-90h), at(-90h) + 1ms, false}, {at(-50h), at(-50h) + 1ms, false}, {at(-1ms), at(0s), true}};
        const auto drawn = drawnAreas(gaps, {at(-100h), at(0s)}, plot, 2);
        QCOMPARE(drawn.size(), std::size_t(3));
        for (const DrawnArea &area : drawn) {
            QVERIFY(area.right - area.left >= 2);
            QVERIFY(area.left >= 0 && area.right <= 100);
        }
        QCOMPARE(drawn[0].left, 10.0);
        std::vector<TimeSpan> crowd;
        for (int i = 0; i < 100000; ++i)
            crowd.push_back({at(-100h + i * 3s), at(-100h + i * 3s + 1s), false});
        QVERIFY(drawnAreas(crowd, {at(-100h), at(0s)}, plot, 2).size() <= 50);
    }

    void hundredThousandSpans()
    {
        const Leadership data = many(100000);
        for (const auto length : {Duration(1min), Duration(1h), Duration(24h), Duration(100000 * 30s)}) {
            int count = 0;
            const QImage image = painted({data, {at(-length), at(0s)}, QRectF(100, 0, 880, 110)}, qApp->palette(), &count);
            QVERIFY2(count <= 2 * 2 * 880 + 880, qPrintable(QString::number(count)));
            if (length == Duration(100000 * 30s)) // each gap is a second in 35 days
                QVERIFY(made::pixelsLike(image, toneColor(Tone::Bad, qApp->palette())) > 200 * 90);
        }
    }

    void paintsWhatIsKnown()
    {
        const QPalette palette = qApp->palette();
        const auto cluster = made::expired();
        const Leadership data = leadership(cluster, {}, at(-600s), made::now());
        const TimelineScene scene{data, {at(-1000s), at(0s)}, QRectF(100, 0, 800, 110)};
        const QImage image = painted(scene, palette);
        const QColor red = toneColor(Tone::Bad, palette), accent = accentColor(palette), ground = palette.color(QPalette::Window);
        QVERIFY(columnHas(image, int(scene.x(at(-20s))), red));
        QVERIFY(!columnHas(image, int(scene.x(at(-60s))), red));
        QVERIFY(columnHas(image, int(scene.x(at(-300s))), accent));
        QVERIFY(!columnHas(image, int(scene.x(at(-800s))), accent)); // only recorded: before the first look
        // hatched there, and not where one looked: in the lower edge of a lane there is ground alone
        const auto edge = [&](Duration when) {
            int other = 0;
            const QRectF lane = scene.lane(0);
            for (int x = int(scene.x(at(when))); x < int(scene.x(at(when))) + 40; ++x)
                other += image.pixelColor(x, int(lane.bottom()) - 3) != ground ? 1 : 0;
            return other;
        };
        QVERIFY(edge(-900s) > 2);
        QCOMPARE(edge(-400s), 0);
    }

    // The red of a time without a leader covers no word, and leaves no rest of one.
    void wordsStandBesideTheGaps_data()
    {
        QTest::addColumn<int>("from"); // of the gap
        QTest::addColumn<int>("to");
        QTest::addColumn<bool>("before"); // where the word is
        QTest::addColumn<bool>("after");
        QTest::newRow("no gap there") << -200 << -150 << true << false;
        QTest::newRow("over the word") << -96 << -40 << false << true;
        QTest::newRow("behind the word") << -70 << -40 << true << false;
        QTest::newRow("over nearly all") << -96 << -1 << false << false;
    }
    void wordsStandBesideTheGaps()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        Leadership data;
        data.lanes = {{"acme-0", {{.state = LaneState::Replica, .from = at(-100s), .to = at(0s)}}}};
        data.gaps = {{at(std::chrono::seconds(from)), at(std::chrono::seconds(to)), false}};
        data.from = data.lookedSince = at(-100s);
        data.to = at(0s);
        const QPalette palette = qApp->palette();
        const TimelineScene scene{data, {at(-100s), at(0s)}, QRectF(100, 0, 800, 110)};
        const QImage image = painted(scene, palette);
        const auto worded = [&](Duration begin, Duration end) {
            const int left = int(scene.x(at(begin))), right = int(scene.x(at(end)));
            for (int x = left; x < right; ++x)
                for (int y = markRowHeight + 2; y < 100; ++y)
                    if (const QColor c = image.pixelColor(x, y); c.lightness() < 120 && c.saturation() < 100) // dark, and not red
                        return true;
            return false;
        };
        QTEST(worded(-99s, -70s), "before");
        QTEST(worded(-40s, 0s), "after");
    }

    void blindSpotsAreHatched()
    {
        const QPalette palette = qApp->palette();
        const Leadership data = leadership(made::stale(), {}, at(-600s), made::now());
        const TimelineScene scene{data, {at(-100s), at(0s)}, QRectF(100, 0, 800, 110)};
        const QImage image = painted(scene, palette);
        const QColor accent = accentColor(palette);
        QVERIFY(columnHas(image, int(scene.x(at(-70s))), accent));
        for (int x = int(scene.x(at(-47s))); x < int(scene.x(at(-1s))); ++x)
            QVERIFY(!columnHas(image, x, accent)); // nothing is known
        QVERIFY(timelineText(scene, {scene.x(at(-20s)), scene.lane(1).center().y()}).startsWith(u"Not watched for 48 s"_s));
    }

    void tellsWhatIsUnderThePointer()
    {
        Event e;
        e.type = EventCode::PauseOn;
        e.cluster = made::healthy().names.key;
        e.wall = at(-3h);
        const Leadership data = leadership(made::healthy(), {e}, at(-4h), made::now());
        const TimelineScene scene{data, {at(-5h), at(0s)}, QRectF(100, 0, 800, 110)};
        const auto text = [&](Duration when, std::size_t lane) {
            return timelineText(scene, {scene.x(at(when)), scene.lane(lane).center().y()});
        };
        QVERIFY(text(-1h, 1).startsWith(u"acme-1: leader, timeline 8, 3 h 12 min"_s));
        QVERIFY(text(-1h, 1).contains(u"2031-02-01 09:50:01.402 UTC"_s));
        QVERIFY(text(-1h, 0).startsWith(u"acme-0: replica"_s));
        QVERIFY2(text(-3h - 12min - 20s, 0).startsWith(u"Nobody led for 37 s"_s), qPrintable(text(-3h - 12min - 20s, 0)));
        QVERIFY(text(-290min, 0).startsWith(u"Before the first look: not known"_s));
        QVERIFY(text(-290min, 2).contains(u"recorded, not seen"_s));
        QVERIFY(timelineText(scene, {scene.x(at(-3h)), 5}).contains(u"10:02:11.000 UTC"_s));
        QVERIFY(timelineText(scene, {50, 50}).isEmpty());
    }

    void wheelKeysAndDrag()
    {
        TimelineChart chart;
        chart.resize(900, 150);
        chart.show(leadership(made::healthy(), {}, at(-600s), made::now()));
        chart.QWidget::show();
        const Duration all = chart.shown().length();
        const QPointF middle = chart.plotIn(chart.rect()).center();
        const Instant under = chart.timeAt(middle.x(), chart.plotIn(chart.rect()));
        QWheelEvent wheel(middle, chart.mapToGlobal(middle), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&chart, &wheel);
        QCOMPARE(qRound(toSeconds(chart.shown().length()) / toSeconds(all) * 100), 80);
        QVERIFY(std::abs(chart.xOf(under, chart.plotIn(chart.rect())) - middle.x()) < 1);
        const TimeRange before = chart.shown();
        QTest::mousePress(&chart, Qt::LeftButton, {}, middle.toPoint());
        QMouseEvent move(QEvent::MouseMove, middle + QPointF(50, 0), chart.mapToGlobal(middle + QPointF(50, 0)), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(&chart, &move);
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, middle.toPoint() + QPoint(50, 0));
        QVERIFY(chart.shown().from < before.from);
        QCOMPARE(chart.shown().length(), before.length());
        QTest::keyClick(&chart, Qt::Key_Plus);
        QVERIFY(chart.shown().length() < before.length());
        const TimeRange near = chart.shown();
        QTest::keyClick(&chart, Qt::Key_Left);
        QVERIFY(chart.shown().from < near.from);
        QTest::keyClick(&chart, Qt::Key_End);
        QCOMPARE(chart.shown().to, chart.all().to);
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.shown().from, chart.all().from);
        QTest::keyClick(&chart, Qt::Key_0);
        QCOMPARE(chart.shown(), chart.all());
    }

    void cursorGoesFromChangeToChange()
    {
        TimelineChart chart;
        chart.resize(900, 150);
        chart.show(leadership(made::healthy(), {}, at(-600s), made::now()));
        chart.QWidget::show();
        QString said;
        connect(&chart, &TimeCanvas::told, &chart, [&](const QString &text) { said = text; });
        std::vector<Instant> stops;
        for (int i = 0; i < 30; ++i) {
            QTest::keyClick(&chart, Qt::Key_Left, Qt::ControlModifier);
            if (stops.empty() || stops.back() != *chart.cursor())
                stops.push_back(*chart.cursor());
        }
        QCOMPARE(stops[0], at(-600s));
        QCOMPARE(stops[1], made::instant("2031-02-01T09:50:01.402+00:00"));
        QCOMPARE(stops[2], made::instant("2031-02-01T09:49:24.402+00:00"));
        QCOMPARE(stops.back(), made::instant("2031-01-28T02:11:09+00:00"));
        QVERIFY(said.contains(u"acme-0: leader"_s));
        QTest::keyClick(&chart, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(*chart.cursor(), made::instant("2031-01-29T18:40:00+00:00"));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QVERIFY(!chart.cursor());
    }

    // Who looks at the end goes along with it; who looks at the past stays there.
    void followsTheEnd()
    {
        TimelineChart chart;
        chart.show(leadership(made::healthy(), {}, at(-600s), made::now()));
        chart.showLast(60s);
        QCOMPARE(chart.shown(), (TimeRange{at(-60s), at(0s)})); // and nothing that is still to come
        chart.goOn(at(30s));
        QCOMPARE(chart.shown(), (TimeRange{at(-30s), at(30s)}));
        chart.setShown({at(-500s), at(-400s)});
        chart.goOn(at(60s));
        QCOMPARE(chart.shown(), (TimeRange{at(-500s), at(-400s)}));
    }

    void panel()
    {
        auto *chart = new TimelineChart;
        PicturePanel panel(chart, u"Who led when"_s, u"legend"_s);
        panel.resize(900, 250);
        chart->show(leadership(made::healthy(), {}, at(-600s), made::now()));
        panel.show();
        QTest::mouseClick(panel.findChild<QToolButton *>(u"zoomIn"_s), Qt::LeftButton);
        QVERIFY(chart->shown().length() < chart->all().length() * 6 / 10);
        QCOMPARE(panel.findChild<QComboBox *>()->currentIndex(), -1);
        auto *bar = panel.findChild<QScrollBar *>();
        QVERIFY(bar->isEnabled());
        bar->setValue(0);
        QCOMPARE(chart->shown().from, chart->all().from);
        QTest::mouseClick(panel.findChild<QToolButton *>(u"zoomOut"_s), Qt::LeftButton);
        QTest::mouseClick(panel.findChild<QToolButton *>(u"zoomOut"_s), Qt::LeftButton);
        QCOMPARE(chart->shown(), chart->all());
        panel.choose(Duration(1h));
        QCOMPARE(chart->shown().length(), Duration(1h));
        QCOMPARE(panel.findChild<QComboBox *>()->currentText(), u"last hour"_s);
        QCOMPARE(made::namelessWidgets(panel), QStringList{});
    }

    void pictureFiles()
    {
        auto *chart = new TimelineChart;
        PicturePanel panel(chart, u"Who led when"_s, u"legend"_s);
        panel.setSubject(u"prod-eu / payments / acme"_s);
        panel.resize(900, 250);
        chart->show(leadership(made::healthy(), {}, at(-600s), made::now()));
        panel.show();
        panel.choose(Duration(10min));
        const QImage png = QImage::fromData(panel.picture(PictureFormat::Png), "PNG");
        if (const QString folder = qEnvironmentVariable("SWITCHYARD_SHOTS"); !folder.isEmpty())
            QVERIFY(png.save(folder + u"/saved-picture.png"_s));
        QVERIFY(png.width() >= 2 * chart->width());
        QVERIFY(made::pixelsLike(png, accentColor(chart->palette())) > 100);
        QVERIFY(made::pixelsLike(png.copy(0, 0, png.width(), 60), chart->palette().color(QPalette::WindowText)) > 20); // the head
        const QByteArray svg = panel.picture(PictureFormat::Svg);
        QVERIFY(QSvgRenderer(svg).isValid());
        for (const auto *words : {"Who led when", "prod-eu / payments / acme", "zone UTC", "acme-1", "TL 8", "2031-02-01 13:"})
            QVERIFY2(svg.contains(words), words);
    }

    void picturesAreThemed()
    {
        TimelineChart chart;
        chart.resize(900, 150);
        chart.show(leadership(made::expired(), {}, at(-600s), made::now()));
        chart.showLast(1h);
        chart.QWidget::show();
        for (const auto theme : {Theme::Light, Theme::Dark}) {
            applyTheme(*qApp, theme);
            QCoreApplication::processEvents();
            const QImage image = chart.grab().toImage();
            QVERIFY(made::pixelsLike(image, toneColor(Tone::Bad, qApp->palette())) > 50); // the gap
            QVERIFY(made::pixelsLike(image, qApp->palette().color(QPalette::Window)) > 10000);
        }
        applyTheme(*qApp, Theme::Light);
    }

    void breaksInRenewalsAreNotBridged()
    {
        const auto point = [](int second, double interval) { return RenewPoint{at(std::chrono::seconds(second)), interval}; };
        // renewals every 10 s; the lock expires; the new leader's first interval is short
        const auto runs = unbroken({point(0, 10), point(10, 10), point(41, 1), point(51, 10)});
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

    void percentiles_data()
    {
        QTest::addColumn<QList<double>>("seconds");
        QTest::addColumn<double>("median");
        QTest::addColumn<double>("p95");
        QTest::addColumn<double>("longest");
        QList<double> hundred;
        for (int i = 100; i > 0; --i)
            hundred << i;
        QTest::newRow("one") << QList<double>{7} << 7.0 << 7.0 << 7.0;
        QTest::newRow("two") << QList<double>{9, 7} << 7.0 << 9.0 << 9.0;
        QTest::newRow("hundred") << hundred << 50.0 << 95.0 << 100.0;
    }
    void percentiles()
    {
        QFETCH(QList<double>, seconds);
        RenewData data;
        data.inTime = 20;
        for (const double s : seconds)
            data.points.append({at(0s), s});
        const TimeRange range{at(-1s), at(1s)};
        QTEST(*renewStats(data, range).median, "median");
        QTEST(*renewStats(data, range).p95, "p95");
        QTEST(*renewStats(data, range).longest, "longest");
        QCOMPARE(renewStats(data, {at(1s), at(2s)}), RenewStats{});
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
        QCOMPARE(chart.stats().late, 2);
        QCOMPARE(*chart.stats().longest, 26.1);
        chart.resize(900, 200);
        chart.QWidget::show();
        QVERIFY(made::pixelsLike(chart.grab().toImage(), toneColor(Tone::Warning, qApp->palette())) > 40); // the late ones
        chart.showLast(60s);
        QCOMPARE(chart.stats().late, 0);
    }

    // Who did not renew is in no interval; a lock that ran out is told beside them, also while nobody has taken it.
    void expiriesBesideRenewals()
    {
        using enum patroni::TransitionKind;
        auto c = made::healthy();
        auto expired = made::transition(LockExpired, "acme-2", "acme-1", 8, at(-600s), 37s);
        expired.evidence = {{patroni::EvidenceCode::Expired, "acme-2", "30", {}}};
        c.transitions.push_back(expired);
        c.transitions.push_back(made::transition(LockReleased, "acme-1", "acme-2", 9, at(-400s), 6s));
        RenewChart chart;
        chart.show(renewData(c, made::now()));
        QCOMPARE(chart.stats().ranOut, 1);
        QCOMPARE(chart.stats().count, 400);
        chart.showLast(300s);
        QCOMPARE(chart.stats().ranOut, 0);
        QCOMPARE(renewData(made::expired(), made::now()).ranOut, QList<Instant>{made::now().toWall(*made::expired().lock.expiresAt)});
        QVERIFY(renewData(made::stale(), made::now()).ranOut.isEmpty()); // our own silence is no expiry
    }

    void healthIsToldByChanges()
    {
        ClusterTrail trail;
        trail.lookedSince = made::now(-600s).boot;
        using patroni::Health;
        trail.health = {{made::now(-600s).boot, Health::Healthy, {}},
                        {made::now(-300s).boot, Health::Unhealthy, patroni::Reason{patroni::HealthReason::LockExpired, {}, {}}},
                        {made::now(-200s).boot, Health::Unknown, {}}};
        auto spans = healthSpans(trail, made::now());
        QCOMPARE(spans.size(), std::size_t(3));
        QCOMPARE(spans[1].to, at(-200s));
        QVERIFY(spans[2].current);
        QCOMPARE(spans[2].to, at(0s));
        trail.goneAt = made::now(-100s).boot;
        spans = healthSpans(trail, made::now());
        QVERIFY(!spans[2].current);
        QCOMPARE(spans[2].to, at(-100s));
        QVERIFY(healthSpans({}, made::now()).empty());
    }

    void healthStrips()
    {
        const QPalette palette = qApp->palette();
        HealthStrips chart;
        chart.resize(900, 200);
        using patroni::Health;
        std::vector<HealthStrip> strips{{{},
                                         u"prod / acme"_s,
                                         {{Health::Healthy, at(-600s), at(-300s), {}, false},
                                          {Health::Unhealthy, at(-300s), at(-299s), {}, false},
                                          {Health::Healthy, at(-299s), at(-200s), {}, false},
                                          {Health::Unknown, at(-200s), at(0s), {}, true}}}};
        chart.show(strips, at(0s));
        chart.setShown({at(-100h), at(0s)});
        chart.QWidget::show();
        QImage image = chart.grab().toImage();
        const QRectF plot = chart.plotIn(chart.rect());
        const auto inked = [&](Duration when, Tone tone) {
            int count = 0;
            const int x = int(chart.xOf(at(when), plot));
            for (int y = int(plot.top()); y < int(plot.top()) + 28; ++y)
                count += image.pixelColor(x, y) == toneColor(tone, palette) ? 1 : 0;
            return count;
        };
        QVERIFY(inked(-300s, Tone::Bad) > 15); // a second among hundred hours
        chart.setShown({at(-600s), at(0s)});
        image = chart.grab().toImage();
        QVERIFY(inked(-450s, Tone::Good) > 3);
        QVERIFY(inked(-450s, Tone::Good) < 15); // lower than what is wrong
        QCOMPARE(inked(-100s, Tone::Good), 0);  // unknown is not what it was
        QCOMPARE(inked(-100s, Tone::Bad), 0);
        QVERIFY(chart.textAt({chart.xOf(at(-450s), plot), plot.top() + 10}).startsWith(u"prod / acme: healthy"_s));
        QVERIFY(chart.textAt({chart.xOf(at(-450s), plot), plot.top() + 60}).isEmpty());
        // the names keep off the frame
        const auto inColumn = [&](int x) {
            int count = 0;
            for (int y = int(plot.top()) + 2; y < int(plot.top()) + 26; ++y)
                count += image.pixelColor(x, y) != image.pixelColor(2, y) ? 1 : 0;
            return count;
        };
        int first = 0;
        while (first < int(plot.left()) && inColumn(first) == 0)
            ++first;
        QVERIFY2(first >= grid && first < 3 * grid, qPrintable(QString::number(first)));
    }

    void healthOfManyClusters()
    {
        Trails trails;
        std::vector<std::pair<patroni::ClusterKey, QString>> clusters;
        auto c = made::healthy();
        for (int i = 0; i < 200; ++i) {
            c.names.key.base = c.names.key.scope = "acme" + std::to_string(i);
            for (int k = 0; k < 10; ++k) {
                c.health.health = static_cast<patroni::Health>((i + k) % 4);
                trails.look(c, made::now(-3000s + k * 300s + i * 1s).boot);
            }
            clusters.emplace_back(c.names.key, u"prod-eu / payments / acme%1"_s.arg(i));
        }
        HealthPane pane;
        pane.setTrails(&trails);
        pane.resize(1100, 600);
        pane.QWidget::show();
        pane.show(clusters, made::now());
        auto *strips = pane.findChild<HealthStrips *>();
        QVERIFY(strips->rows() > 4 && strips->rows() < 40);
        QTest::keyClick(strips, Qt::Key_Down);
        QCOMPARE(strips->firstRow(), 1);
        strips->setFirstRow(1000);
        QCOMPARE(strips->firstRow(), 200 - strips->rows());
        QCOMPARE(pane.findChild<QTableView *>()->model()->rowCount(), 2000);
        QCOMPARE(made::namelessWidgets(pane), QStringList{});
        made::shoot(pane, u"fleet-health"_s);
    }

    void lagBreaksWhereItIsUnknown()
    {
        const LagLine line{"acme-0", {{at(-100s), 10}, {at(-80s), 20}, {at(-60s), std::nullopt}, {at(-30s), 0}}};
        const auto runs = lagRuns(line, at(0s));
        QCOMPARE(runs.size(), 2);
        QCOMPARE(runs[0].size(), 4);
        QCOMPARE(runs[0].last().y(), 20.0);
        QCOMPARE(runs[0].last().x(), double(std::chrono::floor<std::chrono::milliseconds>(at(-60s)).time_since_epoch().count()));
        QCOMPARE(runs[1].first().y(), 0.0);
        QCOMPARE(runs[1].last().x(), double(std::chrono::floor<std::chrono::milliseconds>(at(0s)).time_since_epoch().count()));
        QVERIFY(lagRuns({"a", {{at(-5s), std::nullopt}}}, at(0s)).isEmpty());

        LagChart chart;
        chart.resize(900, 200);
        LagData data{{{"acme-0", {{at(-100s), 60000}, {at(-60s), std::nullopt}, {at(-30s), 60000}}}}, std::nullopt, at(0s)};
        chart.show(data);
        chart.QWidget::show();
        const QImage image = chart.grab().toImage();
        const QRectF plot = chart.plotIn(chart.rect());
        const auto inked = [&](Duration when) {
            const int x = int(chart.xOf(at(when), plot));
            for (int y = int(plot.top()); y < int(plot.bottom()); ++y)
                if (image.pixelColor(x, y).saturation() > 100) // the rest is grey
                    return true;
            return false;
        };
        QVERIFY(inked(-80s));
        QVERIFY(!inked(-45s)); // neither bridged nor 0
        QVERIFY(chart.textAt({chart.xOf(at(-45s), plot), plot.center().y()}).startsWith(u"acme-0: unknown"_s));
        QVERIFY(chart.textAt({chart.xOf(at(-80s), plot), plot.center().y()}).startsWith(u"acme-0: 58.6 KiB"_s));
    }
};

QTEST_MAIN(TestCharts)
#include "tst_charts.moc"
