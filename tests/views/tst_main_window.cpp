// SPDX-FileCopyrightText: The Switchyard developers
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window, built over hand-made clusters and used as a person would: clicks, keys, filters. With SWITCHYARD_SHOTS=DIR in the
// environment it also saves pictures of every state, light and dark, in two sizes and two text sizes.
#include "tests/support/made_clusters.h"
#include "tests/support/patience.h"
#include "tests/support/view_shots.h"
#include "tests/support/window_stage.h"
#include "views/main_window.h"
#include "views/pages/events_page.h"
#include "views/pages/fleet_page.h"
#include "views/pages/history_page.h"
#include "views/style/colors.h"
#include "views/style/theme.h"
#include "views/widgets/context_bar.h"
#include "views/widgets/message_dialog.h"
#include "views/widgets/quick_switcher.h"
#include "views/widgets/sentence.h"
#include "views/widgets/side_tree.h"
#include "views/widgets/top_bar.h"
#include "views/words.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace switchyard;
using namespace switchyard::views;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using items::FleetModel;

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, Theme::Light); }

    void firstLineIsASentence()
    {
        const Stage stage(mixed());
        const QString all = stage.child<FleetPage>()->findChild<Sentence *>()->text();
        QCOMPARE(
            all,
            u"9 clusters: 1 unhealthy, 3 unknown, 4 degraded, 1 healthy. payments/audit: lock expired 42 s ago, nobody leads. Context staging is stale."_s);
    }

    void worstFirst()
    {
        const Stage stage(mixed());
        QVERIFY(stage.cell(0, FleetModel::Health).startsWith(u"unhealthy"_s));
        QCOMPARE(stage.cell(0, FleetModel::Scope), u"audit"_s);
        QVERIFY(stage.cell(8, FleetModel::Health).startsWith(u"healthy"_s));
    }

    void wordsNotCodes_data()
    {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("shown");
        QTest::newRow("in office") << u"prod-eu payments/acme"_s << int(FleetModel::InOffice) << u"3 h 12 min"_s;
        QTest::newRow("lock") << u"prod-eu payments/acme"_s << int(FleetModel::Lock) << u"26 s"_s;
        QTest::newRow("zero lag") << u"prod-eu payments/acme"_s << int(FleetModel::WorstLag) << u"0 B"_s;
        QTest::newRow("members") << u"prod-eu payments/acme"_s << int(FleetModel::Members) << u"3 / 3"_s;
        QTest::newRow("late") << u"users"_s << int(FleetModel::Lock) << u"late, 7 s"_s;
        QTest::newRow("expired") << u"audit"_s << int(FleetModel::Lock) << u"expired 42 s"_s;
        QTest::newRow("nobody leads") << u"audit"_s << int(FleetModel::Leader) << u"nobody"_s;
        QTest::newRow("paused") << u"stock"_s << int(FleetModel::Paused) << u"paused"_s;
        QTest::newRow("request") << u"bins"_s << int(FleetModel::Request) << u"in 2 h 13 min to bins-2"_s;
        QTest::newRow("stale leader") << u"staging payments/acme"_s << int(FleetModel::Leader) << u"unknown"_s;
        QTest::newRow("stale lock") << u"staging payments/acme"_s << int(FleetModel::Lock) << u"stale"_s;
        QTest::newRow("blank lag") << u"fresh"_s << int(FleetModel::WorstLag) << u"unknown"_s;
        QTest::newRow("blank members") << u"fresh"_s << int(FleetModel::Members) << u"?"_s;
    }
    void wordsNotCodes()
    {
        QFETCH(QString, filter);
        QFETCH(int, column);
        const Stage stage(mixed());
        auto *box = stage.child<FleetPage>()->findChild<FilterBox *>();
        box->setText(filter);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 1);
        QTEST(stage.cell(0, column), "shown");
    }

    // A stale row says so in words, with its age, which grows with each tick though nothing arrives.
    void staleHasItsAge()
    {
        const Stage stage(mixed());
        stage.child<FleetPage>()->findChild<FilterBox *>()->setText(u"staging payments/acme"_s);
        QTRY_COMPARE(stage.table()->model()->rowCount(), 1);
        QVERIFY2(stage.cell(0, FleetModel::Health).contains(u"stale 48 s  as of 2031-02-01 13:01:23 UTC"_s),
                 qPrintable(stage.cell(0, FleetModel::Health)));
        stage.window->tick(made::now(5s));
        QVERIFY(stage.cell(0, FleetModel::Health).contains(u"stale 53 s"_s));
    }

    void doubleClickOpens()
    {
        const Stage stage(mixed());
        QSignalSpy opened(stage.window.get(), &MainWindow::clusterOpened);
        doubleClick(stage.table(), 0, FleetModel::Scope);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.at(0).at(0).value<patroni::ClusterKey>().scope, "audit");
        QCOMPARE(stage.window->currentPage(), Page::Cluster);
        QCOMPARE(stage.window->openedCluster()->scope, "audit");
    }

    void byKeyboardAlone()
    {
        const Stage stage(mixed());
        MainWindow *window = stage.window.get();
        QTest::keyClick(window, Qt::Key_F, Qt::ControlModifier);
        auto *box = stage.child<FleetPage>()->findChild<FilterBox *>();
        QTRY_VERIFY(box->hasFocus());
        QTest::keyClicks(box, u"ledger troubled"_s.left(6));
        QTRY_COMPARE(stage.table()->model()->rowCount(), 2);
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(stage.table()->hasFocus());
        QTest::keyClick(stage.table(), Qt::Key_Return);
        QCOMPARE(window->currentPage(), Page::Cluster);
        QCOMPARE(window->openedCluster()->scope, "ledger");
        for (int i = 0; i < pageCount; ++i) {
            QTest::keyClick(window, Qt::Key(Qt::Key_1 + i), Qt::ControlModifier);
            QCOMPARE(window->currentPage(), static_cast<Page>(i));
        }
        QTest::keyClick(window, Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(window, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClick(box, Qt::Key_Escape);
        QCOMPARE(box->text(), QString());
        QCOMPARE(stage.table()->model()->rowCount(), 9);
    }

    void relistKey()
    {
        const Stage stage(mixed());
        QSignalSpy relist(stage.window.get(), &MainWindow::relistRequested);
        QTest::keyClick(stage.window.get(), Qt::Key_F5);
        QCOMPARE(relist.count(), 1);
    }

    void quickSwitcher()
    {
        const Stage stage(mixed());
        QTest::keyClick(stage.window.get(), Qt::Key_K, Qt::ControlModifier);
        auto *switcher = stage.child<QuickSwitcher>();
        QVERIFY(switcher);
        auto *edit = switcher->findChild<QLineEdit *>();
        QTest::keyClicks(edit, u"payments/acme"_s);
        QTest::keyClick(edit, Qt::Key_Down);
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(stage.window->openedCluster());
        QCOMPARE(stage.window->openedCluster()->context, "prod-eu"); // the second: the stale one is worse and stands first
        QTRY_VERIFY(!stage.child<QuickSwitcher>());
    }

    void sideTreeOpensAndNarrows()
    {
        const Stage stage(mixed());
        auto *tree = stage.child<SideTree>();
        tree->refresh();
        const auto click = [tree](const QString &name) {
            const auto found = tree->findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
            QVERIFY2(!found.isEmpty(), qPrintable(name));
            tree->scrollToItem(found.front());
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(found.front()).center());
        };
        click(u"warehouse"_s);
        QCOMPARE(stage.table()->model()->rowCount(), 2);
        click(u"All clusters"_s);
        QCOMPARE(stage.table()->model()->rowCount(), 9);
        click(u"audit"_s);
        QCOMPARE(stage.window->openedCluster()->scope, "audit");
        QCOMPARE(stage.window->currentPage(), Page::Cluster);
    }

    void sideTreeIsWorstFirst()
    {
        Stage stage(mixed());
        auto *tree = stage.child<SideTree>();
        tree->refresh();
        QCOMPARE(tree->topLevelItem(1)->text(0), u"prod-eu"_s); // has the unhealthy one
        QCOMPARE(tree->topLevelItem(1)->child(0)->text(0), u"payments"_s);
        QCOMPARE(tree->topLevelItem(1)->child(0)->child(0)->text(0), u"audit"_s);
        stage.clusters[2] = named(made::healthy(), "prod-eu", "payments", "audit");
        stage.fleet.updateSome({&stage.clusters[2]}, {stage.clusters[6].names.key}, made::now(1s));
        tree->refresh();
        QCOMPARE(tree->topLevelItem(1)->text(0), u"prod-eu"_s); // "fresh" is unknown, as staging is
        QCOMPARE(tree->topLevelItem(1)->child(0)->text(0), u"identity"_s);
        QCOMPARE(tree->topLevelItem(2)->child(0)->childCount(), 1);
    }

    void writesAreBlocked_data()
    {
        QTest::addColumn<QString>("scope");
        QTest::addColumn<bool>("readOnly");
        QTest::addColumn<bool>("switchover");
        QTest::addColumn<bool>("cancel");
        QTest::newRow("healthy") << u"acme"_s << false << true << false;
        QTest::newRow("pending") << u"bins"_s << false << true << true;
        QTest::newRow("read-only") << u"bins"_s << true << false << false;
        QTest::newRow("stale") << u"stale"_s << false << false << false;
    }
    void writesAreBlocked()
    {
        QFETCH(QString, scope);
        QFETCH(bool, readOnly);
        auto all = mixed();
        all[6].names.key.scope = all[6].names.key.base = "stale";
        Stage stage(std::move(all));
        stage.window->setReadOnly(readOnly);
        for (const auto &c : stage.clusters)
            if (c.names.key.scope == scope.toStdString() && (scope != u"acme"_s || c.names.key.context == "prod-eu"))
                stage.open(c.names.key);
        stage.window->showPage(Page::Cluster);
        QTEST(stage.action(u"Switch over"_s)->isEnabled(), "switchover");
        QTEST(stage.action(u"Cancel the request"_s)->isEnabled(), "cancel");
        QSignalSpy asked(stage.window.get(), &MainWindow::actionRequested);
        stage.action(u"Switch over"_s)->trigger();
        QTEST(asked.count() == 1, "switchover");
    }

    void outageCanBeCancelledFromTheMenu()
    {
        auto all = mixed();
        all[0] = named(made::outage(), "prod-eu", "payments", "acme");
        all[0].requests.clear(); // written before the program started, or its report was dropped
        Stage stage(std::move(all));
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::Cluster);
        QVERIFY(stage.action(u"Cancel the request"_s)->isEnabled());
    }

    // At 1280x720 with one context: no scrolling sideways, no number cut, also when the members come after their cluster.
    void fleetFitsTheSmallWindow()
    {
        auto all = mixed();
        for (auto &c : all)
            c.names.key.context = "prod-eu";
        all.erase(all.begin() + 6); // two of the same name
        auto bare = all;
        for (auto &c : bare)
            c.members.clear();
        Stage stage(std::move(bare));
        stage.window->resize(1280, 720);
        QCoreApplication::processEvents();
        std::vector<const patroni::Cluster *> list;
        for (const auto &c : all)
            list.push_back(&c);
        stage.fleet.updateSome(list, {}, made::now(1s));
        stage.window->tick(made::now(1s));
        QTableView *table = stage.table();
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        QVERIFY(table->isColumnHidden(FleetModel::Context));
        for (int row = 0; row < table->model()->rowCount(); ++row)
            for (const int column : {FleetModel::InOffice, FleetModel::Lock, FleetModel::Timeline, FleetModel::Members,
                                     FleetModel::WorstLag, FleetModel::Sync, FleetModel::Paused, FleetModel::LastChange}) {
                QStyleOptionViewItem option;
                option.font = table->font();
                const QModelIndex index = table->model()->index(row, column);
                QVERIFY2(table->columnWidth(column) >= table->itemDelegate()->sizeHint(option, index).width(),
                         qPrintable(index.data().toString()));
            }
    }

    void contextIsShownWhereItTellsApart()
    {
        const Stage stage(mixed());
        stage.window->resize(1280, 720);
        QCoreApplication::processEvents();
        QVERIFY(!stage.table()->isColumnHidden(FleetModel::Context));
    }

    // One context works, another one cannot be opened: that must not go unsaid.
    void noticesStayBesideClusters()
    {
        const Stage stage(mixed());
        stage.window->setNotice(u"kubeconfig has no context dr-site."_s);
        const auto labels = stage.child<FleetPage>()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel *l) { return l->isVisible() && l->text().contains(u"no context dr-site"_s); }));
    }

    void titleNamesWhatIsShown()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::Cluster);
        QCOMPARE(stage.window->windowTitle(), u"payments/acme - Switchyard"_s);
        stage.window->showPage(Page::Fleet);
        QCOMPARE(stage.window->windowTitle(), u"Switchyard"_s);
    }

    void copiesRowAndCell()
    {
        const Stage stage(mixed());
        stage.table()->setFocus();
        stage.table()->setCurrentIndex(stage.table()->model()->index(0, FleetModel::Scope));
        QTest::keyClick(stage.table(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::clipboard()->text(), u"audit"_s);
        QTest::keyClick(stage.table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList cells = QApplication::clipboard()->text().split(u'\t');
        QCOMPARE(cells.size(), int(FleetModel::ColumnCount));
        QCOMPARE(cells.at(FleetModel::Scope), u"audit"_s);
    }

    void emptySaysWhatToDo()
    {
        const Stage stage({}, false);
        stage.window->setNotice(u"No kubeconfig was found. Give one with --kubeconfig FILE, or try switchyard --demo."_s);
        bool found = false;
        for (const QLabel *label : stage.window->findChildren<QLabel *>())
            found = found || (label->isVisible() && label->text().contains(u"--demo"_s));
        QVERIFY(found);
    }

    // Nothing seen is not nothing there.
    void emptySaysWhatIsWrong_data()
    {
        QTest::addColumn<int>("freshness");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QStringList>("said");
        QTest::newRow("connecting") << int(patroni::Freshness::Connecting) << QString()
                                    << QStringList{u"connecting to https://10.0.0.1:6443"_s, u"nothing is known yet"_s};
        QTest::newRow("unreachable") << int(patroni::Freshness::Connecting) << u"connection refused"_s
                                     << QStringList{u"connection refused"_s, u"can be reached from here"_s};
        QTest::newRow("forbidden") << int(patroni::Freshness::Forbidden) << u"list pods: forbidden"_s
                                   << QStringList{u"list pods: forbidden"_s, u"for viewer"_s};
    }
    void emptySaysWhatIsWrong()
    {
        QFETCH(int, freshness);
        QFETCH(QString, error);
        QFETCH(QStringList, said);
        Stage stage({}, false);
        auto context = liveContexts().front();
        context.freshness = static_cast<patroni::Freshness>(freshness);
        context.error = error;
        stage.window->setContexts({context}, made::now());
        const QString all = made::shownWords(*stage.child<FleetPage>());
        for (const QString &words : said)
            QVERIFY2(all.contains(words), qPrintable(all));
        QVERIFY2(!all.contains(u"No Patroni cluster has been found"_s), qPrintable(all));
        auto *tree = stage.child<SideTree>();
        for (int i = 0; i < 2; ++i)
            QVERIFY2(tree->topLevelItem(i)->data(0, Qt::AccessibleTextRole).toString().contains(u"clusters: unknown"_s),
                     qPrintable(tree->topLevelItem(i)->data(0, Qt::AccessibleTextRole).toString()));
        context.freshness = patroni::Freshness::Live;
        context.error.clear();
        stage.window->setContexts({context}, made::now());
        QVERIFY(made::shownWords(*stage.child<FleetPage>()).contains(u"No Patroni cluster has been found"_s));
        QVERIFY(tree->topLevelItem(1)->data(0, Qt::AccessibleTextRole).toString().contains(u"clusters: 0"_s));
    }

    void recordingHasItsOwnWords_data()
    {
        QTest::addColumn<bool>("replayFirst");
        QTest::newRow("replay first") << true;
        QTest::newRow("read-only first") << false;
    }
    void recordingHasItsOwnWords()
    {
        QFETCH(bool, replayFirst);
        Stage stage(mixed());
        if (replayFirst)
            stage.window->setReplay(u"/tmp/night.ndjson"_s);
        stage.window->setReadOnly(true);
        if (!replayFirst)
            stage.window->setReplay(u"/tmp/night.ndjson"_s);
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::Cluster);
        const QString all = made::shownWords(*stage.window);
        QVERIFY2(all.contains(u"replay of night.ndjson"_s) && all.contains(u"A recording is shown"_s), qPrintable(all));
        QVERIFY2(!all.contains(u"--read-only"_s) && !all.contains(u"connected, event"_s), qPrintable(all));
        QVERIFY(all.contains(u"recorded, event 1 s before"_s));
        QVERIFY(stage.action(u"Switch over"_s)->toolTip().contains(u"A recording is shown"_s));
        for (const Badge *badge : stage.window->findChildren<Badge *>())
            QVERIFY(!badge->isVisible() || badge->text() != u"read-only"_s);
    }

    void goneHistoryStandsStill()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        stage.window->showPage(Page::History);
        stage.window->clusterRemoved(stage.clusters[0].names.key);
        const QString then = made::shownWords(*stage.child<HistoryPage>());
        QVERIFY2(then.contains(u"is gone"_s), qPrintable(then));
        stage.window->tick(made::now(60s));
        QCOMPARE(made::shownWords(*stage.child<HistoryPage>()), then);
    }

    void worstLagSaysWhyItIsUnknown()
    {
        auto c = made::healthy();
        c.members[1].lag.reset();
        const Stage stage({c});
        QVERIFY(stage.table()
                    ->model()
                    ->index(0, FleetModel::WorstLag)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(u"lag of a replica is unknown"_s));
        QVERIFY(
            !stage.table()->model()->headerData(FleetModel::WorstLag, Qt::Horizontal, Qt::ToolTipRole).toString().contains(u"known lag"_s));
    }

    void contextWords_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("connected") << 0 << u"connected, event 1 s ago"_s;
        QTest::newRow("stale") << 1 << u"stale for 48 s: no answer, retry in 6 s"_s;
    }
    void contextWords()
    {
        QFETCH(int, which);
        QTEST(contextSentence(liveContexts()[static_cast<std::size_t>(which)], made::now()), "sentence");
    }

    void badges()
    {
        const Stage stage(mixed());
        const auto shown = [&stage] {
            QStringList list;
            for (const Badge *badge : stage.window->findChildren<Badge *>())
                if (badge->isVisible())
                    list << badge->text();
            return list;
        };
        QCOMPARE(shown(), QStringList{u"certificate not checked: staging"_s});
        stage.window->setReadOnly(true);
        stage.window->setDemo(true);
        QVERIFY(shown().contains(u"read-only"_s) && shown().contains(u"demo"_s));
        stage.window->setReadOnly(false);
        QVERIFY(!shown().contains(u"read-only"_s));
    }

    void messagesDoNotBlock()
    {
        const Stage stage(mixed());
        stage.window->showMessage(u"Refused"_s, u"The request was refused."_s, u"{}"_s);
        auto *dialog = stage.child<MessageDialog>();
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        dialog->close();
        QTRY_VERIFY(!stage.child<MessageDialog>());
    }

    void everythingHasAName()
    {
        Stage stage(mixed());
        stage.open(stage.clusters[0].names.key);
        for (const Page page : {Page::Fleet, Page::Cluster, Page::History, Page::Events, Page::Contexts}) {
            stage.window->showPage(page);
            QCoreApplication::processEvents();
            for (QWidget *widget : stage.window->findChildren<QWidget *>()) {
                if (!widget->isVisible() || widget->focusProxy() || widget->focusPolicy() == Qt::NoFocus
                    || !(widget->focusPolicy() & Qt::TabFocus))
                    continue;
                QAccessibleInterface *face = QAccessible::queryAccessibleInterface(widget);
                QVERIFY(face);
                QVERIFY2(!face->text(QAccessible::Name).isEmpty(),
                         qPrintable(u"%1 in %2 on page %3"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                                                                 QString::fromLatin1(widget->parentWidget()->metaObject()->className()),
                                                                 pageCode(page))));
            }
        }
    }

    void cellsAreReadAloud()
    {
        const Stage stage(mixed());
        for (int row = 0; row < stage.table()->model()->rowCount(); ++row)
            for (int column = 0; column < FleetModel::ColumnCount; ++column) {
                const QString name = stage.table()->model()->index(row, column).data(Qt::AccessibleTextRole).toString();
                QVERIFY2(name.contains(u" of "_s) && !name.endsWith(u": "_s), qPrintable(name));
            }
    }

    void proxiesBehave()
    {
        Stage stage(mixed());
        QAbstractItemModelTester words(stage.child<FleetPage>()->words(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        QAbstractItemModelTester shown(stage.table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
        stage.clusters[0] = made::expired();
        stage.fleet.updateSome({&stage.clusters[0]}, {stage.clusters[3].names.key}, made::now(1s));
        stage.fleet.update({&stage.clusters[0]}, made::now(2s));
        QCOMPARE(stage.table()->model()->rowCount(), 1);
    }

    void eventsKeepThePlaceOfWhoReads()
    {
        Stage stage(mixed());
        std::vector<Event> many;
        for (int i = 0; i < 10; ++i)
            for (const Event &e : someEvents())
                many.push_back(e);
        stage.events.append(many);
        stage.window->showPage(Page::Events);
        QTableView *table = stage.child<EventsPage>()->table();
        QTRY_VERIFY(table->isVisible());
        QCoreApplication::processEvents();
        table->verticalScrollBar()->setValue(20);
        const QModelIndex top = table->indexAt(QPoint(2, 2));
        const QPersistentModelIndex read = top;
        stage.events.append(someEvents());
        QTRY_COMPARE(table->indexAt(QPoint(2, 2)).row(), read.row());
        QVERIFY(read.row() > top.row() || read.row() >= 40);
    }

    void coloursCanBeRead_data()
    {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << lightPalette();
        QTest::newRow("dark") << darkPalette();
    }
    void coloursCanBeRead()
    {
        QFETCH(QPalette, palette);
        for (const auto ground : {palette.color(QPalette::Base), palette.color(QPalette::AlternateBase), palette.color(QPalette::Window)}) {
            for (const Tone tone :
                 {Tone::Good, Tone::Warning, Tone::Bad, Tone::Unknown, Tone::Paused, Tone::Leader, Tone::Neutral, Tone::Free}) {
                QVERIFY2(contrastRatio(toneColor(tone, palette), ground) >= 4.5, qPrintable(toneColor(tone, palette).name()));
                QVERIFY(contrastRatio(dimmed(toneColor(tone, palette), ground), ground) >= 4.5);
            }
            QVERIFY(contrastRatio(secondaryText(palette), ground) >= 4.5);
            QVERIFY(contrastRatio(dimmed(palette.color(QPalette::Text), ground), ground) >= 4.5);
        }
        QVERIFY(contrastRatio(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    }

    void pictures();
};

void TestMainWindow::pictures()
{
    const QString dir = qEnvironmentVariable("SWITCHYARD_SHOTS");
    if (dir.isEmpty())
        QSKIP("SWITCHYARD_SHOTS is not set");
    QDir().mkpath(dir);
    const QFont normal = QApplication::font();
    const std::pair<QString, std::vector<patroni::Cluster>> scenes[] = {{u"mixed"_s, mixed()},
                                                                        {u"forty"_s, forty()},
                                                                        {u"none"_s, {}},
                                                                        {u"one"_s, {made::healthy()}},
                                                                        {u"long"_s, {made::longNames(), made::healthy()}}};
    for (const auto &[name, palette] : {std::pair(u"light"_s, Theme::Light), std::pair(u"dark"_s, Theme::Dark)}) {
        applyTheme(*qApp, palette);
        for (const auto &[scene, clusters] : scenes)
            for (const auto &[size, zoom] :
                 {std::pair(QSize(1280, 720), 100), std::pair(QSize(1920, 1080), 100), std::pair(QSize(1280, 720), 150)}) {
                if (zoom != 100 && scene != u"mixed"_s)
                    continue;
                QFont font = normal;
                font.setPointSizeF(normal.pointSizeF() * zoom / 100);
                QApplication::setFont(font);
                Stage stage(clusters, scene != u"none"_s);
                stage.window->resize(size);
                if (scene == u"none"_s)
                    stage.window->setNotice(
                        u"No kubeconfig was found in $KUBECONFIG or ~/.kube/config. Give one with --kubeconfig FILE, or look around first with: switchyard --demo"_s);
                const QString head = dir + u'/' + scene + u'-', tail = u"-%1-%2-%3.png"_s.arg(name).arg(size.width()).arg(zoom);
                const auto save = [&](const QString &what) {
                    for (int i = 0; i < 3; ++i) {
                        QTest::qWait(60);
                        stage.window->tick(made::now());
                    }
                    stage.window->grab().save(head + what + tail);
                };
                save(u"fleet"_s);
                if (scene == u"mixed"_s) {
                    stage.table()->setFocus();
                    stage.table()->selectRow(1);
                    save(u"selected"_s);
                    stage.window->setReadOnly(true);
                    stage.window->setDemo(true);
                }
                if (!clusters.empty()) {
                    stage.open(clusters[0].names.key);
                    stage.window->showPage(Page::Cluster);
                    save(u"cluster"_s);
                    stage.window->showPage(Page::History);
                    save(u"history"_s);
                }
                stage.window->showPage(Page::Events);
                save(u"events"_s);
            }
        QApplication::setFont(normal);
    }
    applyTheme(*qApp, Theme::Light);
}

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
