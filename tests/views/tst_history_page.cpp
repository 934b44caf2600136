// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/items/events_model.h"
#include "tests/support/made_clusters.h"
#include "tests/support/view_shots.h"
#include "views/charts/lag_chart.h"
#include "views/charts/picture_panel.h"
#include "views/charts/timeline_chart.h"
#include "views/pages/cluster/log_tables.h"
#include "views/pages/cluster/parts.h"
#include "views/pages/history/history_pictures.h"
#include "views/pages/history/picture_rows.h"
#include "views/pages/history/timelines_view.h"
#include "views/pages/history_page.h"
#include "views/style/marks.h"
#include "views/style/metrics.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

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
    static QTabWidget *tables(HistoryPage &page)
    {
        return qobject_cast<QTabWidget *>(page.findChild<TransitionsTable *>()->parentWidget()->parentWidget());
    }

    static const QTableView *renewals(HistoryPage &page)
    {
        for (const QTableView *view : page.findChildren<QTableView *>())
            if (view->accessibleName() == u"Renewals of the lock"_s)
                return view;
        return nullptr;
    }
    static void compareTitles(const QTableView &table)
    {
        const QHeaderView *titles = table.horizontalHeader();
        for (int i = 0; i < titles->count(); ++i) {
            const QString title = table.model()->headerData(i, Qt::Horizontal).toString();
            QVERIFY2(titles->sectionSize(i) >= titles->fontMetrics().horizontalAdvance(title) + grid, qPrintable(title));
        }
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
        tables(page)->setCurrentIndex(1);
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
        QVERIFY(isDimmed(page.findChild<TimelineChart *>()));
        made::shoot(page, u"history-stale"_s);
        page.setCluster(made::longNames(), made::now());
        QVERIFY(!isDimmed(page.findChild<TimelineChart *>()));
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

    void goneLooksGone()
    {
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        page.setGone();
        const QString then = made::shownWords(page);
        QVERIFY2(then.contains(u"The cluster is gone"_s), qPrintable(then));
        QVERIFY(isDimmed(page.findChild<TimelineChart *>()));
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

    // What came while the page was hidden, and what comes while it is seen.
    void eventsReachThePicture()
    {
        items::EventsModel events;
        Trails trails;
        const auto c = made::healthy();
        trails.look(c, made::now(-600s).boot);
        Event e;
        e.type = EventCode::PauseOn;
        e.cluster = c.names.key;
        e.wall = made::now(-300s).wall;
        e.id = "1";
        events.append({e});
        HistoryPage page;
        page.setSources(&events, &trails);
        page.setCluster(c, made::now());
        page.show();
        const auto *chart = page.findChild<TimelineChart *>();
        QCOMPARE(chart->data().lookedSince, std::optional(made::now(-600s).wall));
        QCOMPARE(chart->data().marks.size(), std::size_t(1));
        Event later = e, other = e;
        later.type = EventCode::PauseOff;
        later.wall = made::now(-100s).wall;
        other.cluster.scope = "ledger";
        events.append({later, other});
        QCOMPARE(chart->data().marks.size(), std::size_t(2));
        QCOMPARE(chart->data().marks.back().type, EventCode::PauseOff);
        // an archive tells of earlier times, and of the same event once more
        Event past = e;
        past.id = "0";
        past.type = EventCode::ConfigChanged;
        past.wall = made::now(-5000s).wall;
        page.setPast(c.names.key, {past, e}, made::now(-6000s).wall);
        QCOMPARE(chart->data().marks.size(), std::size_t(3));
        QCOMPARE(chart->data().lookedSince, std::optional(made::now(-6000s).wall));
        QVERIFY(made::shownWords(page).contains(u"From the archive: "_s)); // the picture says where it comes from
        const auto rows = leadershipRows(chart->data(), made::now(-600s).wall);
        QVERIFY(
            std::any_of(rows.begin(), rows.end(), [](const auto &row) { return row.cells.last().toString().startsWith(u"archive: "_s); }));
        QCOMPARE(rows.first().cells.last().toString().contains(u"archive"_s), false);
        events.append({past}); // the list of events tells of it, too
        QCOMPARE(chart->data().marks.size(), std::size_t(3));
        page.tick(made::now(5s));
        QCOMPARE(chart->data().to, std::optional(made::now(5s).wall));
    }

    // Patroni may keep only the newest entries; an archive has the others.
    void trimmedTimelinesComeFromTheArchive()
    {
        using H = items::HistoryModel;
        auto c = made::healthy();
        const auto all = c.config->history.entries;
        QCOMPARE(all.size(), std::size_t(7));
        auto &entries = c.config->history.entries;
        entries.erase(entries.begin(), entries.begin() + 5);
        HistoryPage page;
        page.setCluster(c, made::now());
        page.show();
        const auto *view = page.findChild<TimelinesView *>();
        QCOMPARE(view->model()->rowCount(), 2);
        page.setPast(c.names.key, {}, {}, all);
        QCOMPARE(view->model()->rowCount(), 7);
        for (int row = 0; row < 7; ++row) {
            QCOMPARE(cell(page, row, H::Timeline), QString::number(7 - row));
            QCOMPARE(cell(page, row, H::Reason).startsWith(u"archive: "_s), row >= 2);
        }
        page.setCluster(c, made::now(5s)); // they stay
        QCOMPARE(view->model()->rowCount(), 7);
        page.clear();
        page.setCluster(c, made::now());
        QCOMPARE(view->model()->rowCount(), 2);
    }

    void picturesWithTheirTables()
    {
        Trails trails;
        auto c = made::healthy();
        for (int i = 60; i > 0; --i) {
            c.members[1].lag = i % 20 == 0 ? std::nullopt : std::optional<std::uint64_t>(std::uint64_t(i * 70000 % 900000));
            c.members[2].lag = std::uint64_t(i * 3000);
            trails.look(c, made::now(-i * 10s).boot);
        }
        items::EventsModel events;
        const auto event = [&](EventCode type, Duration at, std::map<std::string, std::string> detail) {
            Event e;
            e.type = type;
            e.cluster = c.names.key;
            e.wall = made::now(at).wall;
            e.detail = std::move(detail);
            events.append({e});
        };
        event(EventCode::RequestWritten, -400s, {{"kind", "switchover"}});
        event(EventCode::MemberState, -350s, {{"member", "acme-0"}, {"old", "running replica"}, {"new", "stopped replica"}});
        event(EventCode::PauseOn, -340s, {});
        event(EventCode::BlindSpot, -250s, {{"from", formatUtc(made::now(-300s).wall)}, {"to", formatUtc(made::now(-250s).wall)}});
        event(EventCode::MemberState, -200s, {{"member", "acme-0"}, {"old", "stopped replica"}, {"new", "running replica"}});
        event(EventCode::SyncChanged, -150s, {{"from", ""}, {"to", "acme-2"}});
        event(EventCode::ConfigChanged, -120s, {{"changed", "ttl"}});
        event(EventCode::PauseOff, -100s, {});
        auto t = made::transition(patroni::TransitionKind::LockReleased, "acme-2", "acme-1", 8, made::now(-380s).wall, 6s);
        c.transitions.back() = t;
        HistoryPage page;
        page.setSources(&events, &trails);
        page.setCluster(c, made::now());
        page.resize(1100, 660);
        page.show();
        for (auto *panel : page.findChildren<PicturePanel *>())
            panel->choose(Duration(10min));
        made::shoot(page, u"history-leaders"_s);
        tables(page)->setCurrentIndex(2);
        made::shoot(page, u"history-leaders-table"_s);
        QCOMPARE(page.findChild<TimelineChart *>()->shown().length(), Duration(10min));
        QVERIFY(page.showPicture(u"renewals"_s));
        made::shoot(page, u"history-renewals"_s);
        QVERIFY(made::shownWords(page).contains(u"In the time shown: 60 renewals, half within 10.1 s"_s)
                || made::shownWords(page).contains(u"renewals, half within"_s));
        QVERIFY(page.showPicture(u"lag"_s));
        made::shoot(page, u"history-lag"_s);
        QVERIFY(!page.showPicture(u"nothing"_s));
        QCOMPARE(made::namelessWidgets(page), QStringList{});
    }

    // The time is the new leader's, not that of who led before.
    void titlesAreWhole()
    {
        using H = items::HistoryModel;
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        page.resize(1060, 640);
        page.show();
        const auto *view = page.findChild<TimelinesView *>();
        QCOMPARE(view->model()->headerData(H::LedFor, Qt::Horizontal).toString(), u"New leader led for"_s);
        compareTitles(*view);
        QVERIFY(view->horizontalHeader()->length() <= view->viewport()->width());
    }

    // One renewal may have been seen; an interval needs two.
    void noIntervalIsNotNoRenewal()
    {
        auto c = made::healthy();
        c.renewals.clear();
        HistoryPage page;
        page.setCluster(c, made::now());
        page.resize(1060, 640);
        page.show();
        QVERIFY(page.showPicture(u"renewals"_s));
        QCoreApplication::processEvents();
        const QString said = made::shownWords(page);
        QVERIFY2(said.contains(u"No interval between two renewals in the time shown."_s), qPrintable(said));
        QVERIFY2(!said.contains(u"No renewal"_s), qPrintable(said));
        QVERIFY(renewals(page));
        compareTitles(*renewals(page)); // an empty table's, too
    }

    // A lock that ran out is not among the renewals, however good they were; an archive tells of such, too.
    void expiriesAreToldBesideRenewals()
    {
        auto c = made::healthy();
        c.transitions.back() = made::transition(patroni::TransitionKind::LockExpired, "acme-2", "acme-1", 8, made::now(-600s).wall, 37s);
        c.transitions.back().evidence = {{patroni::EvidenceCode::Expired, "acme-2", "30", {}}};
        HistoryPage page;
        page.setCluster(c, made::now());
        page.resize(1060, 640);
        page.show();
        QVERIFY(page.showPicture(u"renewals"_s));
        const QString said = made::shownWords(page);
        QVERIFY2(said.contains(u" late. The lock ran out once: that is no renewal."_s), qPrintable(said));
        Event before;
        before.id = "1";
        before.type = EventCode::LockExpired;
        before.cluster = c.names.key;
        before.wall = made::now(-3000s).wall;
        Event known = before; // of this run: among the transitions
        known.id = "2";
        known.wall = made::now().wall;
        page.setPast(c.names.key, {before, known}, made::now(-4000s).wall);
        page.tick(made::now(1s));
        QVERIFY2(made::shownWords(page).contains(u" late. The lock ran out 2 times: that is no renewal."_s),
                 qPrintable(made::shownWords(page)));
        QCoreApplication::processEvents();
        for (const QLabel *label : page.findChildren<QLabel *>())
            if (label->text().startsWith(u"In the time shown"_s))
                QVERIFY2(label->heightForWidth(label->width()) <= label->height(), qPrintable(label->text()));
    }

    // What this run saw no renewal of comes from the archive, and says so.
    void archivedRenewals()
    {
        auto c = made::healthy();
        const Now now = made::now();
        const Instant first = Instant(std::chrono::floor<std::chrono::minutes>(now.toWall(c.renewals.front().at).time_since_epoch()));
        QList<RenewMinute> minutes;
        for (int i = 45; i >= 0; --i)
            if (i < 15 || i > 20)
                minutes.append({first - std::chrono::minutes(i), 6, 10s, i == 8 ? 24s : i % 3 == 0 ? 12s : 11s});
        HistoryPage page;
        page.setCluster(c, now);
        page.resize(1060, 640);
        page.show();
        QVERIFY(page.showPicture(u"renewals"_s));
        const QTableView *table = nullptr;
        for (const QTableView *view : page.findChildren<QTableView *>())
            table = view->accessibleName() == u"Renewals of the lock"_s ? view : table;
        QVERIFY(table);
        const int single = table->model()->rowCount();
        QCOMPARE(single, int(c.renewals.size()));
        page.setPastRenewals({"other", "a", "b", {}, "b"}, minutes);
        QCOMPARE(table->model()->rowCount(), single);
        page.setPastRenewals(c.names.key, minutes);
        QCOMPARE(table->model()->rowCount(), single + 39); // the last one is also in this run
        const auto cellOf = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
        const int last = table->model()->rowCount() - 1;
        QCOMPARE(cellOf(last, 2), u"10.0 s"_s);
        QCOMPARE(cellOf(last, 3), u"12.0 s"_s);
        QCOMPARE(cellOf(last, 5), u"6"_s);
        QVERIFY(cellOf(last, 1).startsWith(u"archive"_s));
        QCOMPARE(cellOf(0, 1), u"seen"_s);
        QCOMPARE(cellOf(last - 31, 4), u"late"_s); // its longest was
        QVERIFY(made::shownWords(page).contains(u"Seen one by one: 400 renewals, half within "_s));
        QVERIFY(made::shownWords(page).contains(u"Archive: 234 renewals in 39 minutes, mean 10.0 s, the longest 24.0 s; late in 1."_s));
        made::shoot(page, u"history-renewals-archive"_s);
        page.clear();
        page.setCluster(c, now);
        QCOMPARE(table->model()->rowCount(), single);
    }

    void pictureIsHandedOn()
    {
        HistoryPage page;
        page.setCluster(made::healthy(), made::now());
        page.show();
        QSignalSpy spy(&page, &HistoryPage::pictureRequested);
        auto *panel = page.findChild<PicturePanel *>();
        Q_EMIT panel->saveRequested(u"a.png"_s, panel->picture(PictureFormat::Png));
        QCOMPARE(spy.size(), 1);
        QVERIFY(spy[0][1].toByteArray().startsWith("\x89PNG"));
    }
};

QTEST_MAIN(TestHistoryPage)
#include "tst_history_page.moc"
